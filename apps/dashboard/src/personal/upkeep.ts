import type { Database, StorageConfig } from '@countersign/service/database';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { createPool, firstRow, inTransaction, type Pool, statement } from '@countersign/service/sql';
import { eraseOldBusinesses } from '../business/erase.ts';
import type { Sealer } from '../compliance/seal.ts';
import { anyReadableIdentity, sealIdentities } from '../compliance/seal-identities.ts';
import { openDatabase } from '../database.ts';
import { forgetOldRecords } from '../payees/forget.ts';
import { forgetRejected } from './retention.ts';

const everyMs = 60_000;
/** More often: what is due may wait for a transaction that ends at any moment. */
const sealEveryMs = 15_000;

type UpkeepParts = {
  readonly pool: Pool;
  readonly sealer: Sealer | null;
  readonly kycRetentionDays: number;
  readonly now: () => Date;
  readonly log: Logger;
};

/**
 * Opens the database for a process that has this key. Throws, with one sentence to show, where there is no key and an
 * identity that lies open: nobody is to serve that. It is asked before anything is migrated, because the release before may
 * go on then. A private database always has a key.
 */
export async function openForKey(
  storage: StorageConfig,
  sealer: Sealer | null,
  log: Logger,
): Promise<Database> {
  if (sealer === null && storage.kind === 'given' && (await hasReadable(storage.url, log)))
    throw new Error(
      'identities of people lie unsealed in the database: set EVIDENCE_KEY (openssl rand -base64 32), and they are sealed',
    );
  return openDatabase(storage, log);
}

async function hasReadable(databaseUrl: string, log: Logger): Promise<boolean> {
  const pool = createPool(databaseUrl, log);
  try {
    return await anyReadableIdentity(pool);
  } finally {
    await pool.end();
  }
}

/** Keeps personal data sealed, and no longer than they may be. */
export async function startPersonalUpkeep(parts: UpkeepParts): Promise<readonly Service[]> {
  const { pool, sealer, kycRetentionDays, now, log } = parts;
  const forgetting = repeat(log, 'delete identities whose time is over', everyMs, async () => {
    const businesses = await inTransaction(pool, (db) => eraseOldBusinesses(db, kycRetentionDays, now()));
    const records = await inTransaction(pool, (db) => forgetOldRecords(db, kycRetentionDays, now()));
    const erased = (await forgetRejected(pool, kycRetentionDays, now())) + businesses + records;
    if (erased > 0) log.info({ erased }, 'personal data of rejected submissions were deleted');
  });
  if (sealer === null) return [forgetting];
  const strange = (await firstRow(pool, underOtherKeys, [sealer.keyId]))?.count ?? 0;
  if (strange > 0)
    log.warn({ strange }, 'identities are sealed under another EVIDENCE_KEY and cannot be read');
  return [forgetting, repeat(log, 'seal identities', sealEveryMs, () => sealIdentities(pool, sealer, log))];
}

const underOtherKeys = statement<{ count: number }>(
  'personal.under-other-keys',
  'select count(*) as count from dashboard.kyc_identity where key_id <> $1',
);
