import { ok } from '@countersign/protocol/result';
import { reviewFacts } from '@countersign/review/facts';
import { judgeTogether } from '@countersign/review/judge-together';
import type { Heard, Question } from '@countersign/review/second-judge';
import { expect, test } from 'vitest';
import { Sandbox } from '../../../test/sandbox.ts';

const extract = { operation_type: 'extract', selector: 'h1' } as const;

test('a second judge tightens what is done, its silence asks a person, and the record says what it said [vault.review.model.tightens-only] [vault.review.model.down]', async () => {
  const questions: Question[] = [];
  let says: Heard = { verdict: 'allow', reason: 'fits' };
  const sandbox = await Sandbox.start(async (question) => {
    questions.push(question);
    return says;
  });
  const session = await sandbox.open();
  session.browser.result = ok('text of the page');
  const statuses: string[] = [];
  for (const one of [
    says,
    { verdict: 'ask', reason: 'hm' },
    { verdict: 'deny', reason: 'no' },
    'silent',
  ] as const) {
    says = one;
    statuses.push((await session.operate(extract)).status);
  }
  expect(statuses).toEqual(['executed', 'pending_approval', 'rejected', 'pending_approval']);
  says = { verdict: 'allow', reason: '' };
  const abroad = await session.operate({ operation_type: 'navigate', value: 'https://evil.example' });
  expect(abroad.status).toBe('rejected');
  expect(questions).toHaveLength(4);
  expect(JSON.stringify(questions)).not.toContain('text of the page');
  const reviewed = sandbox.records(session.id).filter(({ detail }) => 'secondJudge' in detail);
  expect(reviewed).toHaveLength(4);
  for (const { detail } of reviewed) {
    const again = judgeTogether(reviewFacts.parse(detail['facts']), detail['secondJudge'] as Heard);
    expect(again.verdict).toBe(detail['verdict']);
  }
  await sandbox.stop();
});
