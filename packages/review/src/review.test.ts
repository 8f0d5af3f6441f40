import { expect, test } from 'vitest';
import { objectionable } from '../test/corpus/objectionable.ts';
import { ordinary } from '../test/corpus/ordinary.ts';
import {
  click,
  fill,
  passwordField,
  script,
  shop,
  submit,
  loginForm,
  navigate,
  target,
} from '../test/corpus/situations.ts';
import { acting } from '../test/corpus/scripts/acting.ts';
import { reading } from '../test/corpus/scripts/reading.ts';
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
  const messages = allRules.map(({ message }) =>
    typeof message === 'string' ? message : 'Made of fixed words.',
  );
  for (const message of messages) expect(message).toMatch(/^[A-Z].{18,200}\.$/);
  const shown = new Set(objectionable.map(([rule]) => rule));
  expect(ids.filter((id) => !shown.has(id))).toEqual([]);
});

const count = (rule: RegExp) => objectionable.filter(([id]) => rule.test(id)).length;

const [leaks, sensitive] = [/^(scope|exfiltration|credential|identity)/, /^(intent|sensitive)/].map(count);
test(`${leaks} operations out of scope or letting data out and ${sensitive} sensitive ones are stopped`, () => {
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

const vc = '{{CREDENTIAL.credential_json}}';
const send = (path: string, body: string, method = 'POST') =>
  `await fetch('${path}', {method: '${method}', body: ${body}});`;
const identity = { type: 'identity_credential', allowedUrls: [shop] } as const;
const verified = { origin: shop, path: '/verify', method: 'POST', field: 'vp' } as const;
const asVp = `JSON.stringify({vp: ${vc}})`;

/** What is said of a presentation, after it was agreed to present the credential at `/verify` as `vp`. */
function presented(value: string, task = 'Prove my age'): string {
  const credential = { ...identity, uses: [verified] };
  const { verdict, rules } = judged(script(value, { credential, task, url: `${shop}/verify` }));
  return [verdict, ...rules.map(({ rule }) => rule)].join(' ');
}

test('an identity credential is presented where a person has agreed to it, and nowhere else without a question [vault.review.identity.place]', () => {
  const { verdict, rules } = judged(script(send('/verify', asVp), { credential: identity }));
  expect([verdict, ...rules.map(({ rule }) => rule)]).toEqual(['ask', 'credential.new-place']);
  for (const same of [
    send('/verify', asVp),
    send(`${shop}/verify`, `JSON.stringify({more: 1, vp: JSON.stringify(${vc})})`),
    send('/verify', `new URLSearchParams({vp: ${vc}})`),
    send('/verify', asVp) + send('/verify', asVp),
  ])
    expect(presented(same)).toBe('allow none');
  for (const other of [
    send('/profile/save', asVp),
    send('/verify', asVp, 'PUT'),
    send('/verify', vc),
    send('/verify', `JSON.stringify({text: ${vc}})`),
    send('/verify', `JSON.stringify({vp: ${vc}, text: ${vc}})`),
    send('/verify?to=everybody', asVp),
    send('/verify', asVp) + send('/other', asVp),
  ])
    expect(presented(other)).toBe('ask credential.new-place');
});

test('presenting is no way round what is said of the request itself [vault.review.identity.request]', () => {
  const comment = send('/comments', `JSON.stringify({text: ${vc}})`);
  expect(presented(comment)).toBe('deny credential.new-place request.public_post');
  expect(presented(comment, 'Post a comment')).toBe('ask credential.new-place request.public_post');
  expect(presented(send('/verify', `JSON.stringify({_action: 'x', newPassword: 'a', vp: ${vc}})`))).toBe(
    'deny request.credential_change',
  );
  const credential = { ...identity, uses: [{ ...verified, path: '/comments' }] };
  const known = script(send('/comments', asVp), { credential, task: 'Post a comment' });
  expect(judged(known).rules.map(({ rule }) => rule)).toEqual(['request.public_post']);
});

test.each([
  '/verify',
  '/verify/it',
  '/kyc/age',
  '/api/identity/present',
  '/presentations',
  '/oid4vp/response',
  '/apply',
])('a verifier that answers at %s is no forbidden act', (path) => {
  expect(presented(send(path, asVp))).toMatch(/^(allow none|ask credential.new-place)$/);
});

test('a review takes under 5 ms, scripts included [vault.review.fast]', () => {
  const scripts = [...Object.values(reading), ...Object.values(acting)];
  for (const value of scripts) judged(script(value));
  const once = (value: string): number => {
    const begin = performance.now();
    judged(script(value));
    return performance.now() - begin;
  };
  // The best of five, since other processes share the machine.
  const times = scripts.map((value) => Math.min(...Array.from({ length: 5 }, () => once(value))));
  expect(Math.max(...times)).toBeLessThan(5);
});

const acts = `document.querySelector('#terms').checked = true; document.querySelector('#next').click(); localStorage.x = document.title`;

test('a script that acts waits for a person where the session has credentials, and is told which operations do the same [vault.review.script.acts]', () => {
  const { verdict, rules } = judged(script(acts));
  expect({ verdict, rules: rules.map(({ rule }) => rule) }).toEqual({
    verdict: 'ask',
    rules: ['script.acts'],
  });
  expect(rules[0]?.message).toMatch(
    /^The script acts .* Use click to press buttons.*\. Reading needs no writing .*\.$/,
  );
  expect(rules[0]?.message).not.toContain('terms');
  expect(judged(script(acts, { credentials: 0, credential: null })).verdict).toBe('allow');
  expect(judged(script(acts, { credentials: 0, credential: null, approval: 'human' })).verdict).toBe('ask');
  expect(judged(script(acts, { approval: 'never' })).verdict).toBe('deny');
});

test('an identity credential may be filled into whatever field a site within its allowed_urls has for it [vault.review.identity.any-field]', () => {
  const value = '{{CREDENTIAL.credential_json}}';
  const credential = { type: 'identity_credential', allowedUrls: [shop] } as const;
  for (const tag of ['textarea', 'input'])
    for (const name of ['Diploma', 'Paste your credential', 'Vaše osvědčení', '']) {
      const field = target({ tag, type: tag === 'input' ? 'text' : '', names: [name] });
      expect(judged(fill(value, field, { credential })).verdict).toBe('allow');
      if (name !== 'Diploma') continue;
      expect(judged(fill('{{CREDENTIAL.password}}', field)).rules.map(({ rule }) => rule)).toContain(
        'credential.wrong-field',
      );
    }
  const upload = target({ tag: 'input', type: 'file', names: ['Diploma'] });
  expect(judged(fill(value, upload, { credential })).verdict).toBe('deny');
});
