import { type Database, openDatabase as open, type StorageConfig } from '@countersign/service/database';
import type { Logger } from '@countersign/service/logger';

/** Opens the dashboard's database, and brings its tables up to date. */
export const openDatabase = (storage: StorageConfig, log: Logger): Promise<Database> =>
  open(storage, 'dashboard', log);
