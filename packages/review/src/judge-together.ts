import type { RuleFinding } from '@countersign/protocol/vault/review';
import type { ReviewFacts } from './facts.ts';
import { conclude, type Judgement, objectionsTo } from './review.ts';
import type { Heard } from './second-judge.ts';

/** The rules' verdict, tightened by what the second judge said: it never passes what the rules reject or ask about. */
export const judgeTogether = (facts: ReviewFacts, heard: Heard): Judgement =>
  conclude(facts, [...objectionsTo(facts), ...objectionOf(heard)]);

function objectionOf(heard: Heard): RuleFinding[] {
  if (heard === 'silent') return [silence];
  return heard.verdict === 'allow' ? [] : [{ ...objection, verdict: heard.verdict }];
}

const silence: RuleFinding = {
  rule: 'second-judge.silent',
  verdict: 'ask',
  message: 'The second judge did not answer in time. A person is asked; or try again later.',
};

const objection: Omit<RuleFinding, 'verdict'> = {
  rule: 'second-judge.objects',
  message: 'The second judge finds that this does not fit the task. Do it another way, or ask the owner.',
};
