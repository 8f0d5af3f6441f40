import { type Queryable, rows, statement } from './sql.ts';

/** Between whoever seals credentials and whoever puts them all under a new root secret. */
const rootLock = 4_022_002;
const whileRootStays = statement('root.stays', 'select pg_advisory_xact_lock_shared($1)');
const afterRootWas = statement('root.was', 'select pg_advisory_xact_lock($1)');

/**
 * Takes a lock until the end of a transaction that seals a credential and stores it. `pastOldRoot` waits for
 * that end.
 */
export async function holdRoot(db: Queryable): Promise<void> {
  await rows(db, whileRootStays, [rootLock]);
}

/** Resolves when whatever was under way with `holdRoot` has ended. */
export async function pastOldRoot(db: Queryable): Promise<void> {
  await rows(db, afterRootWas, [rootLock]);
}
