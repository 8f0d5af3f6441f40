import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import type { Queryable } from '@countersign/service/sql';
import { findCredential } from '../credentials/store.ts';
import type { StoredConnector } from '../connectors/store.ts';
import type { Verdict } from '../policy/decide.ts';
import type { createDeciders } from '../policy/deciders.ts';
import type { CedarValue } from '../policy/params.ts';
import { findDeciding, findPolicy, type StoredPolicy } from '../policy/store.ts';
import type { StoredExecution } from './store.ts';

type Deciders = ReturnType<typeof createDeciders>;

export type Asked = {
  readonly tenantId: string;
  readonly policyId: string;
  readonly userId: string;
  readonly service: string;
  readonly action: string;
  /** The params as policies see them. */
  readonly params: CedarValue;
};

/** A policy's judgement of a request. */
export type Judgement = {
  /** The version that decided; where none is active, the newest. */
  readonly policy: StoredPolicy;
  readonly verdict: Verdict;
  /** Null where it may go on. */
  readonly problem: ExecutionProblem | null;
  /** The verdicts of newer versions that are `log_only`. */
  readonly beside: readonly { readonly version: number; readonly verdict: Verdict }[];
};

const denied = (message: string): ExecutionProblem => ({ code: 'policy_denied', message });
const notPermitted = denied('the policy does not permit this');
const notEvaluated: ExecutionProblem = {
  code: 'policy_error',
  message: 'a statement of the policy could not be evaluated, so the request is denied',
};
const bindsAnother = denied('the connector’s credential is bound to another policy');
const nothing: Verdict = { verdict: 'deny', determining: [], errors: [], duties: null, riskTier: null };

/** Judges by the newest active version; null when there is no such policy. */
export async function judge(
  db: Queryable,
  deciderOf: Deciders,
  asked: Asked,
  connector: StoredConnector,
): Promise<Judgement | null> {
  const found = await findDeciding(db, asked.tenantId, asked.policyId);
  if (found === null) return null;
  const beside = found.beside.map((policy) => ({
    version: policy.version,
    verdict: deciderOf(policy)(asked),
  }));
  const policy = found.active ?? found.beside.at(-1);
  if (policy === undefined) return null;
  if (found.active === null)
    return { policy, verdict: nothing, problem: denied('no version of the policy is active'), beside };
  const verdict = deciderOf(found.active)(asked);
  const problem = problemOf(verdict) ?? (await bindingProblem(db, asked, connector));
  return { policy, verdict, problem, beside };
}

/**
 * Judges once more, just before it runs: by the version under which it was asked for, and by the newest active one. A denial
 * of either wins, and so does a version that asks for a person where nobody was asked.
 */
export async function judgeAgain(
  db: Queryable,
  deciderOf: Deciders,
  execution: StoredExecution,
  { params, connector }: { readonly params: CedarValue; readonly connector: StoredConnector },
): Promise<ExecutionProblem | null> {
  const { tenantId, policyId, policyVersion } = execution;
  const asked = { ...execution, params };
  const pinned = await findPolicy(db, tenantId, policyId, policyVersion);
  const newest = await judge(db, deciderOf, asked, connector);
  if (pinned === null || newest === null) return notPermitted;
  const confirmed = wasConfirmed(execution);
  return (
    problemOf(deciderOf(pinned)(asked), confirmed) ?? newest.problem ?? problemOf(newest.verdict, confirmed)
  );
}

/** Returns whether people have agreed; one that waits to be run was either agreed to, or nobody was asked. */
export const wasConfirmed = ({ quorum, batchId }: Pick<StoredExecution, 'quorum' | 'batchId'>): boolean =>
  quorum !== null || batchId !== null;

function problemOf({ verdict, errors }: Verdict, confirmed = true): ExecutionProblem | null {
  if (errors.length > 0) return notEvaluated;
  if (verdict === 'deny') return notPermitted;
  return verdict === 'pending_hitl' && !confirmed ? denied('the policy now requires approval') : null;
}

async function bindingProblem(
  db: Queryable,
  { tenantId, policyId }: Asked,
  { credentialId }: StoredConnector,
) {
  if (credentialId === null) return null;
  const credential = await findCredential(db, tenantId, credentialId);
  const bound = credential?.policyId ?? null;
  return bound === null || bound === policyId ? null : bindsAnother;
}
