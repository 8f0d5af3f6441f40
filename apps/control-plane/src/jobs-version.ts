import type { Queryable } from '@countersign/service/sql';
import { getConstructionPlans, PgBoss } from 'pg-boss';
import { databaseOf, schema } from './jobs.ts';

/** Versions of the job queue's own tables: what the database has, null where it has none, and what this program needs. */
export async function queueVersions(
  db: Queryable,
): Promise<{ readonly stored: number | null; readonly needed: number }> {
  const boss = new PgBoss({ db: databaseOf(db), schema });
  const stored = (await boss.isInstalled()) ? await boss.schemaVersion() : null;
  // The package tells it nowhere else.
  const needed = /\.version\(version\) VALUES \('(\d+)'\)/.exec(getConstructionPlans(schema))?.[1];
  if (needed === undefined) throw new Error('pg-boss does not say which version its tables have');
  return { stored, needed: Number(needed) };
}
