import type { RuleFinding } from '@countersign/protocol/vault/review';
import { described, lexicon, type Sensitive } from '../lexicon.ts';
import type { RequestFacts } from './facts.ts';

export type RequestJudgement = { readonly verdict: 'allow' | 'ask' | 'deny'; readonly rules: RuleFinding[] };

/** What the verdict on a request depends on. */
type Judged = Pick<RequestFacts, 'kinds' | 'purpose' | 'session' | 'astray'>;

/** What a request may do. Reading, log-in and telemetry pass; the same facts always get the same verdict. */
export function judgeRequest(facts: Judged): RequestJudgement {
  const found = facts.kinds.map((kind) => objection(facts, kind));
  if (found.length === 0 && facts.purpose === 'write') found.push(unknownWrite);
  if (facts.astray === true) found.push(fieldChanged);
  if (found.some(({ verdict }) => verdict === 'deny')) return { verdict: 'deny', rules: found };
  if (found.length === 0) return { verdict: 'allow', rules: [nothingFound] };
  return facts.session.approval === 'never'
    ? { verdict: 'deny', rules: [...found, nobodyToAsk] }
    : { verdict: 'ask', rules: found };
}

const objection = ({ session }: Judged, kind: Sensitive): RuleFinding =>
  session.task.includes(kind)
    ? {
        rule: `request.${kind}`,
        verdict: 'ask',
        message: `The request that this sends looks like ${described[kind]}. The task names it, so a person is asked.`,
      }
    : {
        rule: `request.${kind}`,
        verdict: lexicon[kind].unnamed,
        message: `The request that this sends looks like ${described[kind]}, which the task of the session does not name.`,
      };

const unknownWrite: RuleFinding = {
  rule: 'request.unknown-write',
  verdict: 'ask',
  message:
    'The request that this sends may change something, and is neither a log-in nor a search. A person is asked.',
};

const fieldChanged: RuleFinding = {
  rule: 'request.field-changed',
  verdict: 'ask',
  message:
    'This would send a secret elsewhere than it was filled in for: its field has become another, or what sends it is no log-in. A person is asked.',
};

const nobodyToAsk: RuleFinding = {
  rule: 'approval.never',
  verdict: 'deny',
  message: 'A person would have to agree, and this session asks nobody. Open one with approval auto.',
};

const nothingFound: RuleFinding = { rule: 'none', verdict: 'allow', message: 'No rule objects.' };
