import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acting } from '../test/corpus/scripts/acting.ts';
import { reading } from '../test/corpus/scripts/reading.ts';
import { objectionable } from '../test/corpus/objectionable.ts';
import { ordinary } from '../test/corpus/ordinary.ts';
import { click, passwordField, script, shop, submit, loginForm, target } from '../test/corpus/situations.ts';
import { factsOf, factsText, reviewFacts } from './facts.ts';
import type { Review } from './observation.ts';
import { judge } from './review.ts';

/** Stands for an HMAC: what is under test is where texts go, not how they are hidden. */
const salted = (salt: string) => ({
  commit: (text: string) =>
    Array.from(`${salt} ${text}`)
      .reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7)
      .toString(16),
  mask: (text: string) => text,
});

const reviews: Review[] = [
  ...objectionable.map(([, , review]) => review),
  ...ordinary.map(([, review]) => review),
  ...Object.values({ ...reading, ...acting }).map((source) => script(source)),
];

test('a verdict made again from the recorded facts is the same [vault.review.replay] [vault.review.deterministic]', () => {
  for (const review of reviews) {
    const facts = factsOf(review, salted('a'));
    const recorded = reviewFacts.parse(JSON.parse(factsText(facts)));
    expect(judge(recorded)).toEqual(judge(facts));
    expect(factsText(recorded)).toBe(factsText(facts));
    expect(judge(factsOf(review, salted('b')))).toEqual(judge(facts));
  }
});

test('half a character, as a page makes that cuts a text in two, is reviewed and recorded like any other [vault.review.half-characters]', () => {
  const half = (text: string): string => text.replaceAll(/[a-z]/gi, '$&\ud83d');
  const halved = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (name, one: unknown) =>
      typeof one === 'string' && !/url|kind|type|name|method|verdict/i.test(name) ? half(one) : one,
    ) as T;
  for (const review of reviews) {
    const facts = factsOf({ ...review, observation: halved(review.observation) }, salted('a'));
    expect(factsText(facts).isWellFormed()).toBe(true);
    expect(reviewFacts.parse(JSON.parse(factsText(facts)))).toEqual(facts);
  }
});

test('the facts of any operation fit into an audit record', () => {
  const long = script('document.title = document.cookie;'.repeat(1900));
  const many = script("document.querySelector('#a').click();".repeat(1900));
  for (const review of [...reviews, long, many])
    expect(Buffer.byteLength(factsText(factsOf(review, salted('a'))))).toBeLessThan(60_000);
});

test('the facts hold no text of the page and no data of an address [vault.review.facts-without-text]', () => {
  const seen = fc.stringMatching(/^[A-Za-z]{8,20}$/).map((text) => `Zq${text}`);
  fc.assert(
    fc.property(seen, (text) => {
      const form = {
        ...loginForm,
        action: `${shop}/session?token=${text}`,
        fields: [{ tag: 'input', type: 'text', autocomplete: text, names: [text], visible: true }],
      };
      const one = target({ names: [text], autocomplete: text, link: `${shop}/a?q=${text}#${text}`, form });
      for (const review of [
        click(one, { url: `${shop}/?q=${text}` }),
        click({ ...submit(text, form), names: [text] }),
        click(passwordField({ names: [text] })),
      ])
        expect(factsText(factsOf({ ...review, task: text }, salted('a')))).not.toContain(text);
    }),
  );
});

test('a commitment shows nothing without its salt: the same page has another one in another record', () => {
  const review = click(target());
  expect(factsOf(review, salted('a')).commitments).not.toEqual(factsOf(review, salted('b')).commitments);
});
