import type { Result } from '@countersign/protocol/result';
import { type Env, Variables } from './config.ts';
import { readStorage, type StorageConfig } from './database.ts';

/** Services with tables: the variable that names where each has its private database, and what it is when unset. */
const directories = {
  dashboard: ['DASHBOARD_DATA_DIR', '.countersign'],
  vault: ['VAULT_DATA_DIR', '.countersign/vault'],
  'control-plane': ['CONTROL_DATA_DIR', '.countersign/control-plane'],
} as const;

export type ServiceWithDatabase = keyof typeof directories;
export const servicesWithDatabase = Object.keys(directories) as readonly ServiceWithDatabase[];

/** The database that a service uses under these variables. */
export function storageOf(service: ServiceWithDatabase, env: Env): Result<StorageConfig, readonly string[]> {
  const from = new Variables(env);
  const [variable, otherwise] = directories[service];
  return from.finish(readStorage(from, variable, otherwise));
}
