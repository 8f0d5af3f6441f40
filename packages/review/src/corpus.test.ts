import { expect, test } from 'vitest';
import { processorTime } from '../test/processor-time.ts';
import { figuresOf, formatShare, languagesOf } from '../test/corpus/figures.ts';
import { great, judgeGreat } from '../test/corpus/great.ts';
import { forbidden, harmless, logins, notLogins, requests as sent } from '../test/corpus/read-corpus.ts';

const figures = figuresOf();
const both = ({ tuned, heldOut }: (typeof figures)['logins']) =>
  `${formatShare(tuned)}, held out ${formatShare(heldOut)}`;

test('the corpus is as large as it says', () => {
  expect(logins.length).toBeGreaterThanOrEqual(150);
  expect(languagesOf().size).toBeGreaterThanOrEqual(15);
  expect(notLogins.length).toBeGreaterThanOrEqual(60);
  expect(harmless.length).toBeGreaterThanOrEqual(300);
  expect(forbidden.length).toBeGreaterThanOrEqual(300);
  expect(sent.actingGets.length).toBeGreaterThanOrEqual(150);
  expect(sent.actingBodies.length).toBeGreaterThanOrEqual(60);
  expect(sent.readingGets.length).toBeGreaterThanOrEqual(150);
});

type Named = (typeof figures)['logins'];
/** What failed beyond the share that may: empty where enough is good. */
const beyond = ({ tuned, heldOut }: Named, share: number): readonly string[] =>
  [tuned, heldOut].flatMap(({ good, of, failed }) => (good / of >= share ? [] : failed));

test(`log-in forms filled and sent without a question: ${both(figures.logins)} [vault.review.logins]`, () => {
  expect(beyond(figures.logins, 0.97)).toEqual([]);
});

test(`log-in forms of public sites, on a page that says nothing: ${both(figures.real)} [vault.review.logins.real]`, () => {
  expect(beyond(figures.real, 0.95)).toEqual([]);
});

test(`what log-in forms send, and goes without a question: ${both(figures.signIns)} [vault.review.logins]`, () => {
  expect(beyond(figures.signIns, 0.97)).toEqual([]);
});

test(`forms that are no log-in are not taken for one: ${both(figures.notLogins)}`, () => {
  expect(beyond(figures.notLogins, 1)).toEqual([]);
});

test(`harmless reads that pass: ${both(figures.reads)} [vault.review.harmless-reads]`, () => {
  expect(beyond(figures.reads, 0.98)).toEqual([]);
});

const { acts, requests, kinds } = figures;
test(`unnamed acts that are stopped: ${both(acts)}; at the request: ${both(requests)}; by kind: ${both(kinds)} [vault.review.acts]`, () => {
  expect(beyond(figures.acts, 1)).toEqual([]);
});

const { actingGets, actingBodies, actingFound, readingGets, readingBodies, readingFound } = figures;
test(`addresses that act by being opened: ${both(actingGets)}; as found in public programs: ${both(actingFound)} [vault.review.act.by-address]`, () => {
  expect(beyond(actingGets, 0.95)).toEqual([]);
  expect(beyond(actingFound, 0.75)).toEqual([]);
});

test(`bodies that act where one reads: ${both(actingBodies)} [vault.review.act.by-body]`, () => {
  expect(beyond(actingBodies, 0.95)).toEqual([]);
});

test(`what reads under words of acts: ${both(readingGets)}; as found: ${both(readingFound)}; bodies: ${both(readingBodies)} [vault.review.harmless-reads]`, () => {
  for (const one of [readingGets, readingFound]) expect(beyond(one, 0.98)).toEqual([]);
  expect(beyond(readingBodies, 0.95)).toEqual([]);
});

/** Of several tries the fastest: what else the machine does only adds. */
const fastest = (input: Parameters<typeof judgeGreat>[0]): number =>
  Math.min(...Array.from({ length: 5 }, () => processorTime(() => judgeGreat(input))));

test.each(Object.entries(great))(
  'judging takes no more time than its input is long: %s [vault.review.linear]',
  (_, make) => {
    const [small, large] = [make(2), make(16)];
    fastest(small);
    // Eight times the input would take 64 times as long if each part were compared with each other.
    expect(fastest(large)).toBeLessThan(24 * fastest(small) + 20);
  },
);
