import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { createLogger } from './logger.ts';
import { createPool, firstRow, inTransaction, migrate, type Pool, rows, statement } from './sql.ts';

const log = createLogger('test', 'silent');

let pool: Pool;
let url: string;
let directory: string;

beforeEach(async () => {
  const name = `sql_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
  pool = createPool(url, log);
  directory = mkdtempSync(join(tmpdir(), 'migrations-'));
  onTestFinished(async () => {
    await pool.end();
    rmSync(directory, { recursive: true });
  });
});

const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
const run = () => migrate(pool, { schema: 'app', directory });

test('migrations are applied once, in the order of their numbers, together with what they need', async () => {
  write('0002-fill.sql', 'insert into app.thing values (1); insert into app.thing values (2);');
  write('0001-thing.sql', 'create table app.thing (id bigint);');
  write('notes.txt', 'not a migration');
  expect(await run()).toEqual(['0001-thing.sql', '0002-fill.sql']);
  expect(await run()).toEqual([]);
  expect(await rows(pool, statement('t1', 'select id from app.thing order by id'), [])).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
});

test('of many processes at once each migration is applied by one [system.storage.migrations-locked]', async () => {
  write('0001-thing.sql', 'create table app.thing (id bigint); select pg_sleep(0.05);');
  write('0002-fill.sql', 'insert into app.thing values (1);');
  const pools = Array.from({ length: 6 }, () => createPool(url, log, 1));
  const applied = await Promise.all(pools.map((other) => migrate(other, { schema: 'app', directory })));
  await Promise.all(pools.map((other) => other.end()));
  expect(applied.flat().sort()).toEqual(['0001-thing.sql', '0002-fill.sql']);
});

/** What a log is warned of. */
function warnings() {
  const told: unknown[] = [];
  const heard = { warn: (about: unknown) => void told.push(about) } as Pick<typeof log, 'warn'>;
  return { told, heard };
}
const connected = async () => {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

test('a migration in a deadlock with a process that works is tried again, and told once [system.storage.migrations-among-others]', async () => {
  write(
    '0001-things.sql',
    'create table app.a (n int); create table app.b (n int); insert into app.a values (1);',
  );
  await run();
  const [old, watcher] = [await connected(), await connected()];
  // Of the two the migration is the one that PostgreSQL ends.
  await watcher.query(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '3s'`);
  await old.query(`begin; set local deadlock_timeout = '1h'; lock table app.b in row exclusive mode`);
  write('0002-both.sql', 'alter table app.a add column m int; alter table app.b add column m int;');
  const { told, heard } = warnings();
  const other = createPool(url, log, 1);
  const migrated = migrate(other, { schema: 'app', directory }, heard);
  const isWaiting = `select from pg_locks where relation = 'app.b'::regclass and not granted`;
  while ((await watcher.query(isWaiting)).rowCount === 0) await Promise.resolve();
  // It has the one and waits for the other; we the other way round.
  await old.query('update app.a set n = 2');
  await old.query('commit');
  expect(await migrated).toEqual(['0002-both.sql']);
  await other.end();
  expect(told).toEqual([
    { migration: '0002-both.sql', why: expect.stringMatching(/deadlock|lock timeout/), tries: 5 },
  ]);
  expect((await watcher.query('select n, m from app.a')).rows).toEqual([{ n: 2, m: null }]);
});

test('a migration whose table somebody holds on to fails after five tries, by its name [system.storage.migrations-among-others]', async () => {
  write('0001-things.sql', 'create table app.a (n int); create sequence app.tries;');
  await run();
  const holder = await connected();
  await holder.query('begin; lock table app.a');
  write(
    '0002-held.sql',
    `select nextval('app.tries'); set local lock_timeout = '20ms'; alter table app.a add column m int;`,
  );
  const { told, heard } = warnings();
  await expect(migrate(pool, { schema: 'app', directory }, heard)).rejects.toThrow(
    '0002-held.sql failed: canceling statement due to lock timeout',
  );
  expect((await holder.query('select last_value::int as tries from app.tries')).rows).toEqual([{ tries: 5 }]);
  expect(told).toHaveLength(1);
  await holder.query('rollback');
  expect(await run()).toEqual(['0002-held.sql']);
});

test('a migration that fails leaves nothing behind, and the next attempt starts with it', async () => {
  write('0001-thing.sql', 'create table app.thing (id bigint);');
  write('0002-bad.sql', 'insert into app.thing values (1); select nonsense;');
  await expect(run()).rejects.toThrow(/0002-bad\.sql failed: column "nonsense" does not exist/);
  expect(await firstRow(pool, statement('t2', 'select id from app.thing'), [])).toBeNull();
  write('0002-bad.sql', 'insert into app.thing values (1);');
  expect(await run()).toEqual(['0002-bad.sql']);
});

test('a migration that has changed or gone since it was applied stops the start [system.storage.migrations-forward-only]', async () => {
  write('0001-thing.sql', 'create table app.thing (id bigint);');
  await run();
  write('0001-thing.sql', 'create table app.thing (id text);');
  await expect(run()).rejects.toThrow('0001-thing.sql has changed');
  rmSync(join(directory, '0001-thing.sql'));
  await expect(run()).rejects.toThrow('this version does not know it');
});

test('money stays text, counters are numbers', async () => {
  const found = await firstRow(
    pool,
    statement(
      't3',
      `select 12345678901234567.000000000000000001::numeric(36, 18) as money, 5::bigint as counter`,
    ),
    [],
  );
  expect(found).toEqual({ money: '12345678901234567.000000000000000001', counter: 5 });
});

test('a transaction that throws leaves nothing, and the connection stays good', async () => {
  write('0001-thing.sql', 'create table app.thing (id bigint primary key);');
  await run();
  const insert = statement('t4', 'insert into app.thing values ($1)');
  const attempt = inTransaction(pool, async (db) => {
    await rows(db, insert, [1]);
    await rows(db, insert, [1]);
  });
  await expect(attempt).rejects.toThrow('duplicate key');
  expect(
    await inTransaction(pool, (db) => firstRow(db, statement('t5', 'select id from app.thing'), [])),
  ).toBeNull();
});

test('a lost connection is an error of that query, and the next one works', async () => {
  const sleep = rows(pool, statement('t6', 'select pg_sleep(30)'), []);
  const ended = sleep.then(
    () => 'slept',
    () => 'killed',
  );
  const others = `select count(pg_terminate_backend(pid)) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(30)%' and state = 'active'`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await expect.poll(async () => (await client.query(others)).rows[0].count).toBe('1');
  await client.end();
  expect(await ended).toBe('killed');
  expect(await firstRow(pool, statement('t7', 'select 1 as one'), [])).toEqual({ one: 1 });
});

test('a connection lost between two statements of a transaction is an error of that transaction alone', async () => {
  const me = statement<{ pid: number }>('t8', 'select pg_backend_pid() as pid');
  const attempt = inTransaction(pool, async (db) => {
    const pid = (await firstRow(db, me, []))?.pid;
    await pool.query('select pg_terminate_backend($1)', [pid]);
    const living = () => pool.query('select 1 from pg_stat_activity where pid = $1', [pid]);
    await expect.poll(async () => (await living()).rowCount).toBe(0);
    return firstRow(db, me, []);
  });
  await expect(attempt).rejects.toThrow(/terminat|not queryable|Connection/);
  expect(await firstRow(pool, me, [])).toEqual({ pid: expect.any(Number) });
});
