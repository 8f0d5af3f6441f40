import type { RecordedVerdict, RecordOfReview } from './recorded.ts';

/** Why a verdict is not made again. `about` is a digest of rules or the id of a rule. */
export type NotJudged =
  | { readonly why: 'earlier-build' | 'facts-too-large' | 'operation-missing' }
  | { readonly why: 'other-rules' | 'no-facts'; readonly about: string };

/** What makes a record none of the review's, so that no verdict can follow from it. */
export type Flaw =
  | 'no-verdict'
  | 'no-facts'
  | 'facts-unreadable'
  | 'not-too-large'
  | 'other-operation'
  | 'no-digest';

/** Each of them decides what is made again; a record has one. */
const factMembers = ['facts', 'factsSha256', 'requests', 'request'] as const;

const hasFacts = (detail: RecordOfReview['detail']): boolean =>
  factMembers.some((member) => member in detail);

/** What reads the page's picture alone is not reviewed. */
const pictures: ReadonlySet<unknown> = new Set(['screenshot', 'watch']);

/** Whether a record without a verdict is one that has none: an outcome, a picture, or what the control plane records. */
export function needsNoVerdict({ eventType, detail }: RecordOfReview): boolean {
  if ('verdict' in detail || hasFacts(detail)) return false;
  if (eventType !== 'sandbox_operation') return typeof detail['execution_id'] === 'string';
  const { phase, operationType } = detail;
  return phase === 'outcome' || (phase === 'intent' && pictures.has(operationType));
}

/** Refusals that are none of the review's rules: nothing else is recorded with a verdict and no facts. */
const withoutFacts = new Set([
  'scope.request',
  'scope.connection',
  'decoy.alarm',
  'decoy.own-site',
  'request.expired',
  'request.gone',
  'review.too-costly',
]);

const tooLarge = 'record.too-large';

/** The digests that a record is held against: that of this build, and whether records before it had one. */
export type Digests = { readonly own: string; readonly wasNamed: boolean };

/** Null for what can be judged. A flaw is a text; a reason for which nothing is judged is none. */
export function whyNotJudged(
  { eventType, detail }: RecordOfReview,
  recorded: RecordedVerdict,
  digests: Digests,
): NotJudged | Flaw | null {
  const isRefusal = eventType === 'policy_rejected' && recorded.verdict === 'deny';
  if (!hasFacts(detail)) return whyNoFacts(eventType, recorded, digests);
  if (factMembers.filter((member) => member in detail).length > 1) return 'facts-unreadable';
  const isTooLarge = 'factsSha256' in detail;
  const isSaidTooLarge = recorded.rules.some(({ rule, verdict }) => rule === tooLarge && verdict === 'deny');
  if (isTooLarge && !(isRefusal && isSaidTooLarge)) return 'not-too-large';
  return whyOtherRules(recorded, digests) ?? (isTooLarge ? { why: 'facts-too-large' } : null);
}

function whyNoFacts(
  eventType: string,
  { verdict, rules, rulesDigest }: RecordedVerdict,
  { wasNamed }: Digests,
): NotJudged | Flaw {
  const [only, ...rest] = rules;
  const isRefusal = eventType === 'policy_rejected' && verdict === 'deny' && only?.verdict === 'deny';
  if (isRefusal && rest.length === 0 && withoutFacts.has(only.rule))
    return { why: 'no-facts', about: only.rule };
  // Requests that were held had no facts in the records of earlier builds; what was done always had.
  const isEarlier = rulesDigest === undefined && !wasNamed && verdict !== 'allow';
  return isEarlier && eventType !== 'sandbox_operation' ? { why: 'earlier-build' } : 'no-facts';
}

/** A build that names its rules is not followed by one that does not. */
function whyOtherRules(
  { rulesDigest }: RecordedVerdict,
  { own, wasNamed }: Digests,
): NotJudged | Flaw | null {
  if (rulesDigest === undefined) return wasNamed ? 'no-digest' : { why: 'earlier-build' };
  return rulesDigest === own ? null : { why: 'other-rules', about: plain(rulesDigest) };
}

/** A hostile record may say anything, of any length. */
const plain = (text: string): string => text.slice(0, 200).replace(/[^a-z0-9._, -]/gi, '?');
