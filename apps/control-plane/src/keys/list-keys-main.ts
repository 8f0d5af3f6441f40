import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { openDatabase } from '@countersign/service/database';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { type ControlPlaneParts, readPartsConfig } from '../config.ts';
import { type ListedKey, listKeys } from './store.ts';

/** `countersign control-plane list-keys`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  if (argv.length > 0) {
    process.stderr.write('control-plane list-keys: expected no arguments. Try --help.\n');
    process.exit(2);
  }
  const config = exitOnBadConfig('control-plane', readPartsConfig(env));
  try {
    for (const key of await allKeys(config)) process.stdout.write(`${line(key)}\n`);
  } catch (error) {
    process.stderr.write(`control-plane list-keys: ${sayWhy(error)}\n`);
    process.exit(1);
  }
}

async function allKeys({ storage }: ControlPlaneParts): Promise<readonly ListedKey[]> {
  const database = await openDatabase(storage, 'control-plane', createLogger('control-plane', 'warn'));
  try {
    return await listKeys(database.pool);
  } finally {
    await database.close();
  }
}

/** Names may hold blanks, so fields end with a tab. */
const line = ({ tenantId, role, name, createdAt, revokedAt }: ListedKey): string =>
  [tenantId, role, name, createdAt.toISOString(), revokedAt?.toISOString() ?? 'in use'].join('\t');

const help = `countersign control-plane list-keys

Prints one API key per line, separated by tabs: tenant, role, name, when it was created, when it
was revoked or "in use". The keys themselves cannot be shown: only their hashes are stored.

It reads the control plane's database: DATABASE_URL, or the private one in CONTROL_DATA_DIR.

Examples:
  countersign control-plane list-keys
  countersign control-plane list-keys | grep "in use"
`;
