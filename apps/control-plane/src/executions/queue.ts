import type { Queryable } from '@countersign/service/sql';
import type { Jobs } from '../jobs.ts';
import type { StoredExecution } from './store.ts';

/** The jobs of executions that wait to be run. The state is the truth, a job only says that somebody should look. */
export const executionQueue = 'execution';

/** In the transaction that makes it `pending`: some process will look at it, at once or at a time. */
export const enqueue = (
  db: Queryable,
  jobs: Pick<Jobs, 'add'>,
  { tenantId, id }: Pick<StoredExecution, 'tenantId' | 'id'>,
  at?: Date,
): Promise<void> =>
  jobs.add(db, executionQueue, { tenantId, executionId: id }, at === undefined ? {} : { at });
