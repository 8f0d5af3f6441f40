import type { Logger } from '@countersign/service/logger';
import { managedPostgres } from '@countersign/service/managed-postgres';
import { createPool, migrate, type Pool } from '@countersign/service/sql';
import type { StorageConfig } from './config.ts';
import { dashboardMigrations } from './migrations.ts';

export type Database = { readonly pool: Pool; readonly close: () => Promise<void> };

/** Opens the database, starts it first where it is ours to run, and brings its tables up to date. */
export async function openDatabase(storage: StorageConfig, log: Logger): Promise<Database> {
  const server = storage.kind === 'managed' ? await managedPostgres({ dir: storage.directory }) : null;
  const pool = createPool(storage.kind === 'managed' ? (server?.url ?? '') : storage.url, log);
  const close = async () => {
    await pool.end();
    await server?.stop();
  };
  try {
    const applied = await migrate(pool, dashboardMigrations());
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    return { pool, close };
  } catch (error) {
    await close();
    throw error;
  }
}
