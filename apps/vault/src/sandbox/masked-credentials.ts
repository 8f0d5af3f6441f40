import { maxMaskWith, type sessionCommands } from '@countersign/protocol/enclave/session-commands';
import { madeByMachines } from '@countersign/protocol/vault/credential';
import { overlap, parseAllowedUrls, wholeOrigins, withAliases } from '@countersign/protocol/vault/url-scope';
import type { Queryable } from '@countersign/service/sql';
import type { z } from 'zod';
import { envelopeOf } from '../credentials/envelope-row.ts';
import { replacedValues } from '../credentials/replaced-values.ts';
import { bindingOf, findCredentials, newestScopes } from '../credentials/store.ts';

type MaskWith = z.output<(typeof sessionCommands)['session.open']['request']>['maskWith'];

/** So many of a tenant's newest credentials are looked at. */
const maxLookedAt = 20_000;
/** The maximum that a command can hold. */
const maxUrls = 64;
/** Bytes of all ciphertexts together, so that the command fits into a frame. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The credentials of a tenant that may be used on the sites of a scope, and what machines made, whichever tokens reach them: those that
 * are named first, then those that may be used there, the newest first, then the values before theirs, which sites take for a while longer. A page may show one that the session does not use.
 */
export async function credentialsToMask(
  db: Queryable,
  tenantId: string,
  scope: readonly string[],
  named: readonly string[],
  now: Date,
): Promise<MaskWith> {
  const sites = withAliases(wholeOrigins(parseAllowedUrls(scope)));
  const newest = await newestScopes(db, tenantId, maxLookedAt);
  const usable = newest.filter(({ allowedUrls }) =>
    overlap(sites, wholeOrigins(parseAllowedUrls(allowedUrls))),
  );
  const machines = newest.filter(({ type }) => madeByMachines.has(type));
  const where = new Map([...usable, ...machines].map(({ id, allowedUrls }) => [id, allowedUrls]));
  const ids = [...new Set([...named, ...where.keys()])].filter((id) => where.has(id)).slice(0, maxMaskWith);
  const found = new Map((await findCredentials(db, ids)).map((row) => [row.id, row]));
  const current = ids.flatMap((id) => {
    const row = found.get(id);
    return row === undefined ? [] : [{ binding: bindingOf(row), row }];
  });
  const before = (await replacedValues(db, ids, now, maxMaskWith)).map((row) => {
    const { tenantId, credentialId, serviceId, type, version } = row;
    return { binding: { tenantId, credentialId, serviceId, type, version }, row };
  });
  const chosen: MaskWith = [];
  let bytes = 0;
  for (const { binding, row } of [...current, ...before].slice(0, maxMaskWith)) {
    const isMasked = binding.tenantId === tenantId && bytes + row.ciphertext.length <= maxBytes;
    if (!isMasked) continue;
    bytes += row.ciphertext.length;
    chosen.push({
      binding,
      envelope: envelopeOf(row),
      allowedUrls: [...(where.get(binding.credentialId) ?? [])].slice(0, maxUrls),
    });
  }
  return chosen;
}
