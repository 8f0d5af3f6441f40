import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { managedPostgres } from '@countersign/service/managed-postgres';
import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runCommand } from '../fixtures/command.ts';
import { copyOfDatabase, newDatabase } from '../fixtures/new-database.ts';

const check = (url: string, ...services: readonly string[]) =>
  runCommand(['migrate', '--check', ...services], { PATH: process.env['PATH'], DATABASE_URL: url });

async function ask(url: string, ...statements: readonly string[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const text of statements) ({ rows } = await client.query(text));
    return rows;
  } finally {
    await client.end();
  }
}

/** Everything that there is in a database, and what every table of migrations says. */
const contents = (url: string) =>
  ask(
    url,
    `select n.nspname, c.relname, pg_stat_get_tuples_inserted(c.oid) as rows from pg_class c
     join pg_namespace n on n.oid = c.relnamespace where n.nspname not like 'pg\\_%' order by 1, 2`,
  );

const emptyDatabase = async (): Promise<string> =>
  copyOfDatabase(Object.assign(new URL(inject('databaseUrl')), { pathname: '/template1' }).href);

test('an empty database waits for every migration, is told so and stays empty [system.migrate.check]', async () => {
  const url = await emptyDatabase();
  const before = await contents(url);
  const { status, stdout, stderr } = await check(url);
  expect([status, stderr]).toEqual([1, '']);
  for (const service of ['dashboard', 'vault', 'control-plane'])
    expect(stdout).toMatch(
      new RegExp(`^${service} +no tables yet: the first start makes them \\(\\d+ pending\\)$`, 'm'),
    );
  expect(stdout).toMatch(/^ {2}0001-accounts$/m);
  expect(await contents(url)).toEqual(before);
});

test('a database that is up to date is told so, and is not written to [system.migrate.check]', async () => {
  const url = await newDatabase();
  const before = await contents(url);
  const { status, stdout } = await check(url);
  expect(stdout).toMatch(
    /^dashboard +up to date \(\d+ migrations\)\nvault +up to date .*\ncontrol-plane +up to date .*\n$/,
  );
  expect(status).toBe(0);
  expect(await contents(url)).toEqual(before);
});

test('what one service waits for is listed, and others may be left out [system.migrate.check]', async () => {
  const url = await newDatabase();
  await ask(url, `delete from vault.schema_migration where name >= '0007'`);
  const { status, stdout } = await check(url);
  expect(status).toBe(1);
  expect(stdout).toContain(
    '5 pending\n  0007-fingerprints-by-credential\n  0008-what-left-and-who\n  0009-people-of-a-dashboard\n  0010-endings-are-forgotten\n  0011-replaced-values\n',
  );
  expect(await check(url, 'dashboard', 'control-plane')).toMatchObject({ status: 0 });
});

test('a database that a newer release or another text made is told apart from a pending one [system.migrate.newer]', async () => {
  const url = await newDatabase();
  await ask(
    url,
    `insert into dashboard.schema_migration (name, checksum) values ('9999-of-tomorrow.sql', 'x')`,
    `update vault.schema_migration set checksum = 'x' where name like '0003-%'`,
  );
  const { status, stdout } = await check(url);
  expect(status).toBe(3);
  expect(stdout).toMatch(
    /^dashboard +the database is newer than this program: upgrade the program\. It does not know\n {2}9999-of-tomorrow$/m,
  );
  expect(stdout).toMatch(
    /^vault +other migrations of these names were applied, .*\n {2}0003-browser-sessions$/m,
  );
  expect(stdout).toMatch(/^control-plane +up to date/m);
});

test('the tables of the control plane’s job queue count too [system.migrate.check] [system.migrate.newer]', async () => {
  const url = await newDatabase();
  const at = (version: number) =>
    ask(
      url,
      'create schema if not exists control_plane_jobs',
      'create table if not exists control_plane_jobs.version (version int)',
      'delete from control_plane_jobs.version',
      `insert into control_plane_jobs.version values (${version})`,
    );
  await at(40);
  const older = await check(url, 'control-plane');
  expect([older.status, older.stdout]).toEqual([
    1,
    expect.stringMatching(/^control-plane +1 pending\n {2}job queue 40 to \d+\n$/),
  ]);
  await at(9999);
  const newer = await check(url, 'control-plane');
  expect([newer.status, newer.stdout]).toEqual([
    3,
    expect.stringContaining('newer (9999) than this program'),
  ]);
});

test('a database that does not answer is told in one line, without its password [system.migrate.check]', async () => {
  const { status, stdout } = await check('postgres://user:hunter2@127.0.0.1:1/none', 'vault');
  expect(status).toBe(3);
  expect(stdout).toMatch(/^vault +the database does not answer: .*\n$/);
  expect(stdout).not.toContain('hunter2');
  expect(await check('mysql://x', 'vault')).toMatchObject({ status: 3 });
});

test('of a private database the server that runs is asked, and none is started [system.migrate.check]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'migrate-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], DASHBOARD_DATA_DIR: dir };
  const ofPrivate = () => runCommand(['migrate', '--check', 'dashboard'], env);
  expect(await ofPrivate()).toMatchObject({
    status: 3,
    stdout: expect.stringContaining(`no private database runs in ${dir}`),
  });
  const server = await managedPostgres({ dir });
  try {
    expect(await ofPrivate()).toMatchObject({ status: 1, stdout: expect.stringContaining('no tables yet') });
  } finally {
    await server.stop();
  }
});

test('doctor tells of each service that is set whether its database fits the program [system.doctor.databases]', async () => {
  const url = await newDatabase();
  await ask(url, `insert into vault.schema_migration (name, checksum) values ('9999-of-tomorrow.sql', 'x')`);
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, DASHBOARD_PORT: '1', VAULT_PORT: '2' };
  const { status, stdout } = await runCommand(['doctor', '--port-base', '0'], env);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^ok {4}dashboard: its database: up to date/m);
  expect(stdout).toMatch(
    /^BAD {3}vault: its database: the database is newer than this program: .*9999-of-tomorrow$/m,
  );
  expect(stdout).not.toContain('control-plane:');
});

test('without --check, and with a word that is no service, nothing is done [system.migrate.check]', async () => {
  for (const words of [[], ['--check', 'gateway'], ['--apply']])
    expect(await runCommand(['migrate', ...words])).toMatchObject({ status: 2, stdout: '' });
});
