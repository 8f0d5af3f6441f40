import type { Queryable } from '@countersign/service/sql';
import type { Jobs } from '../jobs.ts';
import type { StoredExecution } from './store.ts';

/** The jobs of executions that wait to be run. The state is the truth, a job only says that somebody should look. */
export const executionQueue = 'execution';

/**
 * In the transaction that makes it `pending`: some process will look at it, at once or at a time. `uncheckedSince` is when it
 * was first put off because its params could not be checked, in milliseconds since the epoch.
 */
export const enqueue = (
  db: Queryable,
  jobs: Pick<Jobs, 'add'>,
  { tenantId, id }: Pick<StoredExecution, 'tenantId' | 'id'>,
  { at, uncheckedSince }: { readonly at?: Date; readonly uncheckedSince?: string | undefined } = {},
): Promise<void> =>
  jobs.add(
    db,
    executionQueue,
    { tenantId, executionId: id, ...(uncheckedSince !== undefined && { uncheckedSince }) },
    at === undefined ? {} : { at },
  );
