import { expect, test } from 'vitest';
import { objectionable } from './corpus/objectionable.ts';
import { ordinary } from './corpus/ordinary.ts';
import {
  click,
  fill,
  passwordField,
  script,
  shop,
  submit,
  loginForm,
  navigate,
} from './corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { Review } from './observation.ts';
import { allRules, judge } from './review.ts';

const judged = (review: Review) => judge(factsOf(review, { commit: () => 'salted', mask: (text) => text }));

test.each(objectionable)('%s: %s', (rule, _, review, verdict) => {
  const { rules, ...judgement } = judged(review);
  expect(rules.map((one) => one.rule)).toContain(rule);
  expect(rules.find((one) => one.rule === rule)?.verdict).toBe(verdict);
  expect(judgement.verdict).not.toBe('allow');
});

test.each(ordinary)('nobody objects to: %s', (_, review) => {
  expect(judged(review)).toEqual({
    verdict: 'allow',
    rules: [{ rule: 'none', verdict: 'allow', message: 'No rule objects.' }],
  });
});

test('every rule has an id of its own, a sentence for the agent, and a situation that it objects to [vault.review.rule-ids]', () => {
  const ids = allRules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { message } of allRules) expect(message).toMatch(/^[A-Z].{20,200}\.$/);
  const shown = new Set(objectionable.map(([rule]) => rule));
  // Those of scripts have a corpus of their own.
  expect(ids.filter((id) => !shown.has(id) && !id.startsWith('script.'))).toEqual([]);
});

const count = (rule: RegExp) => objectionable.filter(([id]) => rule.test(id)).length;

test(`of operations out of scope or letting data out ${count(/^(scope|exfiltration|credential|identity)/)} of ${count(/^(scope|exfiltration|credential|identity)/)} are stopped, of sensitive ones ${count(/^(intent|sensitive)/)} of ${count(/^(intent|sensitive)/)}, of ordinary ones 0 of ${ordinary.length}`, () => {
  expect(objectionable.filter(([, , review]) => judged(review).verdict === 'allow')).toEqual([]);
});

test('a file upload and mass reading are sensitive: no task that is silent about them lets them run [vault.review.file-upload] [vault.review.mass-reading]', () => {
  const kinds = objectionable.filter(([rule]) => /file_upload|mass_reading/.test(rule));
  expect(kinds.length).toBeGreaterThan(5);
  for (const [, , review] of kinds) expect(['ask', 'deny']).toContain(judged(review).verdict);
});

test('human: fills, submissions and scripts wait for a person, and nothing else does', () => {
  const human = { approval: 'human' } as const;
  for (const review of [
    fill('x', passwordField(), human),
    click(submit('Log in', loginForm), human),
    script('return 1', human),
  ])
    expect(judged(review)).toMatchObject({ verdict: 'ask', rules: [{}, { rule: 'approval.human' }] });
  expect(judged(navigate(shop, human)).verdict).toBe('allow');
  expect(judged(fill('x', passwordField({ visible: false }), human)).verdict).toBe('ask');
  expect(judged(navigate('https://evil.example', human)).verdict).toBe('deny');
});

test('never: what a person would be asked about is rejected, and says so', () => {
  for (const [, , review, verdict] of objectionable) {
    const { rules, ...judgement } = judged({ ...review, approval: 'never' });
    expect(judgement.verdict).toBe('deny');
    const alone = verdict === 'ask' && judged(review).verdict === 'ask';
    expect(rules.some(({ rule }) => rule === 'approval.never')).toBe(alone);
  }
});

test('an identity credential goes where it is authorised, and the site that verifies it receives it whole', () => {
  const credential = { type: 'identity_credential', allowedUrls: ['https://shop.example/verify/*'] } as const;
  const present = `const r = await fetch('/verify/it', {method: 'POST', body: {{CREDENTIAL.credential_json}}}); return r.status`;
  const { verdict, rules } = judged(script(present, { credential, url: `${shop}/verify/` }));
  // A request that is no GET is put before a person; nothing else objects.
  expect({ verdict, rules: rules.map(({ rule }) => rule) }).toEqual({
    verdict: 'ask',
    rules: ['script.request-method'],
  });
});
