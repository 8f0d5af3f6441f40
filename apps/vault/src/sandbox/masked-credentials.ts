import { maxMaskWith, type sessionCommands } from '@countersign/protocol/enclave/session-commands';
import { madeByMachines } from '@countersign/protocol/vault/credential';
import { overlap, parseAllowedUrls, wholeOrigins, withAliases } from '@countersign/protocol/vault/url-scope';
import type { Pool } from '@countersign/service/sql';
import type { z } from 'zod';
import { envelopeOf } from '../credentials/envelope-row.ts';
import { bindingOf, findCredentials, newestScopes } from '../credentials/store.ts';

type MaskWith = z.output<(typeof sessionCommands)['session.open']['request']>['maskWith'];

/** So many of a tenant's newest credentials are looked at. */
const maxLookedAt = 20_000;
/** As many as a command has room for. */
const maxUrls = 64;
/** Bytes of all ciphertexts together, so that the command fits into a frame. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The credentials of a tenant that may be used on the sites of a scope, and what machines made, whichever tokens reach them: those that
 * are named first, then those that may be used there, the newest first. A page may show one that the session does not use.
 */
export async function credentialsToMask(
  pool: Pool,
  tenantId: string,
  scope: readonly string[],
  named: readonly string[],
): Promise<MaskWith> {
  const sites = withAliases(wholeOrigins(parseAllowedUrls(scope)));
  const newest = await newestScopes(pool, tenantId, maxLookedAt);
  const usable = newest.filter(({ allowedUrls }) =>
    overlap(sites, wholeOrigins(parseAllowedUrls(allowedUrls))),
  );
  const machines = newest.filter(({ type }) => madeByMachines.has(type));
  const where = new Map([...usable, ...machines].map(({ id, allowedUrls }) => [id, allowedUrls]));
  const ids = [...new Set([...named, ...where.keys()])].filter((id) => where.has(id)).slice(0, maxMaskWith);
  const found = new Map((await findCredentials(pool, ids)).map((row) => [row.id, row]));
  const chosen: MaskWith = [];
  let bytes = 0;
  for (const id of ids) {
    const row = found.get(id);
    bytes += row?.ciphertext.length ?? 0;
    if (row !== undefined && row.tenantId === tenantId && bytes <= maxBytes)
      chosen.push({
        binding: bindingOf(row),
        envelope: envelopeOf(row),
        allowedUrls: [...(where.get(id) ?? [])].slice(0, maxUrls),
      });
  }
  return chosen;
}
