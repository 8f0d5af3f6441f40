import type { Execution, executionRoutes } from '@countersign/protocol/control/execution-routes';
import { ok } from '@countersign/protocol/result';
import { inTransaction } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import { actorOf, type ControlHandlers } from '../callers.ts';
import { type Answer, refusal } from '../refusal.ts';
import { type CreateParts, createExecution } from './create.ts';
import { conclude } from './end.ts';
import { before } from './life.ts';
import { showExecution } from './show.ts';
import { listExecutions } from './list.ts';
import { decisionsOf, findExecution, holdExecution } from './store.ts';

type ExecutionHandlers = Pick<ControlHandlers, keyof typeof executionRoutes>;

export const noSuchExecution = refusal('not_found', 'execution not found');

/** Executions: asked for, looked at, and cancelled as long as they do not run. */
export function executionHandlers(parts: CreateParts): ExecutionHandlers {
  const { pool, sealing, show } = parts;
  return {
    createExecution: createExecution(parts),

    async listExecutions({ query, caller }) {
      const { items, total } = await listExecutions(pool, caller.tenantId, query);
      const decisions = await decisionsOf(
        pool,
        items.map(({ id }) => id),
      );
      return ok({ items: items.map((one) => showExecution(one, decisions.get(one.id) ?? [])), total });
    },

    async getExecution({ params: { execution_id: id = '' }, caller }) {
      const execution = isUuid(id) ? await findExecution(pool, caller.tenantId, id) : null;
      if (execution === null) return noSuchExecution;
      const params = await sealing.open(execution, 'params', execution.params);
      return ok({ ...(await show(pool, execution)), params: JSON.parse(params) as unknown });
    },

    async cancelExecution({ params: { execution_id: id = '' }, caller }) {
      if (!isUuid(id)) return noSuchExecution;
      return inTransaction(pool, async (db): Promise<Answer<Execution>> => {
        const held = await holdExecution(db, caller.tenantId, id);
        if (held === null) return noSuchExecution;
        if (!before('cancelled').includes(held.status)) return tooLate(held.status);
        const cancelled = await conclude(parts, db, held, { ...asCancelled, actor: actorOf(caller) });
        return cancelled === null ? tooLate(held.status) : ok(await show(db, cancelled));
      });
    },
  };
}

const asCancelled = {
  status: 'cancelled',
  problem: { code: 'cancelled', message: 'it was cancelled before it ran' },
} as const;

const tooLate = (status: string) =>
  refusal('conflict', `it is ${status}: only an execution that is not running yet can be cancelled`);
