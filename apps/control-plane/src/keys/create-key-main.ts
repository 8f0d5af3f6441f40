import { randomBytes, randomUUID } from 'node:crypto';
import { type Role, roles } from '@countersign/protocol/control/dialect';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { openDatabase } from '@countersign/service/database';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { type ControlPlaneParts, readPartsConfig } from '../config.ts';
import { apiKeyText, hashOf } from './api-key.ts';
import { insertKey } from './store.ts';

/** `countersign control-plane create-key`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  const asked = readArguments(argv);
  if (asked === null) {
    process.stderr.write(
      `control-plane create-key: takes --role ${roles.join('|')} [--name NAME] [--tenant T]. Try --help.\n`,
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

async function createKey({ storage }: ControlPlaneParts, { role, name, tenantId }: Asked): Promise<string> {
  const database = await openDatabase(storage, 'control-plane', createLogger('control-plane', 'warn'));
  try {
    const text = apiKeyText(role, randomBytes(32));
    const id = randomUUID();
    const key = { id, tenantId, role, name: name ?? `${role}-${id.slice(0, 8)}`, hash: hashOf(text) };
    if (!(await insertKey(database.pool, { ...key, createdAt: new Date() })))
      throw new Error(`tenant ${tenantId} has a key named ${key.name} already`);
    return text;
  } finally {
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

Makes an API key and prints it once; only its hash is kept.

  admin      writes credentials, policies and connectors (with a client certificate), runs executions, reads
  service    runs executions, reads
  approver   decides about executions that wait for a person, reads; policies name approvers by NAME

Tenants (default "default") see nothing of each other. It writes to the same database as the control plane:
DATABASE_URL, or the private one in CONTROL_DATA_DIR.

Example:
  countersign control-plane create-key --role approver --name cfo
`;
