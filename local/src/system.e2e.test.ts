import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { ConnectionCard } from './connection-card.ts';
import { startSystem } from './system.ts';

let dir: string;
const env = { PATH: process.env['PATH'], LOG_LEVEL: 'warn' };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'system-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const pool = createPool(url, createLogger('test', 'silent'), 1);
  const { rows } = await pool.query(statement);
  await pool.end();
  return rows;
}

test('with DATABASE_URL the records are there, and no database is started [system.storage.database-url]', async () => {
  await query(inject('databaseUrl'), 'create database given_to_the_system');
  const given = Object.assign(new URL(inject('databaseUrl')), { pathname: '/given_to_the_system' }).href;

  const system = await startSystem({
    dir,
    portBase: 0,
    env: { ...env, DATABASE_URL: given },
    only: ['accounts'],
  });
  const accounts = await query(given, 'select count(*)::int as count from dashboard.account');
  await system.stop();

  expect(system.card.databaseUrl).toBe(given);
  expect(existsSync(join(dir, 'postgres'))).toBe(false);
  expect(accounts).toEqual([{ count: 3 }]);
});

test('without it a managed PostgreSQL runs in the data directory [system.start.managed-postgresql]', async () => {
  const system = await startSystem({ dir, portBase: 0, env, only: ['database'] });
  const [row] = await query(
    String(system.card.databaseUrl),
    `select current_setting('data_directory') as place`,
  );
  await system.stop();

  expect(row).toEqual({ place: join(dir, 'postgres/data') });
});

test('wrong passwords for the vault’s user, before and while it starts again, stop neither the start nor who has the right one [system.start.vault-user-not-locked] [vault.login.rate-limit.random]', async () => {
  await query(inject('databaseUrl'), 'create database guessed_at');
  const given = Object.assign(new URL(inject('databaseUrl')), { pathname: '/guessed_at' }).href;
  const start = () =>
    startSystem({ dir, portBase: 0, env: { ...env, DATABASE_URL: given }, only: ['vault user'] });
  const login = async ({ vaultUrl, vaultUser }: ConnectionCard, wrong?: string) => {
    const body = JSON.stringify({ ...vaultUser, ...(wrong !== undefined && { password: wrong }) });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${vaultUrl}/api/v1/auth/login`, { method: 'POST', headers, body })).status;
  };
  const guess = (card: ConnectionCard) =>
    Promise.all(Array.from({ length: 60 }, (_, i) => login(card, `guess ${i}`)));

  const first = await start();
  const guesses = guess(first.card);
  expect(await login(first.card)).toBe(200);
  // The fifth of the five is the start's own, before there was such a user.
  expect((await guesses).filter((status) => status === 401)).toHaveLength(4);
  // Others from the same address, as many as close it for all who can be guessed.
  await query(
    given,
    `insert into vault.login_failure select 'n' || i, '127.0.0.1', now() from generate_series(1, 60) i`,
  );
  expect(await login(first.card, 'guess')).toBe(429);
  await first.stop();

  const second = await start();
  expect(await login(second.card, 'guess')).toBe(429);
  expect(await login(second.card)).toBe(200);
  await second.stop();
});

test('keys that were damaged are not replaced by new ones: accounts and money hang on them', async () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'keys.json'), '{"owner":"0x12"}');

  await expect(startSystem({ dir, portBase: 0, env, only: ['chain'] })).rejects.toThrow(
    `${join(dir, 'keys.json')} was damaged; put it right, or remove its directory to begin anew`,
  );
});
