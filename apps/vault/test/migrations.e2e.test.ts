import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate, type Pool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertUse } from '../src/credentials/use-store.ts';
import { done, refused, state } from './browser-sessions.ts';
import { scriptedEnclave } from './scripted-enclave.ts';
import { type Json, newDatabase, openVault } from './vault.ts';

const log = createLogger('vault', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
const at = (minutes: number) => new Date(Date.parse('2026-11-21T12:00:00.000Z') + minutes * 60_000);

/** Of one tenant, with equal plaintexts: as an earlier version kept them, equal. */
const [twin, other, third] = [randomUUID(), randomUUID(), randomUUID()];
/** A generated token, and the one of a person who logged in. */
const [generated, loggedIn] = [randomUUID(), randomUUID()];
const old = `hmac-sha256:${'a1'.repeat(32)}`;
const sessions = { active: randomUUID(), paused: randomUUID(), closed: randomUUID(), expired: randomUUID() };
const place = {
  origin: 'https://shop.example',
  path: '/session',
  method: 'POST',
  field: 'password',
} as const;
const agreed = { ...place, path: '/account', field: 'pin' } as const;

/** A database as version 5 of its tables left it, with something in each. */
async function fill(pool: Pool): Promise<void> {
  const { schema, directory } = migrationsOf('vault');
  for (const name of readdirSync(directory).filter((file) => file < '0006'))
    copyFileSync(join(directory, name), join(folder, name));
  expect(await migrate(pool, { schema, directory: folder })).toHaveLength(5);
  await pool.query(
    `insert into vault.account (name, tenant_id, password_hash, scopes, created_at) values ('bob', 'acme', 'x', '{admin}', $1)`,
    [at(-60)],
  );
  await pool.query(
    `insert into vault.login_failure (username, address, at) values ('bob', '127.0.0.1', $1)`,
    [at(-1)],
  );
  for (const [id, kind, family] of [
    [generated, 'api', null],
    [loggedIn, 'access', randomUUID()],
  ])
    await pool.query(
      `insert into vault.token (id, tenant_id, account, kind, name, scopes, credential_ids, family, created_at, expires_at)
       values ($1, 'acme', 'bob', $2, 'agent', '{credential:use}', $3, $4, $5, $6)`,
      [id, kind, [twin], family, at(-30), at(600)],
    );
  for (const [id, fingerprint] of [
    [twin, old],
    [other, old],
    [third, `hmac-sha256:${'b2'.repeat(32)}`],
  ])
    await pool.query(
      `insert into vault.credential (id, tenant_id, service_id, type, version, label, allowed_urls, fill_mode, metadata,
         fingerprint, root, salt, nonce, ciphertext, created_by, created_at, expires_at)
       values ($1, 'acme', 'shop', 'username_password', 1, 'my shop', '{https://shop.example}', 'network', '{"n":1}',
         $2, 1, $3, $4, $5, 'user:bob', $6, $7)`,
      [id, fingerprint, randomBytes(32), randomBytes(12), randomBytes(48), at(-20), at(9999)],
    );
  for (const [status, id] of Object.entries(sessions)) {
    const isOver = status === 'closed' || status === 'expired';
    await pool.query(
      `insert into vault.session (id, tenant_id, account, token_id, task, allowed_urls, credential_ids, approval,
         created_at, expires_at, status, isolation, current_url, closed_reason, ended_at)
       values ($1, 'acme', 'bob', $2, 'Log in', '{https://shop.example}', $3, 'auto', $4, $5, $6, $7, 'https://shop.example/', $8, $9)`,
      [
        id,
        status === 'paused' ? loggedIn : generated,
        [twin],
        at(-10),
        at(50),
        status,
        JSON.stringify(state().isolation),
        ...(isOver ? [status === 'closed' ? 'asked' : 'expired', at(-5)] : [null, null]),
      ],
    );
    await pool.query(
      `insert into vault.operation (id, session_id, token_id, operation, at, status, result, audit_id, duration_ms)
       values ($1, $2, $3, '{"operation_type":"extract","selector":"h1"}', $4, 'executed', '"Orders"', 'a-1', 3)`,
      [randomUUID(), id, generated, at(-9)],
    );
  }
  for (const [use, by] of [
    [place, 'log-in form'],
    [agreed, 'user:bob'],
  ] as const)
    await pool.query(
      `insert into vault.credential_use (id, credential_id, origin, path, method, field, allowed_by, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [randomUUID(), twin, use.origin, use.path, use.method, use.field, by, at(-8)],
    );
}

const tables = ['account', 'login_failure', 'token', 'credential', 'session', 'operation', 'credential_use'];
/** What the migrations say anew. */
const anew: Readonly<Record<string, string>> = {
  account: '{person,person_ended_at}',
  credential: '{fingerprint}',
  session: '{paused_by,opened_by}',
  operation: '{actor,agent_did,what_left}',
};
/** All rows of all tables, but that. */
const rowsOf = async (pool: Pool): Promise<Json> =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const { rows } = await pool.query(
          `select to_jsonb(t) - $1::text[] as row from vault.${table} t order by 1`,
          [anew[table] ?? '{}'],
        );
        return [table, rows];
      }),
    ),
  );

const enclave = await scriptedEnclave();
let vault: Awaited<ReturnType<typeof openVault>>;
let before: Json;
let token: string;
beforeAll(async () => {
  const url = await newDatabase();
  const pool = createPool(url, log);
  await fill(pool);
  before = await rowsOf(pool);
  await pool.end();
  // An enclave of the version before, which does not tell who paused.
  enclave.script['session.state'] = ({ sessionId }) => ({
    reply: {
      session: state({
        status: sessionId === sessions.paused ? 'paused' : 'active',
        currentUrl: 'https://shop.example/',
      }),
    },
  });
  vault = await openVault(enclave, [], url);
  token = (await vault.login()).data.access_token;
});
afterAll(async () => {
  await vault?.stop();
  rmSync(folder, { recursive: true });
});

const ask = (method: string, path: string, body?: unknown) =>
  vault.ask(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) });

test('what an earlier version kept stays, row by row, and is migrated once [system.storage.migrations-keep-rows]', async () => {
  const after = await rowsOf(vault.database);
  // But for the person who asks here.
  for (const [table, name] of [
    ['account', 'name'],
    ['token', 'account'],
  ] as const)
    after[table] = after[table].filter(({ row }: Json) => row[name] !== 'alice');
  expect(Object.fromEntries(tables.map((table) => [table, before[table].length]))).toEqual({
    account: 1,
    login_failure: 1,
    token: 2,
    credential: 3,
    session: 4,
    operation: 4,
    credential_use: 2,
  });
  expect(after).toEqual(before);
  expect(await migrate(vault.database, migrationsOf('vault'))).toEqual([]);
});

test('of credentials with equal plaintexts the fingerprints are no longer the same, nor what they were [system.storage.migrations-keep-rows]', async () => {
  const { items } = (await ask('GET', '/credentials')).data;
  const fingerprints = items.map(({ fingerprint }: Json) => fingerprint as string);
  expect(new Set([...fingerprints, old]).size).toBe(4);
  for (const one of fingerprints) expect(one).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
});

test('a session that was paused stays paused by nobody who is known, and is resumed as before; the others are as they were [system.storage.migrations-keep-rows]', async () => {
  const told = async (id: string) => (await ask('GET', `/sandbox/sessions/${id}`)).data;
  for (const [status, id] of Object.entries(sessions)) {
    expect(await told(id)).toMatchObject({ status, current_url: 'https://shop.example/' });
    expect(await told(id)).not.toHaveProperty('paused_by');
  }
  const path = `/sandbox/sessions/${sessions.paused}`;
  const click = { operation_type: 'click', selector: 'a' };
  expect(await ask('POST', `${path}/execute`, click)).toMatchObject(
    refused(400, 'invalid_request', expect.stringContaining('the session is paused: resume it first')),
  );
  enclave.script['session.resume'] = () => ({ reply: { session: state() } });
  expect(await ask('POST', `${path}/resume`)).toMatchObject({ status: 200, data: { status: 'active' } });
});

test('sessions that are open at the upgrade tell who opened them, and so keep acting for their agent [system.storage.migrations-keep-rows]', async () => {
  const openedBy = async (id: string) => (await ask('GET', `/sandbox/sessions/${id}`)).data.opened_by;
  expect(await openedBy(sessions.active)).toBe(`user:bob token:${generated}`);
  expect(await openedBy(sessions.paused)).toBe('user:bob');
  expect(await openedBy(sessions.closed)).toBeNull();
});

test('places are told with who allowed them, and a person who agrees counts for more than a log-in form, once [system.storage.migrations-keep-rows]', async () => {
  enclave.script['session.operate'] = ({ operationId }) => ({ reply: done(operationId) });
  const fill = { operation_type: 'fill', selector: '#p', value: '{{CREDENTIAL.password}}' };
  const path = `/sandbox/sessions/${sessions.active}/execute`;
  expect(await ask('POST', path, fill)).toMatchObject({ status: 200 });
  expect(enclave.asked('session.operate').at(-1)?.credential?.uses).toEqual([
    agreed,
    { ...place, as_login: true },
  ]);
  const learn = (where: typeof place | typeof agreed, allowedBy: string) =>
    insertUse(vault.database, twin, where, { allowedBy, at: at(1) });
  const allowed = async () =>
    (await ask('GET', `/credentials/${twin}/uses`)).data.items.map(({ allowed_by }: Json) => allowed_by);
  await learn(place, 'log-in form');
  expect(await allowed()).toEqual(['user:bob', 'log-in form']);
  await learn(place, 'user:carol');
  for (const by of ['log-in form', 'user:dave']) for (const where of [place, agreed]) await learn(where, by);
  expect(await allowed()).toEqual(['user:bob', 'user:carol']);
  await learn(place, 'user:carol');
  expect((await ask('GET', `/credentials/${twin}/uses`)).data.total).toBe(2);
});
