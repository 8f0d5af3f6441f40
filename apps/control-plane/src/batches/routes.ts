import { randomUUID } from 'node:crypto';
import type { batchRoutes } from '@countersign/protocol/control/batch-routes';
import { ok } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import { isNamed } from '../approvals/approvers.ts';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { parseCondition } from '../policy/cedar.ts';
import { noSuchPolicy } from '../policy/create.ts';
import { approversIn } from '../policy/decide.ts';
import { contentOf, findDeciding } from '../policy/store.ts';
import { refusal } from '../refusal.ts';
import {
  findBatch,
  insertBatch,
  listBatches,
  newBatch,
  revokeBatch,
  showBatch,
  type StoredBatch,
} from './store.ts';

export type BatchParts = { readonly pool: Pool; readonly enclave: Enclave; readonly now: () => Date };
type BatchHandlers = Pick<ControlHandlers, keyof typeof batchRoutes>;

const noSuchBatch = refusal('not_found', 'batch authorization not found');

/** Handles batch approvals. */
export function batchHandlers(parts: BatchParts): BatchHandlers {
  const { pool, enclave, now } = parts;
  return {
    createBatch: createBatch(parts),

    async listBatches({ query, caller }) {
      const { items, total } = await listBatches(pool, caller.tenantId, query);
      return ok({ items: items.map((batch) => showBatch(batch, now())), total });
    },

    async getBatch({ params: { id = '' }, caller }) {
      const batch = isUuid(id) ? await findBatch(pool, caller.tenantId, id) : null;
      return batch === null ? noSuchBatch : ok(showBatch(batch, now()));
    },

    async revokeBatch({ params: { id = '' }, caller }) {
      if (!isUuid(id)) return noSuchBatch;
      const { tenantId } = caller;
      const batch = await inTransaction(pool, async (db) => {
        const revoked = await revokeBatch(db, { tenantId, id }, now());
        if (revoked === null) return findBatch(db, tenantId, id);
        await ask(enclave, 'control.record', { draft: recordOf('batch_revoked', revoked, caller) });
        return revoked;
      });
      return batch === null ? noSuchBatch : ok(showBatch(batch, now()));
    },
  };
}

const createBatch =
  ({ pool, enclave, now }: BatchParts): BatchHandlers['createBatch'] =>
  async ({ body, caller }) => {
    const condition = typeof body.condition === 'string' ? parseCondition(body.condition) : null;
    if (condition?.ok === false) {
      const { line, column, message } = condition.error;
      const where = `condition: line ${line}, column ${column}`;
      return refusal('invalid_policy', `${where}: ${message}`, { line, column });
    }
    const createdAt = now();
    if (new Date(body.expires_at) <= createdAt)
      return refusal('invalid_request', 'expires_at: must be in the future');
    const policy = (await findDeciding(pool, caller.tenantId, body.policy_id))?.active ?? null;
    if (policy === null) return noSuchPolicy;
    if (!isNamed(approversIn(contentOf(policy)), { name: caller.name, wallet: null }))
      return refusal('not_an_approver', 'the policy does not name this key as an approver');
    const { tenantId, name: createdBy, keyId: createdByKey } = caller;
    const about = { id: randomUUID(), tenantId, policyVersion: policy.version, createdBy, createdByKey };
    const batch = newBatch(body, { ...about, createdAt });
    await inTransaction(pool, async (db) => {
      await insertBatch(db, batch);
      await ask(enclave, 'control.record', { draft: recordOf('batch_created', batch, caller) });
    });
    return ok(showBatch(batch, createdAt));
  };

const recordOf = (eventType: 'batch_created' | 'batch_revoked', batch: StoredBatch, caller: Caller) => ({
  eventType,
  tenantId: batch.tenantId,
  actor: actorOf(caller),
  detail: {
    batch_id: batch.id,
    policy_id: batch.policyId,
    policy_version: batch.policyVersion,
    user_id: batch.userId,
    service: batch.service,
    action: batch.action,
    condition: batch.condition,
    max_executions: batch.maxExecutions,
    used: batch.used,
    expires_at: batch.expiresAt.toISOString(),
  },
});
