import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Connectors, lending, runOf, startConnectors } from '../../../test/connectors.ts';

let connectors: Connectors;
let url: string;
let password: string;
const client = new Client({ connectionString: inject('databaseUrl') });
const name = `connector_${process.pid}`;
beforeAll(async () => {
  connectors = await startConnectors({ keepsReady: 1 });
  await client.connect();
  await client.query(`create database ${name}`);
  url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
  ({ password } = new URL(url));
  const own = new Client({ connectionString: url });
  await own.connect();
  await own.query(
    `create table invoice (id int primary key, total numeric, paid bool, at timestamptz, detail jsonb)`,
  );
  await own.query(
    `insert into invoice values (1, 1234567890.123456789, false, '2026-01-02T03:04:05Z', '{"a":[1]}')`,
  );
  await own.end();
});
afterAll(async () => {
  await connectors.stop();
  await client.query(`drop database ${name} with (force)`);
  await client.end();
});

const definition = {
  actions: {
    find: {
      sql: 'select id, total, paid, detail from invoice where id = $1',
      params: ['id'],
      read_only: true,
    },
    sneaky: { sql: 'update invoice set paid = true', read_only: true },
    pay: { sql: 'update invoice set paid = true where id = $1 and total > $2', params: ['id', 'above'] },
    echo: { sql: `select $1::text as said`, params: ['said'], read_only: true },
    slow: { sql: 'select pg_sleep(60)', read_only: true },
    slowWrite: { sql: 'insert into invoice select 9 from pg_sleep(60)' },
    large: { sql: `select repeat('x', 1000) from generate_series(1, 100000)`, read_only: true },
    two: { sql: 'select 1; select 2' },
  },
};
const run = (
  action: string,
  params: Record<string, unknown> = {},
  credential: Parameters<typeof lending>[0] = url,
  timeoutMs = 20_000,
) =>
  connectors.run(
    runOf({ type: 'postgres', definition, action, params, timeoutMs, lend: lending(credential).lend }),
  );

test('an action is its statement with params, and answers rows: numbers that JSON cannot say stay text [control-plane.connector.postgres]', async () => {
  expect(await run('find', { id: 1 })).toMatchObject({
    ended: 'completed',
    data: {
      rows: [{ id: 1, total: '1234567890.123456789', paid: false, detail: { a: [1] } }],
      row_count: 1,
    },
  });
  expect(await run('pay', { id: '1', above: '0.5' })).toMatchObject({
    ended: 'completed',
    data: { rows: [], row_count: 1 },
  });
  expect(await run('find', { id: 1 })).toMatchObject({ data: { rows: [{ paid: true }] } });
});

test('a database_connection is a credential for it as well as a URL', async () => {
  const { hostname: host, port, username } = new URL(url);
  const credential = { host, port, database: name, username, password };
  expect(await run('find', { id: 1 }, credential)).toMatchObject({ ended: 'completed' });
  expect(await run('find', { id: 1 }, { username, password })).toMatchObject({
    problem: { code: 'credential_unusable' },
  });
});

test('params are values, never a part of the statement; those that do not fit are named', async () => {
  expect(await run('find', { id: '1; drop table invoice' })).toMatchObject({
    ended: 'failed',
    problem: { code: 'target_error' },
    data: { code: '22P02' },
  });
  expect(await run('find', {})).toMatchObject({
    problem: { code: 'invalid_params', message: 'params.id is missing.' },
  });
  expect(await run('find', { id: 1, more: 1 })).toMatchObject({ problem: { code: 'invalid_params' } });
});

test('what is declared to read changes nothing, and a statement is one statement', async () => {
  expect(await run('sneaky')).toMatchObject({ ended: 'failed', data: { code: '25006' } });
  expect(await run('two')).toMatchObject({ ended: 'failed', data: { code: '42601' } });
});

test('neither the password nor the URL of it comes back', async () => {
  const said = `${password} ${Buffer.from(password).toString('base64')} ${url}`;
  const end = await run('echo', { said });
  expect(end).toMatchObject({ ended: 'completed' });
  expect(JSON.stringify(end)).not.toContain(password);
});

test('a wrong password, a credential of another form, too much, no time left', async () => {
  const wrong = Object.assign(new URL(url), { password: 'wrong-password' }).href;
  expect(await run('find', { id: 1 }, wrong)).toMatchObject({ problem: { code: 'credential_unusable' } });
  expect(await run('find', { id: 1 }, 'sk-live-1')).toMatchObject({
    problem: { code: 'credential_unusable' },
  });
  expect(await run('large')).toMatchObject({ ended: 'failed', problem: { code: 'answer_too_large' } });
  expect(await run('slow', {}, url, 3000)).toMatchObject({ ended: 'failed' });
  const cut = await run('slowWrite', {}, url, 3000);
  // The database may say in time that it stopped: then nothing was done.
  expect(cut.ended === 'unknown' || ('data' in cut && cut.ended === 'failed')).toBe(true);
});
