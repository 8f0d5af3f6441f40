import { randomUUID } from 'node:crypto';
import type { NewPolicy } from '@countersign/protocol/control/policy-routes';
import { ok, type Result } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { connectedServices } from '../connectors/store.ts';
import { ask, type Enclave } from '../enclave.ts';
import { approverNames } from '../keys/store.ts';
import { type Answer, illegible, type Refusal, refusal } from '../refusal.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type CedarProblem, parseCondition, parsePolicies, type Statement } from './cedar.ts';
import { type Surroundings, whyUnsatisfiable } from './satisfiable.ts';
import { contentOf, findPolicy, holdPolicy, insertPolicy, showPolicy, type StoredPolicy } from './store.ts';

export type PolicyParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly now: () => Date;
};

export const noSuchPolicy = refusal('not_found', 'policy not found');

/** Stores the next version of a policy, the first one where there was none, checked and signed by the enclave, which has recorded it by then. */
export const createPolicy =
  ({ pool, enclave, webhooks, now }: PolicyParts): ControlHandlers['createPolicy'] =>
  async ({ body, caller }) => {
    const cedar = checked(body);
    if (!cedar.ok) return cedar;
    const said = { ...body, cedar: cedar.value.canonical };
    return inTransaction(pool, async (db): Promise<Answer<ReturnType<typeof showPolicy>>> => {
      const around = await surroundingsOf(db, caller.tenantId);
      const why = whyUnsatisfiable(cedar.value.statements, body.hitl ?? null, around);
      if (why !== null) return refusal('unsatisfiable_policy', why);
      const policyId = body.policy_id ?? randomUUID();
      await holdPolicy(db, caller.tenantId, policyId);
      const before = await findPolicy(db, caller.tenantId, policyId, null);
      const unseen = before === null ? illegible('policy_id', policyId) : null;
      if (unseen !== null) return unseen;
      const draft = nextVersion(said, { policyId, version: (before?.version ?? 0) + 1 }, caller, now());
      const policy = { ...draft, ...(await signed(enclave, draft, caller)) };
      await insertPolicy(db, policy);
      const { tenantId, version: policy_version, mode, digest } = policy;
      const data = { policy_id: policyId, policy_version, mode, digest };
      await webhooks.emit(db, { type: 'policy.created', tenantId, data });
      return ok(showPolicy(policy));
    });
  };

/** The policy in its canonical form, apart by statement. */
function checked(body: NewPolicy): Result<Parsed, Refusal> {
  const parsed = parsePolicies(body.cedar, body.schema ?? null);
  if (!parsed.ok) return invalid('cedar', parsed.error);
  const when = body.hitl?.when;
  const condition = when === undefined ? null : parseCondition(when);
  return condition?.ok === false ? invalid('hitl.when', condition.error) : ok(parsed.value);
}

const invalid = (field: string, { message, line, column }: CedarProblem) =>
  refusal('invalid_policy', `${field}: line ${line}, column ${column}: ${message}`, { line, column });

type Parsed = { readonly canonical: string; readonly statements: readonly Statement[] };

/** Whom the tenant can ask, and which services it has. */
async function surroundingsOf(db: Queryable, tenantId: string): Promise<Surroundings> {
  const approvers = await approverNames(db, tenantId);
  const services = await connectedServices(db, tenantId);
  return { approvers: new Set(approvers), services: new Set(services) };
}

type Draft = Omit<StoredPolicy, 'digest' | 'signature'>;

const nextVersion = (
  { name, mode, cedar, schema, hitl }: NewPolicy,
  which: { readonly policyId: string; readonly version: number },
  caller: Caller,
  createdAt: Date,
): Draft => ({
  ...which,
  tenantId: caller.tenantId,
  name,
  mode,
  cedar,
  schema: schema ?? null,
  hitl: hitl ?? null,
  createdBy: caller.name,
  createdAt,
});

async function signed(enclave: Enclave, draft: Draft, caller: Caller) {
  const content = contentOf(draft);
  const { digest, signature } = await ask(enclave, 'control.policy', { content, actor: actorOf(caller) });
  return { digest, signature };
}
