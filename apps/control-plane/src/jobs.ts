import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, PgBoss } from 'pg-boss';
import type { Logger } from '@countersign/service/logger';
import type { Pool, Queryable } from '@countersign/service/sql';
import type { Signals } from './signals.ts';

/** Durable work: a job is done at least once, by whichever process, however many die meanwhile. */
export type Jobs = {
  /** Adds a job in the transaction of `db`: the job exists exactly if that commits. */
  readonly add: (db: Queryable, queue: string, data: JobData, when?: { readonly at?: Date }) => Promise<void>;
  /** From now on does the jobs of a queue. A handler that throws is called again. */
  readonly work: (queue: string, handler: Handler) => Promise<void>;
  /**
   * As `work`, so many at a time, each as soon as it is added; for jobs of up to `maxSeconds`. The job of a process that
   * died is taken up after about 12 s.
   */
  readonly workPromptly: (
    queue: string,
    { concurrency, maxSeconds }: { readonly concurrency: number; readonly maxSeconds: number },
    handler: Handler,
  ) => Promise<void>;
  /** Finishes what is at work, for 8 s. */
  readonly stop: () => Promise<void>;
};

/** A job's payload: ids only. */
export type JobData = Readonly<Record<string, string>>;
type Handler = (data: JobData) => Promise<void>;

export const schema = 'control_plane_jobs';
const patienceMs = 8_000;
/** Longest that a job may take; then its process is taken for dead, and another does it. */
const expireInSeconds = 30;
/** A process that did not say for so long that it works on a job is taken for dead: the shortest that there is. */
const heartbeatSeconds = 10;
/**
 * Polling intervals in seconds. One worker polls often and wakes the others, which poll rarely in case it is
 * stuck.
 */
const lookingOut: readonly number[] = [0.5, ...Array.from({ length: 7 }, () => 15)];
const retries = { retryLimit: 1000, retryDelay: 1, deleteAfterSeconds: 3600 };

/** Opens the queue in the database of `pool`, with its tables. */
export async function openJobs(pool: Pool, signals: Signals, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    db: databaseOf(pool),
    schema,
    monitorIntervalSeconds: 2,
    superviseIntervalSeconds: 2,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed for a moment'));
  await boss.start();
  const queues = new Set<string>();
  const prompt = new Set<string>();
  /** Starts one worker for each interval. Returns a function that has all of them poll now. */
  const startWorkers = async (queue: string, intervals: readonly number[], handler: Handler) => {
    const workers: string[] = [];
    const look = () => {
      for (const id of workers) boss.notifyWorker(id);
    };
    // Each is a worker of its own, since pg-boss wakes up only the first of those that it makes together.
    for (const pollingIntervalSeconds of intervals) {
      const id = await boss.work(queue, { pollingIntervalSeconds }, async ([job]) => {
        // Where one job is there may be more: looked for as soon as this one is done, and by all, not after the interval.
        look();
        if (job !== undefined) await handler(job.data as JobData);
      });
      workers.push(id);
    }
    return look;
  };
  return {
    add: async (db, queue, data, { at } = {}) => {
      await boss.send(queue, data, {
        db: databaseOf(db),
        ...(at !== undefined && { startAfter: at }),
      });
      if (at === undefined && prompt.has(queue)) await signals.tell(db, queue);
    },
    work: async (queue, handler) => {
      await boss.createQueue(queue, { expireInSeconds, ...retries });
      queues.add(queue);
      await startWorkers(queue, lookingOut, handler);
    },
    workPromptly: async (queue, { concurrency, maxSeconds }, handler) => {
      await boss.createQueue(queue, { expireInSeconds: maxSeconds, heartbeatSeconds, ...retries });
      queues.add(queue);
      prompt.add(queue);
      const look = await startWorkers(
        queue,
        Array.from({ length: concurrency }, () => 1),
        handler,
      );
      signals.on((signal) => {
        if (signal === queue || signal === null) look();
      });
    },
    stop: async () => {
      // Told to wait by itself, pg-boss looks only every half a second whether all is done.
      const done = Promise.all([...queues].map((queue) => boss.offWork(queue, { wait: true })));
      await Promise.race([done, sleep(patienceMs, null, { ref: false })]);
      await boss.stop({ graceful: false, close: false });
    },
  };
}

/** A connection, as the queue uses it. */
export const databaseOf = (db: Queryable): Db => ({
  executeSql: (text, values = []) => db.query(text, values),
});
