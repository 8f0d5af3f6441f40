import type { Env } from '@countersign/service/config';
import { migrationsOf, type StorageConfig } from '@countersign/service/database';
import { sayWhy } from '@countersign/service/lifecycle';
import { checkMigrations, type MigrationState, readOnly } from '@countersign/service/migration-check';
import { type ServiceWithDatabase, storageOf } from '@countersign/service/service-databases';
import type { Queryable } from '@countersign/service/sql';

/** 0: nothing is pending; 1: something is; 3: the database cannot be used by this program, or does not tell. */
export type Told = { readonly code: 0 | 1 | 3; readonly text: string };

/** Returns what starting this program would do to a service's database. Only reads. */
export async function examine(service: ServiceWithDatabase, env: Env): Promise<Told> {
  const storage = storageOf(service, env);
  if (!storage.ok) return { code: 3, text: storage.error.join('; ') };
  try {
    const told = await readOnly(storage.value, async (db) => {
      const state = describe(await checkMigrations(db, migrationsOf(service)));
      return state.code === 3 || service !== 'control-plane' ? state : worse(state, await examineQueue(db));
    });
    return told ?? notRunning(storage.value);
  } catch (error) {
    return { code: 3, text: `the database does not answer: ${sayWhy(error)}` };
  }
}

function describe(state: MigrationState): Told {
  switch (state.kind) {
    case 'current':
      return { code: 0, text: `up to date (${state.applied} migrations)` };
    case 'pending':
      return { code: 1, text: `${pendingText(state)}${listed(state.names)}` };
    case 'newer':
      return {
        code: 3,
        text: `the database is newer than this program: upgrade the program. It does not know${listed(state.names)}`,
      };
    case 'changed':
      return {
        code: 3,
        text: `other migrations of these names were applied, so this program is not of the release that made the database${listed(state.names)}`,
      };
  }
}

const pendingText = ({ names, isEmpty }: { names: readonly string[]; isEmpty: boolean }): string =>
  isEmpty ? `no tables yet: the first start makes them (${names.length} pending)` : `${names.length} pending`;

const listed = (names: readonly string[]): string => names.map((name) => `\n  ${name}`).join('');

/** The queue's tables are its library's. A fresh database is told by the other migrations. */
async function examineQueue(db: Queryable): Promise<Told> {
  const { queueVersions } = await import('@countersign/control-plane/jobs-version');
  const { stored, needed } = await queueVersions(db);
  if (stored === null || stored === needed) return { code: 0, text: '' };
  return stored < needed
    ? { code: 1, text: `\n  job queue ${stored} to ${needed}` }
    : {
        code: 3,
        text: `\n  the job queue’s tables are newer (${stored}) than this program (${needed}): upgrade the program`,
      };
}

const worse = (one: Told, other: Told): Told => ({
  code: one.code > other.code ? one.code : other.code,
  text: other.code === 1 && one.code === 0 ? `1 pending${other.text}` : `${one.text}${other.text}`,
});

const notRunning = (storage: StorageConfig): Told => ({
  code: 3,
  text: `no private database runs in ${storage.kind === 'managed' ? storage.directory : ''}: check while the service of the old release still runs, or name DATABASE_URL`,
});
