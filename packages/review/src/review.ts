import type { OperationReview, RuleFinding } from '@countersign/protocol/vault/review';
import { type Verdict, verdicts } from '@countersign/protocol/vault/verdict';
import type { ReviewFacts } from './facts.ts';
import { credentialRules } from './rules/credential.ts';
import { identityRules, objectionsToPresented } from './rules/identity-presentation.ts';
import { intentRules } from './rules/intent.ts';
import { placeRules } from './rules/place.ts';
import type { Rule } from './rules/rule.ts';
import { scopeRules } from './rules/scope.ts';
import { scriptRules } from './rules/scripts.ts';
import { textRules } from './rules/text.ts';

export const allRules: readonly Rule[] = [
  ...scopeRules,
  ...credentialRules,
  ...placeRules,
  ...identityRules,
  ...scriptRules,
  ...intentRules,
  ...textRules,
];

export type Judgement = Omit<OperationReview, 'duration_ms'>;

/** The strictest verdict of all rules over the facts, and which those were. The same facts always get the same. */
export function judge(facts: ReviewFacts): Judgement {
  return conclude(facts, objectionsTo(facts));
}

export const objectionsTo = (facts: ReviewFacts): RuleFinding[] => [
  ...allRules
    .filter((rule) => rule.applies(facts))
    .map(
      ({ id, verdict, message }): RuleFinding => ({
        rule: id,
        verdict,
        message: typeof message === 'string' ? message : message(facts),
      }),
    ),
  ...objectionsToPresented(facts),
];

/** What follows from all objections, under the session's mode of approval. */
export const conclude = (facts: ReviewFacts, objections: readonly RuleFinding[]): Judgement =>
  withApproval(facts, objections.length > 0 ? objections : [nothingFound]);

const nothingFound: RuleFinding = { rule: 'none', verdict: 'allow', message: 'No rule objects.' };

/** `human`: fills, submissions and scripts wait for a person. `never`: what would wait is rejected. */
function withApproval({ operation, session }: ReviewFacts, findings: readonly RuleFinding[]): Judgement {
  const waits = operation.submits || operation.type === 'fill' || operation.type === 'execute_script';
  const asked = session.approval === 'human' && waits ? [...findings, asksPerson] : findings;
  const rules = session.approval === 'never' && strictest(asked) === 'ask' ? [...asked, nobodyToAsk] : asked;
  return { verdict: strictest(rules), rules: [...rules] };
}

const asksPerson: RuleFinding = {
  rule: 'approval.human',
  verdict: 'ask',
  message: 'In this session a person approves every fill, form submission and script.',
};

const nobodyToAsk: RuleFinding = {
  rule: 'approval.never',
  verdict: 'deny',
  message: 'A person would have to agree, and this session asks nobody. Open one with approval auto.',
};

const rank = (verdict: Verdict): number => verdicts.indexOf(verdict);

const strictest = (findings: readonly Pick<RuleFinding, 'verdict'>[]): Verdict =>
  findings.reduce<Verdict>((worst, { verdict }) => (rank(verdict) > rank(worst) ? verdict : worst), 'allow');
