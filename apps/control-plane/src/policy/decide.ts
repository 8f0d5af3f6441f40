import type { PolicyContent } from '@countersign/protocol/control/policy';
import {
  type CedarRequest,
  type Evaluate,
  parseCondition,
  parsePolicies,
  prepare,
  type Statement,
} from './cedar.ts';

/** The approvals that a policy requires before something runs. */
export type Duties = {
  readonly approvers: readonly string[];
  readonly quorum: number;
  readonly timeoutSeconds: number;
};

export type Verdict = {
  readonly verdict: 'allow' | 'pending_hitl' | 'deny';
  /** Ids of the statements that decided. */
  readonly determining: readonly string[];
  /** Ids of those that failed; `hitl.when` for the condition. With any, the verdict is `deny`. */
  readonly errors: readonly string[];
  /** Only with `pending_hitl`. */
  readonly duties: Duties | null;
  /** The annotation of the deciding statements; the highest by its position in `riskTiers`. */
  readonly riskTier: string | null;
};

/** Decides requests by one version of a policy, always the same ones in the same way. */
export type Decider = (request: Omit<CedarRequest, 'hitlConfirmed'>) => Verdict;

const riskTiers = ['low', 'medium', 'high', 'critical'];
export const anyApprover = '*';

/** Makes a stored version ready. Throws when it does not parse: it was checked before it was stored. */
export function deciderFor(content: PolicyContent): Decider {
  const key = `${content.tenant}\n${content.policy_id}@${content.policy_version}`;
  const parsed = parsePolicies(content.cedar, null);
  if (!parsed.ok) throw new Error(`the policy ${content.policy_id} was stored and does not parse`);
  const statements = new Map(parsed.value.statements.map((one) => [one.id, one]));
  const evaluate = prepare(key, parsed.value.statements);
  const asksWhen = prepareCondition(key, content);
  const mayConfirm = parsed.value.statements.some(namesConfirmation);
  return (request) => {
    const alone = evaluate({ ...request, hitlConfirmed: false });
    const asks = asksWhen?.({ ...request, hitlConfirmed: false }) ?? null;
    const errors = [...alone.errors, ...(asks === null || asks.errors.length === 0 ? [] : ['hitl.when'])];
    if (errors.length > 0) return denied(alone.determining, errors);
    if (alone.permitted && asks?.permitted !== true)
      return { ...passed(alone.determining, statements), verdict: 'allow', duties: null };
    const confirmed = alone.permitted || !mayConfirm ? alone : evaluate({ ...request, hitlConfirmed: true });
    if (!confirmed.permitted) return denied(alone.determining, confirmed.errors);
    const duties = dutiesOf(content, confirmed.determining, statements);
    return { ...passed(confirmed.determining, statements), verdict: 'pending_hitl', duties };
  };
}

/**
 * Returns whether it may matter to a statement that a person agreed; in a string, a name may be written with
 * escapes.
 */
export const namesConfirmation = ({ text }: Statement): boolean => /hitl_confirmed|\\/.test(text);

function prepareCondition(key: string, { policy_id, hitl }: PolicyContent): Evaluate | null {
  if (hitl === null) return null;
  const condition = parseCondition(hitl.when);
  if (!condition.ok) throw new Error(`the condition of ${policy_id} was stored and does not parse`);
  return prepare(`${key}\nhitl`, [condition.value]);
}

const denied = (determining: readonly string[], errors: readonly string[]): Verdict => ({
  verdict: 'deny',
  determining,
  errors,
  duties: null,
  riskTier: null,
});

type Statements = ReadonlyMap<string, Statement>;

const passed = (determining: readonly string[], statements: Statements) => ({
  determining,
  errors: [],
  riskTier: riskTierOf(annotated(determining, statements, 'risk_tier')),
});

/** The policy's own settings, tightened by what the deciding statements say: most approvals, names of all of them. */
function dutiesOf({ hitl }: PolicyContent, determining: readonly string[], statements: Statements): Duties {
  const named = annotated(determining, statements, 'approvers').flatMap(namesIn);
  const quorums = annotated(determining, statements, 'quorum').map(Number).filter(Number.isSafeInteger);
  return {
    approvers: named.length > 0 ? [...new Set(named)] : (hitl?.approvers ?? [anyApprover]),
    quorum: Math.max(1, hitl?.quorum ?? 1, ...quorums),
    timeoutSeconds: hitl?.timeout_seconds ?? 3600,
  };
}

/** Returns the names in an annotation. */
export const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim());

/** Everybody whom a version may ask, whatever the request is. */
export function approversIn({ cedar, hitl }: PolicyContent): readonly string[] {
  const parsed = parsePolicies(cedar, null);
  const statements = parsed.ok ? parsed.value.statements : [];
  const named = statements.flatMap(({ annotations }) => annotations['approvers'] ?? []).flatMap(namesIn);
  return [...(hitl?.approvers ?? [anyApprover]), ...named];
}

const annotated = (ids: readonly string[], statements: Statements, annotation: string): string[] =>
  ids.flatMap((id) => statements.get(id)?.annotations[annotation] ?? []);

const riskTierOf = (tiers: readonly string[]): string | null =>
  tiers.toSorted((a, b) => riskTiers.indexOf(a) - riskTiers.indexOf(b)).at(-1) ?? null;
