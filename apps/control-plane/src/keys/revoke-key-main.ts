import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { openDatabase } from '@countersign/service/database';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { reachEnclave } from '@countersign/service/reach-enclave';
import { inTransaction } from '@countersign/service/sql';
import { type ControlPlaneParts, readPartsConfig } from '../config.ts';
import { ask } from '../enclave.ts';
import { revokeKey } from './store.ts';

/** `countersign control-plane revoke-key`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  const asked = readArguments(argv);
  if (asked === null) {
    process.stderr.write('control-plane revoke-key: expected NAME [--tenant T]. Try --help.\n');
    process.exit(2);
  }
  const config = exitOnBadConfig('control-plane', readPartsConfig(env));
  try {
    await revoke(config, asked);
    process.stdout.write(`revoked ${asked.name} of tenant ${asked.tenantId}\n`);
  } catch (error) {
    process.stderr.write(`control-plane revoke-key: ${sayWhy(error)}\n`);
    process.exit(1);
  }
}

type Asked = { readonly name: string; readonly tenantId: string };

/** The key stops once its record is on disk. */
async function revoke({ storage, socket }: ControlPlaneParts, { name, tenantId }: Asked): Promise<void> {
  const log = createLogger('control-plane', 'error');
  const enclave = await reachEnclave(socket, log);
  const database = await openDatabase(storage, 'control-plane', log).catch((error: unknown) => {
    enclave.close();
    throw error;
  });
  try {
    await inTransaction(database.pool, async (db) => {
      const key = await revokeKey(db, tenantId, name, new Date());
      if (key === null) throw new Error(`tenant ${tenantId} has no key named ${name} in use`);
      const detail = { keyId: key.keyId, name, role: key.role };
      const draft = { eventType: 'key_revoked' as const, tenantId, actor: 'command:revoke-key', detail };
      await ask(enclave, 'control.record', { draft });
    });
  } finally {
    enclave.close();
    await database.close();
  }
}

function readArguments([name = '', ...options]: readonly string[]): Asked | null {
  const [word, tenantId = ''] = options.length === 0 ? ['--tenant', 'default'] : options;
  const isName = (text: string): boolean => /^[^\p{Cc}\p{Cs}]{1,128}$/u.test(text);
  const isUnderstood = options.length % 2 === 0 && options.length <= 2 && word === '--tenant';
  return isUnderstood && isName(name) && isName(tenantId) ? { name, tenantId } : null;
}

const help = `countersign control-plane revoke-key NAME [--tenant T]

Revokes an API key immediately, in all processes on this database, and records key_revoked in the
audit log. Its name can then be used for a new key. "countersign control-plane list-keys" lists
the names.

It connects to the enclave (ENCLAVE_SOCKET) and to the control plane's database (DATABASE_URL, or
the private one in CONTROL_DATA_DIR).

Examples:
  countersign control-plane revoke-key ci --tenant acme
  countersign control-plane revoke-key cfo
`;
