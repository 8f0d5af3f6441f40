import type { Queryable } from '@countersign/service/sql';
import type { StoredConnector } from '../connectors/store.ts';
import { judge } from '../executions/judge.ts';
import type { createDeciders } from '../policy/deciders.ts';
import { readParams } from '../policy/params.ts';

/**
 * Why the check that follows a rotation would not be done at once, by its policy as it is now; null where it would, or none is named.
 * It is asked before the operation: once the service takes the new value alone, whoever uses the one before is refused until the check is done.
 */
export async function whyNoCheck(
  db: Queryable,
  deciderOf: ReturnType<typeof createDeciders>,
  connector: StoredConnector,
  userId: string,
): Promise<string | null> {
  const { tenantId, service, rotation } = connector;
  const action = rotation?.check_action;
  const params = readParams(rotation?.check_params ?? {});
  if (rotation === null || action === undefined || !params.ok) return null;
  const asked = { tenantId, policyId: rotation.policy_id, userId, service, action, params: params.value };
  const judged = await judge(db, deciderOf, asked, connector);
  if (judged === null) return null;
  const where = `rotation.check_action of the connector: ${action} under ${rotation.policy_id}`;
  if (judged.problem !== null) return `${where} would be denied: ${judged.problem.message}`;
  return judged.verdict.duties === null
    ? null
    : `${where} would wait for a person while the service may know the new value alone: let hitl.when name the operation only`;
}
