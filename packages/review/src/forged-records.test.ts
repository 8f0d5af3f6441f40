import { describe, expect, test } from 'vitest';
import { click, extract, navigate, review, shop, target } from '../test/corpus/situations.ts';
import { type Detail, deny, recordOf, requestOf, rulesDigest } from '../test/recorded.ts';
import { MadeAgain } from './made-again.ts';

const again = (eventType: string, detail: Detail, made = new MadeAgain(rulesDigest)) =>
  made.again({ eventType, detail });

const none = [{ rule: 'none', verdict: 'allow' }];
const { detail: refused } = recordOf(navigate('https://elsewhere.example'));
const { detail: read } = recordOf(review({ operation_type: 'scroll', selector: '#it' }));
const { facts: _facts, ...withoutFacts } = refused;
const { verdict: _verdict, rules: _rules, ...withoutVerdict } = refused;
const zeros = '0'.repeat(64);
const done = { phase: 'intent', verdict: 'allow', rules: none };

test.each<[string, Detail, string]>([
  ['an intent with facts and no verdict', { ...withoutVerdict, phase: 'intent' }, 'no-verdict'],
  ['an outcome with facts and no verdict', { ...withoutVerdict, phase: 'outcome' }, 'no-verdict'],
  ['a picture with facts', { ...withoutVerdict, phase: 'intent', operationType: 'screenshot' }, 'no-verdict'],
  ['an intent with nothing', { phase: 'intent', operationType: 'fill', operationId: 'one' }, 'no-verdict'],
  ['no phase', { operationType: 'screenshot', operationId: 'one' }, 'no-verdict'],
  ['a yes without facts', { ...withoutFacts, ...done }, 'no-facts'],
  ['a yes without facts and digest', { operationId: 'one', operationType: 'fill', ...done }, 'no-facts'],
  ['a yes whose facts were too large', { ...withoutFacts, ...done, factsSha256: zeros }, 'not-too-large'],
  [
    'what was done though too large',
    { ...withoutFacts, phase: 'intent', factsSha256: zeros, rules: [deny('record.too-large')] },
    'not-too-large',
  ],
  ['facts beside their digest', { ...refused, ...done, factsSha256: zeros }, 'facts-unreadable'],
  ['facts beside requests', { ...refused, ...done, requests: [], requestReviews: [] }, 'facts-unreadable'],
  ['a fill by facts of a scroll', { ...read, operationType: 'fill' }, 'other-operation'],
  ['a script by facts of a scroll', { ...read, operationType: 'execute_script' }, 'other-operation'],
  ['an export by facts of a scroll', { ...read, operationType: 'export' }, 'other-operation'],
  ['an operation without its kind', { ...read, operationType: undefined }, 'other-operation'],
])('%s is done by no review, and differs [vault.audit.cli.reviews]', (_what, detail, flaw) => {
  expect(again('sandbox_operation', detail)).toMatchObject({ outcome: 'differs', made: null, flaw });
});

test('what a person is asked about as an extract is done only as an export, where the task names one [vault.audit.cli.reviews]', () => {
  const { detail } = recordOf(extract(900, 90_000, { task: 'Export my orders as CSV' }));
  const as = (operationType: string) =>
    again('sandbox_operation', { ...detail, phase: 'intent', operationType });
  expect(as('export')).toEqual({ outcome: 'same' });
  expect(as('extract')).toMatchObject({ outcome: 'differs', isMisplaced: true });
});

describe('a refusal without facts', () => {
  const own = [
    'scope.request',
    'scope.connection',
    'decoy.alarm',
    'decoy.own-site',
    'request.expired',
    'request.gone',
    'review.too-costly',
  ];
  test.each(own)('by %s is none of the review’s, as long as it is a refusal by that alone', (rule) => {
    const said = { verdict: 'deny', rules: [deny(rule)] };
    expect(again('policy_rejected', said)).toEqual({ outcome: 'not-judged', why: 'no-facts', about: rule });
    const named = { ...said, rulesDigest };
    for (const other of ['sandbox_operation', 'human_approval_requested'])
      expect(again(other, { ...named, phase: 'intent' })).toMatchObject({
        outcome: 'differs',
        flaw: 'no-facts',
      });
    for (const more of [{ verdict: 'allow' }, { rules: [deny(rule), deny('scope.page')] }, { rules: [] }])
      expect(again('policy_rejected', { ...named, ...more })).toMatchObject({ flaw: 'no-facts' });
  });

  test('by a rule of the review differs, but in logs of builds that did not name their rules [vault.audit.cli.reviews.not-judged]', () => {
    const said = { verdict: 'deny', rules: [deny('request.delete')] };
    const made = new MadeAgain(rulesDigest);
    expect(again('policy_rejected', said, made)).toEqual({ outcome: 'not-judged', why: 'earlier-build' });
    expect(again('sandbox_operation', read, made)).toEqual({ outcome: 'same' });
    expect(again('policy_rejected', said, made)).toMatchObject({ outcome: 'differs', flaw: 'no-facts' });
  });

  test('because they were too large says so, and by which rules', () => {
    const rules = [deny('scope.destination'), deny('record.too-large')];
    const said = { ...withoutFacts, factsSha256: zeros, rules };
    expect(again('policy_rejected', said)).toEqual({ outcome: 'not-judged', why: 'facts-too-large' });
    expect(again('policy_rejected', { ...said, rules: refused['rules'] })).toMatchObject({
      flaw: 'not-too-large',
    });
    expect(again('human_approval_requested', said)).toMatchObject({ flaw: 'not-too-large' });
  });
});

test('after a record that names its rules one that does not is no earlier build’s [vault.audit.cli.reviews]', () => {
  const { rulesDigest: _digest, ...unnamed } = read;
  const made = new MadeAgain(rulesDigest);
  expect(again('sandbox_operation', unnamed, made)).toEqual({ outcome: 'not-judged', why: 'earlier-build' });
  const other = { ...read, rulesDigest: 'b'.repeat(64) };
  expect(again('sandbox_operation', other, made)).toMatchObject({ why: 'other-rules' });
  expect(again('sandbox_operation', unnamed, made)).toMatchObject({ outcome: 'differs', flaw: 'no-digest' });
});

test('in a bundle, newest first, an earlier build’s record stays one: its place in the log counts', () => {
  const { rulesDigest: _digest, ...unnamed } = read;
  const made = new MadeAgain(rulesDigest);
  const at = (leafIndex: number, detail: Detail) =>
    made.again({ leafIndex, eventType: 'sandbox_operation', detail });
  expect(at(9, read)).toEqual({ outcome: 'same' });
  expect(at(8, unnamed)).toEqual({ outcome: 'not-judged', why: 'earlier-build' });
  expect(at(10, unnamed)).toMatchObject({ outcome: 'differs', flaw: 'no-digest' });
});

test('held requests without their operation are only those that a person is asked about, or that are refused [vault.audit.cli.reviews]', () => {
  const request = requestOf('DELETE /api/orders/7');
  const detail = { operationId: 'two', rulesDigest, requests: [request], requestReviews: [{}], ...done };
  expect(again('sandbox_operation', detail)).toMatchObject({ outcome: 'differs' });
  const held = { ...detail, verdict: 'deny', rules: [deny('request.delete')] };
  expect(again('policy_rejected', held)).toMatchObject({ why: 'operation-missing' });
  expect(again('human_approval_requested', { ...held, verdict: 'ask' })).toMatchObject({
    outcome: 'differs',
  });
});

test('a record repeats no objection without end', () => {
  const { detail } = recordOf(click(target()));
  const by = (count: number) => {
    const beyondFacts = Array.from({ length: count }, () => 'approval.too-many');
    const rules = [...(detail['rules'] as object[]), ...beyondFacts.map(deny)];
    return again('policy_rejected', { ...detail, verdict: 'deny', beyondFacts, rules });
  };
  expect(by(4)).toEqual({ outcome: 'same' });
  expect(by(5)).toMatchObject({ outcome: 'differs', flaw: 'facts-unreadable' });
});

test('what the control plane records, and pictures and outcomes of sessions, have no verdict of the review', () => {
  const execution = { execution_id: 'one', rules: [deny('action-token.spent')], status: 'failed' };
  expect(again('policy_rejected', execution)).toBeNull();
  expect(again('human_approval_requested', { execution_id: 'one', quorum: 1 })).toBeNull();
  for (const eventType of ['policy_rejected', 'human_approval_requested']) {
    expect(again(eventType, { operationId: 'one' })).toMatchObject({ flaw: 'no-verdict' });
    expect(again(eventType, { ...withoutVerdict, execution_id: 'one' })).toMatchObject({
      flaw: 'no-verdict',
    });
  }
  for (const operationType of ['screenshot', 'watch'])
    expect(again('sandbox_operation', { phase: 'intent', operationType })).toBeNull();
  expect(again('sandbox_operation', { phase: 'outcome', operationType: 'export', url: shop })).toBeNull();
});
