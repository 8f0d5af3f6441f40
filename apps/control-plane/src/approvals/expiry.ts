import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { conclude, type EndParts } from '../executions/end.ts';
import { holdExecution, type StoredExecution } from '../executions/store.ts';
import type { Jobs } from '../jobs.ts';

const queue = 'approval-expiry';

/** Returns whether people had their time. */
export const isOver = ({ approvalExpiresAt }: StoredExecution, now: Date): boolean =>
  approvalExpiresAt !== null && approvalExpiresAt <= now;

/** Ends an execution that nobody decided in time. Call it in a transaction that holds the execution. */
export async function expire(parts: EndParts, db: Queryable, held: StoredExecution): Promise<void> {
  await conclude(parts, db, held, {
    status: 'expired',
    problem: { code: 'hitl_expired', message: 'no decision was made in time' },
    actor: 'control-plane',
  });
}

type ExpiryParts = EndParts & { readonly pool: Pool; readonly jobs: Jobs };
type Waiting = Pick<StoredExecution, 'tenantId' | 'id' | 'approvalExpiresAt'>;

/** Schedules the expiry check of an execution, in the transaction in which it starts to wait for people. */
export async function watchExpiry(
  jobs: Pick<Jobs, 'add'>,
  db: Queryable,
  { tenantId, id, approvalExpiresAt }: Waiting,
): Promise<void> {
  if (approvalExpiresAt === null) return;
  await jobs.add(db, queue, { tenantId, executionId: id }, { at: approvalExpiresAt });
}

/** From now on this process ends what nobody decided about. The state is the truth: a job only says that somebody should look. */
export async function startExpiry(parts: ExpiryParts): Promise<void> {
  const { pool, jobs, now } = parts;
  await jobs.work(queue, ({ tenantId = '', executionId = '' }) =>
    inTransaction(pool, async (db) => {
      const held = await holdExecution(db, tenantId, executionId);
      if (held?.status !== 'pending_hitl') return;
      // The database's clock woke us up, ours may be behind it.
      if (isOver(held, now())) await expire(parts, db, held);
      else await watchExpiry(jobs, db, held);
    }),
  );
}
