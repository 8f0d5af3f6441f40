import { type Db, PgBoss } from 'pg-boss';
import type { Logger } from '@countersign/service/logger';
import type { Pool, Queryable } from '@countersign/service/sql';

/** Durable work: a job is done at least once, by whichever process, however many die meanwhile. */
export type Jobs = {
  /** In the transaction of `db`: the job is there exactly when that is committed. `group`: of one, few run at a time. */
  readonly add: (
    db: Queryable,
    queue: string,
    data: JobData,
    when?: { readonly at?: Date; readonly group?: string },
  ) => Promise<void>;
  /** From now on does the jobs of a queue. A handler that throws is called again. */
  readonly work: (queue: string, handler: (data: JobData) => Promise<void>) => Promise<void>;
  /** Finishes what is at work, for 8 s. */
  readonly stop: () => Promise<void>;
};

/** What a job is about: ids. */
export type JobData = Readonly<Record<string, string>>;

const schema = 'control_plane_jobs';
const patienceMs = 8_000;
/** Longest that a job may take; then its process is taken for dead, and another does it. */
const expireInSeconds = 30;

/** Opens the queue in the database of `pool`, with its tables. */
export async function openJobs(pool: Pool, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: databaseOf(pool),
    schema,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed for a moment'));
  await boss.start();
  return {
    add: async (db, queue, data, { at, group } = {}) => {
      await boss.send(queue, data, {
        db: databaseOf(db),
        ...(at !== undefined && { startAfter: at }),
        ...(group !== undefined && { group: { id: group } }),
      });
    },
    work: async (queue, handler) => {
      await boss.createQueue(queue, {
        expireInSeconds,
        retryLimit: 1000,
        retryDelay: 1,
        deleteAfterSeconds: 3600,
      });
      const options = { localConcurrency: 8, localGroupConcurrency: 2, pollingIntervalSeconds: 0.5 };
      await boss.work(queue, options, async ([job]) => {
        if (job !== undefined) await handler(job.data as JobData);
      });
    },
    stop: () => boss.stop({ graceful: true, timeout: patienceMs, close: false }),
  };
}

const databaseOf = (db: Queryable): Db => ({
  executeSql: (text, values = []) => db.query(text, values),
});
