import type { policyRoutes } from '@countersign/protocol/control/policy-routes';
import { ok } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import type { ControlHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import { createPolicy, noSuchPolicy, type PolicyParts } from './create.ts';
import { type Duties } from './decide.ts';
import { createDeciders } from './deciders.ts';
import { readParams } from './params.ts';
import { findPolicy, listNewest, listVersions, showPolicy } from './store.ts';

type PolicyHandlers = Pick<ControlHandlers, keyof typeof policyRoutes>;

/** Policies: versions that never change, signed by the enclave. */
export function policyHandlers(parts: PolicyParts): PolicyHandlers {
  const { pool } = parts;
  return {
    createPolicy: createPolicy(parts),
    explainPolicy: explainPolicy(pool),

    async listPolicies({ query, caller }) {
      const { items, total } = await listNewest(pool, caller.tenantId, query);
      return ok({ items: items.map(showPolicy), total });
    },

    async getPolicy({ params, query, caller }) {
      const id = params['policy_id'] ?? '';
      const policy = await findPolicy(pool, caller.tenantId, id, query.version ?? null);
      return policy === null ? noSuchPolicy : ok(showPolicy(policy));
    },

    async listPolicyVersions({ params, query, caller }) {
      const { items, total } = await listVersions(pool, caller.tenantId, params['policy_id'] ?? '', query);
      return total === 0 ? noSuchPolicy : ok({ items: items.map(showPolicy), total });
    },
  };
}

function explainPolicy(pool: Pool): PolicyHandlers['explainPolicy'] {
  const deciderOf = createDeciders();
  return async ({ params, body, caller }) => {
    const { user_id: userId, service, action, version = null } = body;
    const policy = await findPolicy(pool, caller.tenantId, params['policy_id'] ?? '', version);
    if (policy === null) return noSuchPolicy;
    const begin = performance.now();
    const read = readParams(body.params);
    if (!read.ok) return refusal('invalid_request', read.error);
    const said = deciderOf(policy)({ userId, service, action, params: read.value });
    const duration_ms = performance.now() - begin;
    return ok({
      policy_id: policy.policyId,
      policy_version: policy.version,
      verdict: said.verdict,
      mode: policy.mode,
      determining: [...said.determining],
      errors: [...said.errors],
      hitl: said.duties === null ? null : showDuties(said.duties),
      risk_tier: said.riskTier,
      duration_ms,
    });
  };
}

const showDuties = ({ approvers, quorum, timeoutSeconds }: Duties) => ({
  approvers: [...approvers],
  quorum,
  timeout_seconds: timeoutSeconds,
});
