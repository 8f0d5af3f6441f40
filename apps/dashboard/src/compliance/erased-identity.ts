import { firstRow, type Pool, rows, statement } from '@countersign/service/sql';

/** Whose personal data were erased: no vendor is asked about them until they begin anew. */
export type ErasedIdentities = {
  readonly has: (accountId: string) => Promise<boolean>;
  /** The person begins anew. */
  readonly lift: (accountId: string) => Promise<void>;
};

const find = statement<{ erased: boolean }>(
  'identity.erased',
  'select identity_erased_at is not null as erased from dashboard.account where id = $1',
);
const lift = statement(
  'identity.begun-anew',
  'update dashboard.account set identity_erased_at = null where id = $1 and identity_erased_at is not null',
);

export const erasedIdentities = (pool: Pool): ErasedIdentities => ({
  has: async (accountId) => (await firstRow(pool, find, [accountId]))?.erased ?? false,
  lift: async (accountId) => void (await rows(pool, lift, [accountId])),
});
