import { hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '@countersign/protocol/vault/scopes';
import { openDatabase } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { ownedProcesses } from '@countersign/service/owned-process';
import type { Pool } from '@countersign/service/sql';
import type { SignInConfig } from '@countersign/service/sign-in-config';
import { silentTracer } from '@countersign/service/trace';
import { Client } from 'pg';
import { inject } from 'vitest';
import { startVault } from '../src/app.ts';
import { hashPassword } from '@countersign/service/password';
import { insertAccount, noteFailure } from '../src/users/store.ts';

const bundle = fileURLToPath(new URL('../../../dist/countersign.js', import.meta.url));
const log = createLogger('vault', 'silent');

export type Json = ReturnType<typeof JSON.parse>;

/** A password that no failures of others lock out. */
export const randomPassword = randomBytes(24).toString('base64url');

/** A new, empty database of the shared server: its URL. */
export const newDatabase = (): Promise<string> => createDatabase('template1');

async function createDatabase(template: string): Promise<string> {
  const name = `vault_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  await client.end();
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** `countersign enclave` in a process of its own. */
async function startEnclave(): Promise<TestEnclave> {
  const dir = mkdtempSync(join(tmpdir(), 'vault-'));
  const socket = join(dir, 'enclave.sock');
  const processes = await ownedProcesses();
  const enclave = processes.spawn({
    name: 'enclave',
    command: process.execPath,
    args: [bundle, 'enclave'],
    env: { ...process.env, ENCLAVE_SOCKET: socket, ENCLAVE_DATA_DIR: join(dir, 'enclave') },
    ipc: true,
  });
  await enclave.ready;
  return {
    socket,
    stop: async () => {
      await processes.stopAll();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The enclave of a vault: where it listens. */
type TestEnclave = { readonly socket: string; readonly stop: () => Promise<void> };

/** A vault in this process, whose clock the test moves, with an enclave, in a process of its own if none is given. */
export async function openVault(
  given?: TestEnclave,
  consoleOrigins: readonly string[] = [],
  databaseUrl?: string,
  signIn: SignInConfig | null = null,
) {
  const enclave = given ?? (await startEnclave());
  const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
  const storage = { kind: 'given' as const, url: databaseUrl ?? (await createDatabase(inject('migrated'))) };
  const vault = await startVault(
    {
      host: '127.0.0.1',
      port: 0,
      storage,
      socket: enclave.socket,
      consoleOrigins,
      randomPasswords: [hash('sha256', randomPassword)],
      signIn,
      anchor: null,
      requests: 1_000_000,
      exportsTraces: false,
      logLevel: 'silent',
    },
    { log, tracer: silentTracer, now: () => clock.now },
  );
  const database = await openDatabase(storage, 'vault', log);
  const usualHash = await hashPassword('a good password');
  const addUser = (name: string, tenantId: string, scopes: readonly Scope[], passwordHash = usualHash) =>
    insertAccount(database.pool, { name, tenantId, passwordHash, scopes }, clock.now);
  await addUser('alice', 'acme', ['admin']);
  async function ask(method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) {
    const response = await fetch(vault.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, data: (await response.json()) as Json, headers: response.headers };
  }

  return {
    url: vault.url,
    database: database.pool,
    now: () => clock.now,
    ask,
    /** A user with the same password as alice. */
    addUser,
    advance: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
    login: (username = 'alice', password = 'a good password') =>
      ask('POST', '/api/v1/auth/login', { body: { username, password } }),
    failures: (count: number, who?: Partial<Who>) => noteFailures(database.pool, clock.now, count, who),
    async stop() {
      await vault.stop();
      await database.close();
      await enclave.stop();
    },
  };
}

type Who = { readonly username: string; readonly address: string };

/** Failures as many as it would take long to make: of names that nobody has, from the address of the tests, unless it is said. */
async function noteFailures(pool: Pool, now: Date, count: number, who: Partial<Who> = {}): Promise<void> {
  for (let i = 0; i < count; i += 1)
    await noteFailure(pool, { username: `nobody-${i}`, address: '127.0.0.1', ...who }, now, new Date(0));
}
