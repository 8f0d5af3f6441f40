import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { maxUses } from '@countersign/protocol/enclave/session-commands';
import { asLogin } from '@countersign/protocol/vault/credential-use';
import { ok, type Result } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { Pool } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import { envelopeOf } from '../credentials/envelope-row.ts';
import type { Reached } from '../credentials/reached.ts';
import { bindingOf, type SealedCredential } from '../credentials/store.ts';
import { listUses, type Use } from '../credentials/use-store.ts';
import type { Refusal } from '../refusal.ts';
import { checkPlaceholders, usableCredential } from './credential-use.ts';

/** A credential and where it may go, both as they are stored now: what was revoked is not among it. */
export type Lent = { readonly credential: SealedCredential; readonly uses: readonly Use[] };

type Parts = { readonly pool: Pool; readonly reached: Reached; readonly now: () => Date };

/** Resolves the placeholders of an operation to a credential; null if it has none. */
export async function lend(
  { pool, reached, now }: Parts,
  caller: Caller,
  operation: Operation,
  id: string | null,
): Promise<Result<Lent | null, Refusal>> {
  if (id === null) return ok(null);
  const credential = await usableCredential(reached, caller, id, now());
  if (!credential.ok) return credential;
  const known = checkPlaceholders(operation, credential.value);
  if (!known.ok) return known;
  return ok({ credential: credential.value, uses: await listUses(pool, id, maxUses) });
}

/** Returns the part of it that is sent to the enclave with the operation. */
export const sent = (lent: Lent | null): Pick<CommandRequest<'session.operate'>, 'credential'> =>
  lent === null
    ? {}
    : {
        credential: {
          binding: bindingOf(lent.credential),
          envelope: envelopeOf(lent.credential),
          allowedUrls: [...lent.credential.allowedUrls],
          uses: lent.uses.map(({ origin, path, method, field, allowedBy }) => ({
            origin,
            path,
            method,
            field,
            ...(allowedBy === asLogin && { as_login: true }),
          })),
        },
      };
