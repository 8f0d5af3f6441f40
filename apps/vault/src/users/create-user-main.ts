import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { openDatabase } from '@countersign/service/database';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { unseenIn } from '@countersign/protocol/legible-name';
import type { Scope } from '@countersign/protocol/vault/scopes';
import { readPartsConfig, type VaultParts } from '../config.ts';
import { hashPassword } from '@countersign/service/password';
import { insertAccount } from './store.ts';

/** `countersign vault create-user`: `argv` is what follows these words. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  if (argv.some((word) => word === '--help' || word === '-h')) return void process.stdout.write(help);
  const asked = readArguments(argv);
  if (asked === null) {
    process.stderr.write(
      'vault create-user: expected NAME [--tenant T] [--admin]; names have 1 to 128 characters, none of them invisible. Try --help.\n',
    );
    process.exit(2);
  }
  const config = exitOnBadConfig('vault', readPartsConfig(env));
  try {
    await createUser(config, asked, await readPassword());
    process.stdout.write(`created ${asked.name} of tenant ${asked.tenantId}\n`);
  } catch (error) {
    process.stderr.write(`vault create-user: ${sayWhy(error)}\n`);
    process.exit(1);
  }
}

type NewUser = { readonly name: string; readonly tenantId: string; readonly scopes: readonly Scope[] };

async function createUser({ storage }: VaultParts, user: NewUser, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  const database = await openDatabase(storage, 'vault', createLogger('vault', 'warn'));
  try {
    if (!(await insertAccount(database.pool, { ...user, passwordHash }, new Date())))
      throw new Error(`a user named ${user.name} already exists`);
  } finally {
    await database.close();
  }
}

/** The scopes of users who are not administrators. */
const usualScopes: readonly Scope[] = [
  'credential:read',
  'credential:write',
  'credential:decrypt',
  'audit:read',
];

function readArguments(argv: readonly string[]): NewUser | null {
  let tenantId = 'default';
  let scopes = usualScopes;
  const names: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    if (word === '--admin') scopes = ['admin'];
    else if (word === '--tenant') tenantId = argv[(i += 1)] ?? '';
    else if (word.startsWith('-')) return null;
    else names.push(word);
  }
  const [name = ''] = names;
  return names.length === 1 && isName(name) && isName(tenantId) ? { name, tenantId, scopes } : null;
}

/** Names stand in audit records, which people read, and where a person must not look like a token. */
const isName = (text: string): boolean =>
  /^.{1,128}$/u.test(text) && unseenIn(text) === null && !/ token:/.test(text);

const shortest = 8;
const longest = 1024;

/** The first line of stdin; on a terminal what is typed does not show. */
async function readPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  if (isTerminal) process.stderr.write('Password: ');
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => text as string),
    once(lines, 'close').then(() => ''),
  ]);
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  if (line.length < shortest || line.length > longest)
    throw new Error(`the password must have ${shortest} to ${longest} characters`);
  return line;
}

const help = `countersign vault create-user NAME [--tenant T] [--admin]

Creates a user who can log in at POST /api/v1/auth/login. The password comes from a prompt or the
first line of stdin. NAME must be unique in the whole vault. Tenants (default "default") cannot
see each other's data. Users can read, write and decrypt credentials and read the audit log of
their tenant; with --admin they get the scope admin.

It writes to the same database as the vault: DATABASE_URL, or the private one in VAULT_DATA_DIR.

Examples:
  echo 'a good password' | countersign vault create-user alice --tenant acme --admin
  countersign vault create-user bob < password.txt
`;
