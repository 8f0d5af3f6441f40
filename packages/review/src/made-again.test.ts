import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectionable } from '../test/corpus/objectionable.ts';
import { ordinary } from '../test/corpus/ordinary.ts';
import { click, extract, navigate, shop, target } from '../test/corpus/situations.ts';
import {
  ask,
  deny,
  type Detail,
  leadsTo,
  recordOf as recorded,
  requestOf,
  rulesDigest,
} from '../test/recorded.ts';
import { MadeAgain } from './made-again.ts';
import { judgeRequest } from './request/judge.ts';
import type { Judgement } from './review.ts';

const again = (eventType: string, detail: Detail, made = new MadeAgain(rulesDigest)) =>
  made.again({ eventType, detail });

const recordOf = (...given: Parameters<typeof recorded>) => {
  const { eventType, detail } = recorded(...given);
  return [eventType, detail] as const;
};

const reviews = [...objectionable.map(([, , review]) => review), ...ordinary.map(([, review]) => review)];

test('each verdict of the corpora is made again from its record, also where a second judge was heard [vault.review.replay]', () => {
  for (const review of reviews) {
    expect(again(...recordOf(review))).toEqual({ outcome: 'same' });
    expect(again(...recordOf(review, 'silent'))).toEqual({ outcome: 'same' });
    expect(again(...recordOf(review, { verdict: 'ask', reason: 'hm' }))).toEqual({ outcome: 'same' });
  }
});

test('another verdict, another rule, one rule less, or another kind of record is found [vault.audit.cli.reviews]', () => {
  const verdicts = ['allow', 'ask', 'deny'] as const;
  for (const review of reviews) {
    const [eventType, detail] = recordOf(review);
    for (const verdict of verdicts.filter((one) => one !== detail['verdict']))
      for (const type of [eventType, leadsTo[verdict]])
        expect(again(type, { ...detail, verdict })).toMatchObject({ outcome: 'differs', isMisplaced: false });
    const found = detail['rules'] as Judgement['rules'];
    for (const rest of [found.slice(1), [...found, found[0]], [{ rule: 'scope.else', verdict: 'deny' }]])
      expect(again(eventType, { ...detail, rules: rest })).toMatchObject({ outcome: 'differs' });
    for (const type of Object.values(leadsTo).filter((one) => one !== eventType))
      expect(again(type, detail)).toMatchObject({ outcome: 'differs', isMisplaced: true });
  }
});

test('what is done after a question names who agreed; what the rules refuse nobody can agree to [vault.audit.cli.reviews]', () => {
  const [, asked] = recordOf(click(target({ names: ['Export all'] })));
  expect(asked['verdict']).toBe('ask');
  const done = (more: Detail) => again('sandbox_operation', { ...asked, phase: 'intent', ...more });
  expect(done({ approvedBy: 'user:olga' })).toEqual({ outcome: 'same' });
  expect(done({})).toMatchObject({ outcome: 'differs', isMisplaced: true });
  const [, denied] = recordOf(navigate('https://elsewhere.example'));
  const agreed = { ...denied, phase: 'intent', approvedBy: 'user:olga' };
  expect(again('sandbox_operation', agreed)).toMatchObject({ outcome: 'differs', isMisplaced: true });
});

test('an objection that no facts show stands beside the rules, denies, and is one of those that there are', () => {
  const [, allowed] = recordOf(navigate(`${shop}/orders`));
  const with_ = (rule: string, verdict = 'deny') => ({
    ...allowed,
    beyondFacts: [rule],
    verdict,
    rules: [...(allowed['rules'] as object[]), { rule, verdict: 'deny' }],
  });
  expect(again('policy_rejected', with_('approval.page-changed'))).toEqual({ outcome: 'same' });
  expect(again('policy_rejected', with_('scope.destination'))).toMatchObject({
    outcome: 'differs',
    made: null,
  });
  expect(again('sandbox_operation', with_('identity.proof', 'allow'))).toMatchObject({ outcome: 'differs' });
});

test('an export of a page waits for nobody: what a person would be asked is refused, unless the task names it', () => {
  const much = (task: string) => {
    const [, detail] = recordOf(extract(900, 90_000, { task }));
    return { ...detail, operationType: 'export' };
  };
  expect(again('policy_rejected', much('Read my orders'))).toEqual({ outcome: 'same' });
  expect(again('sandbox_operation', much('Export my orders as CSV'))).toEqual({ outcome: 'same' });
  expect(again('policy_rejected', much('Export my orders as CSV'))).toMatchObject({ outcome: 'differs' });
});

const unknownWrite = requestOf('POST /api/theme', '{"dark":true}');
const deletion = requestOf('DELETE /api/orders/7');

/** Of an operation that nothing was said against, and that set off a request. */
function held(eventType: string, more: Detail) {
  const made = new MadeAgain(rulesDigest);
  expect(again(...recordOf(click(target())), made)).toEqual({ outcome: 'same' });
  const own = { operationId: 'one', operationType: 'click', rulesDigest };
  return again(eventType, { ...own, requestReviews: [{}], ...more }, made);
}

test('held requests are judged again, with what does not count for them and what no facts show [vault.audit.cli.reviews]', () => {
  expect(judgeRequest(unknownWrite).rules.map(({ rule }) => rule)).toEqual(['request.unknown-write']);
  expect(judgeRequest(deletion).verdict).toBe('deny');
  const asked = { requests: [unknownWrite], verdict: 'ask', rules: [ask('request.unknown-write')] };
  expect(held('human_approval_requested', asked)).toEqual({ outcome: 'same' });
  expect(held('policy_rejected', asked)).toMatchObject({ outcome: 'differs', isMisplaced: true });
  const mild = { ...asked, requests: [deletion] };
  expect(held('human_approval_requested', mild)).toMatchObject({
    outcome: 'differs',
    made: { verdict: 'deny', rules: [{ ...deny('request.delete'), message: expect.any(String) }] },
  });
  const full = {
    ...asked,
    requestReviews: [{ beyondFacts: ['request.too-many'] }],
    verdict: 'deny',
    rules: [ask('request.unknown-write'), deny('request.too-many')],
  };
  expect(held('policy_rejected', full)).toEqual({ outcome: 'same' });
  const waived = { ...asked, requestReviews: [{ waived: ['request.unknown-write'] }] };
  expect(held('human_approval_requested', waived)).toMatchObject({ outcome: 'differs' });
  const without = {
    ...full,
    requests: [deletion],
    requestReviews: [{ waived: ['request.delete'], beyondFacts: ['request.too-many'] }],
    rules: [deny('request.too-many')],
  };
  expect(held('policy_rejected', without)).toMatchObject({ outcome: 'differs' });
  expect(held('policy_rejected', { ...without, approvedBy: 'user:olga' })).toEqual({ outcome: 'same' });
  const gone = [{ waived: ['request.delete'], beyondFacts: ['request.gone'] }];
  const left = { ...without, requestReviews: gone, rules: [deny('request.gone')] };
  expect(held('policy_rejected', left)).toEqual({ outcome: 'same' });
  expect(held('human_approval_requested', { ...asked, requestReviews: [] })).toMatchObject({ made: null });
});

test('held requests whose operation has no record before them are not judged', () => {
  const detail = {
    operationId: 'two',
    rulesDigest,
    requests: [unknownWrite],
    requestReviews: [{}],
    verdict: 'ask',
    rules: [ask('request.unknown-write')],
  };
  expect(held('human_approval_requested', detail)).toEqual({
    outcome: 'not-judged',
    why: 'operation-missing',
  });
});

test('a late request is refused whatever is said against it, and only where something is [vault.audit.cli.reviews]', () => {
  const late = (more: Detail) =>
    again('policy_rejected', {
      rulesDigest,
      request: unknownWrite,
      verdict: 'deny',
      rules: [deny('request.late')],
      url: shop,
      ...more,
    });
  expect(late({})).toEqual({ outcome: 'same' });
  expect(late({ waived: ['request.unknown-write'], refusedBefore: true })).toEqual({ outcome: 'same' });
  expect(late({ waived: ['request.unknown-write'] })).toMatchObject({ outcome: 'differs' });
  expect(late({ request: requestOf('GET /orders') })).toMatchObject({ outcome: 'differs' });
});

test('what says nothing of its rules, was judged by others or has no facts is not judged, and says why [vault.audit.cli.reviews.not-judged]', () => {
  const [eventType, detail] = recordOf(navigate('https://elsewhere.example'));
  const { rulesDigest: _digest, ...earlier } = detail;
  const { facts: _facts, ...bare } = detail;
  const other = 'b'.repeat(64);
  const why = (given: Detail) => again(eventType, given);
  expect(why(earlier)).toEqual({ outcome: 'not-judged', why: 'earlier-build' });
  expect(why({ ...detail, rulesDigest: other })).toEqual({
    outcome: 'not-judged',
    why: 'other-rules',
    about: other,
  });
  const large = { ...bare, factsSha256: other, rules: [deny('record.too-large')] };
  expect(why(large)).toEqual({ outcome: 'not-judged', why: 'facts-too-large' });
  expect(why({ verdict: 'deny', rules: [deny('scope.request')] })).toEqual({
    outcome: 'not-judged',
    why: 'no-facts',
    about: 'scope.request',
  });
  const hostile = { ...detail, rulesDigest: '\u001b[2J'.repeat(900) };
  expect(JSON.stringify(why(hostile))).toMatch(/^[\x20-\x7e]{1,300}$/);
});

test.each([
  ['facts of another shape', { facts: { version: 1 } }],
  ['facts that are null', { facts: null }],
  ['a verdict that is none', { verdict: 'maybe' }],
  ['rules that are none', { rules: 'scope.destination' }],
  ['a second judge who says nothing readable', { secondJudge: { verdict: 'allow' } }],
])('a record with %s differs, and throws nothing', (_what, changed) => {
  const [eventType, detail] = recordOf(navigate('https://elsewhere.example'));
  expect(again(eventType, { ...detail, ...changed })).toMatchObject({ outcome: 'differs', made: null });
});

test('records of other events, and outcomes, are no verdicts', () => {
  expect(again('session_initiated', { verdict: 'deny', rules: [] })).toBeNull();
  expect(again('sandbox_operation', { phase: 'outcome', operationId: 'one', status: 'executed' })).toBeNull();
  expect(again('sandbox_operation', { phase: 'intent', operationType: 'screenshot' })).toBeNull();
});

test('whatever a hostile record calls an address, its verdict is made and nothing throws', () => {
  const url = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc.constantFrom('http://', 'https://[', 'https://a..b/%', '//x', 'ws://\u{1f511}/*'),
  );
  const [eventType, detail] = recordOf(click(target()));
  fc.assert(
    fc.property(url, url, url, (page, destination, allowed) => {
      const at = (text: string) => ({ url: text, namesUser: false, data: 0 });
      const session = { allowedUrls: [allowed], approval: 'auto', task: [], credentials: 1 };
      const facts = { ...(detail['facts'] as object), page: at(page), destination: at(destination), session };
      expect(['same', 'differs']).toContain(again(eventType, { ...detail, facts })?.outcome);
    }),
  );
});
