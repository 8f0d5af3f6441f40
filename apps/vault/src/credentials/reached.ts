import { gathering } from '@countersign/service/gather';
import type { Pool } from '@countersign/service/sql';
import { type Caller, reaches } from '../callers.ts';
import { isUuid } from '@countersign/service/uuid';
import { refusal } from '../refusal.ts';
import { findCredentials, type SealedCredential } from './store.ts';

/** The credential of a path, if the caller's tenant has it and the caller's token reaches it; null otherwise. */
export type Reached = (
  caller: Caller,
  params: Readonly<Record<string, string>>,
) => Promise<SealedCredential | null>;

/** The same for what belongs to another tenant, for what another token reaches and for what never was. */
export const noSuchCredential = refusal('not_found', 'credential not found');

const maxTogether = 256;

export function createReached(pool: Pool): Reached {
  const rowOf = gathering(async (ids: readonly string[]) => {
    const found = new Map((await findCredentials(pool, [...new Set(ids)])).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  }, maxTogether);

  return async (caller, params) => {
    const id = (params['id'] ?? '').toLowerCase();
    if (!isUuid(id) || !reaches(caller, id)) return null;
    const found = caller.ahead?.id === id ? caller.ahead.row : await rowOf(id);
    return found?.tenantId === caller.tenantId ? found : null;
  };
}
