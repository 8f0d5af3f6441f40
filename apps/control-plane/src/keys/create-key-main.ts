import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Role, roles } from '@countersign/protocol/control/dialect';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { openDatabase } from '@countersign/service/database';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { reachEnclave } from '@countersign/service/reach-enclave';
import { inTransaction } from '@countersign/service/sql';
import { type ControlPlaneParts, readPartsConfig } from '../config.ts';
import { apiKeyText, hashOf } from './api-key.ts';
import { recordCreation } from './record-creation.ts';
import { insertKey } from './store.ts';

/** `countersign control-plane create-key`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  const asked = readArguments(argv);
  if (asked === null) {
    process.stderr.write(
      `control-plane create-key: expected --role ${roles.join('|')} [--name NAME] [--tenant T]. Try --help.\n`,
    );
    process.exit(2);
  }
  const config = exitOnBadConfig('control-plane', readPartsConfig(env));
  try {
    process.stdout.write(`${await createKey(config, asked)}\n`);
  } catch (error) {
    process.stderr.write(`control-plane create-key: ${sayWhy(error)}\n`);
    process.exit(1);
  }
}

type Asked = { readonly role: Role; readonly name: string | null; readonly tenantId: string };

/** Recorded at once where the enclave is at hand, else when the key is used first. */
async function createKey(
  { storage, socket }: ControlPlaneParts,
  { role, name, tenantId }: Asked,
): Promise<string> {
  const log = createLogger('control-plane', 'warn');
  const database = await openDatabase(storage, 'control-plane', log);
  const enclave = existsSync(socket) ? await reachEnclave(socket, log).catch(() => null) : null;
  try {
    const text = apiKeyText(role, randomBytes(32));
    const id = randomUUID();
    const key = { id, tenantId, role, name: name ?? `${role}-${id.slice(0, 8)}`, hash: hashOf(text) };
    const createdAt = new Date();
    await inTransaction(database.pool, async (db) => {
      if (!(await insertKey(db, { ...key, createdAt })))
        throw new Error(`tenant ${tenantId} has a key named ${key.name} already`);
      if (enclave !== null) await recordCreation(db, enclave, id, createdAt);
    });
    return text;
  } finally {
    enclave?.close();
    await database.close();
  }
}

function readArguments(argv: readonly string[]): Asked | null {
  const given = new Map<string, string>();
  for (let i = 0; i < argv.length; i += 2) {
    const [word = '', value = ''] = argv.slice(i, i + 2);
    if (!['--role', '--name', '--tenant'].includes(word) || !/^[^\p{Cc}\p{Cs}]{1,128}$/u.test(value))
      return null;
    given.set(word, value);
  }
  const role = roles.find((one) => one === given.get('--role'));
  if (role === undefined) return null;
  return { role, name: given.get('--name') ?? null, tenantId: given.get('--tenant') ?? 'default' };
}

const help = `countersign control-plane create-key --role ${roles.join('|')} [--name NAME] [--tenant T]

Creates an API key and prints it once; only its hash is stored. key_created is in the audit log
before the key is first accepted: immediately if the enclave is reachable (ENCLAVE_SOCKET),
otherwise with the key's first call.

  admin      writes credentials, policies and connectors (with a client certificate), runs
             executions, reads
  service    runs executions, reads
  approver   decides on executions that wait for approval, reads; policies name approvers by NAME

Tenants (default "default") cannot see each other's data. It writes to the same database as the
control plane: DATABASE_URL, or the private one in CONTROL_DATA_DIR.

Examples:
  countersign control-plane create-key --role approver --name cfo
  countersign control-plane create-key --role service --name ci --tenant acme
`;
