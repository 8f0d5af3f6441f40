import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Engine } from '../apps/enclave/src/launcher/engine/engine.ts';
import { findEngine } from '../apps/enclave/src/launcher/engine/find.ts';
import { build, buildBeside, entry, isFresh } from '../cli/bin/build.js';
import { buildConsole, isConsoleFresh } from '../cli/bin/build-console.js';
import { openDatabase } from '../packages/service/src/database.ts';
import { createLogger } from '../packages/service/src/logger.ts';
import { managedPostgres } from '../packages/service/src/managed-postgres.ts';
import { createPool } from '../packages/service/src/sql.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL of this run; a test file makes databases of its own in it. */
    databaseUrl: string;
    /** A database of that server with the tables of every app and no rows: a copy of it takes a tenth of what the migrations take. */
    migrated: string;
    /** A folder for what a worker's files share; it goes when the run ends. */
    scratch: string;
    /** The bundle of the command. */
    program: string;
    /** The bundle of a process in which a worker's tests have their gateways. */
    manyGateways: string;
    /** The Chromium that sessions get too: the system's, else the one from npm. */
    chromium: Pick<Engine, 'kind' | 'path' | 'env'>;
  }
}

/** What the tests of real parts share: the bundle of the command, the console, a browser, and one database server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!isFresh()) await build();
  if (!isConsoleFresh()) await buildConsole();
  const engine = await findEngine(null);
  if (!engine.ok) throw new Error(engine.error);
  const { kind, path, env } = engine.value;
  project.provide('program', entry);
  project.provide('chromium', { kind, path, env });
  const dir = mkdtempSync(join(tmpdir(), 'countersign-tests-'));
  project.provide('scratch', dir);
  const manyGateways = await buildBeside(
    join(import.meta.dirname, 'many-gateways.ts'),
    `many-gateways-${process.pid}.js`,
  );
  project.provide('manyGateways', manyGateways);
  const postgres = await managedPostgres({ dir, settings: ofTests });
  project.provide('databaseUrl', postgres.url);
  project.provide('migrated', await migratedDatabase(postgres.url));
  return async () => {
    await postgres.stop();
    for (const file of [manyGateways, `${manyGateways}.map`]) rmSync(file);
    // Services that die with their worker may be writing their last line.
    rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** Many systems at once, and none that is asked for what it kept when the machine lost its power. */
const ofTests = {
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};

async function migratedDatabase(server: string): Promise<string> {
  const name = 'migrated';
  const log = createLogger('setup', 'error');
  const pool = createPool(server, log, 1);
  await pool.query(`create database ${name}`);
  await pool.end();
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  for (const app of ['dashboard', 'vault', 'control-plane', 'gateway'])
    await (await openDatabase({ kind: 'given', url }, app, log)).close();
  return name;
}
