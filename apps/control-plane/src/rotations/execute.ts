import { canonicalText } from '@countersign/audit-log/chain';
import { createHash } from 'node:crypto';
import type { Queryable } from '@countersign/service/sql';
import type { StoredConnector } from '../connectors/store.ts';
import { type CreateParts, makeIn } from '../executions/create.ts';
import { readParams } from '../policy/params.ts';
import type { StoredRotation } from './store.ts';

type What = { readonly action: string; readonly params: Record<string, unknown> };

/**
 * In a transaction: has an action done for a rotation, under the policy that its connector names, as an execution of this id. False
 * where the policy or the connector is there no more, or no policy can read the params.
 */
export async function executeFor(
  parts: CreateParts,
  db: Queryable,
  {
    tenantId,
    createdBy,
    createdByKey,
    id: rotationId,
  }: Pick<StoredRotation, 'tenantId' | 'createdBy' | 'createdByKey' | 'id'>,
  { service, rotation }: StoredConnector,
  { id, action, params: asked }: What & { readonly id: string },
): Promise<boolean> {
  const params = readParams(asked);
  if (rotation === null || !params.ok) return false;
  const body = {
    policy_id: rotation.policy_id,
    user_id: createdBy,
    service,
    action,
    params: asked,
    mode: 'async' as const,
    timeout_seconds: 30,
  };
  const caller = { tenantId, keyId: createdByKey, name: createdBy, role: 'admin' as const };
  const fingerprint = createHash('sha256').update(canonicalText(body)).digest();
  const idempotencyKey = `rotation ${rotationId} ${id}`;
  const what = { body, params: params.value, caller, fingerprint, idempotencyKey };
  const made = await makeIn(parts, db, what, { kind: 'rotation', id });
  return made?.ok === true && made.value !== null;
}
