import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Engine } from '../apps/enclave/src/jail/engine/engine.ts';
import { findEngine } from '../apps/enclave/src/jail/engine/find.ts';
import { build, entry, isFresh } from '../cli/bin/build.js';
import { buildConsole, isConsoleFresh } from '../cli/bin/build-console.js';
import { managedPostgres } from '../packages/service/src/managed-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL of this run; a test file makes databases of its own in it. */
    databaseUrl: string;
    /** The bundle of the command. */
    program: string;
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
  const postgres = await managedPostgres({ dir, settings: ofTests });
  project.provide('databaseUrl', postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

/** Many systems at once, and none that is asked for what it kept when the machine lost its power. */
const ofTests = {
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};
