import { expect, test } from 'vitest';
import { MaskedWords } from './masked-words.ts';
import { newMasker } from './masker.ts';
import { wordsIn } from './words.ts';

const utf8 = new TextEncoder();
const few = newMasker(
  ['Tr0ub4dor&3 "x"', 'hunter2hunter', '4111 1111 1111 1111', 'sk_live_abcdefghijklmnop', '1234'].map((one) =>
    utf8.encode(one),
  ),
);
/** All alike but for their length: they share every few of their bytes. */
const alike = newMasker(Array.from({ length: 100 }, (_, i) => utf8.encode('a'.repeat(4 + i))));

/** In milliseconds. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}

/** The least of three times, because other programs are at work too; or the first that is below what is allowed. */
function least(work: () => void, allowed = 0): number {
  let time = processorTime(work);
  for (let tries = 1; tries < 3 && time >= allowed; tries++) time = Math.min(time, processorTime(work));
  return time;
}

const hostile: Record<string, string> = {
  'an ordinary page': '<p class="a">Order 12 &amp; more</p>\n{"path":"\\/a%20b"} ',
  'percent signs': '%25',
  'every encoding in itself': '%252525&amp;amp;amp;\\\\\\\\u0041',
  'half references': '&abcdefgh',
  'the secret again and again': 'hunter2hunter 1234 ',
  'its beginning': 'hunter2hunte',
  'single digits': '1 2 3 4 ',
  'one letter': 'a',
  'spaces alone': ' ',
  'letters of many scripts': '漢字é①ﬁ',
};

test.each(Object.entries(hostile))(
  'sixteen times as much of %s costs nothing like 256 times as much [vault.sandbox.masking.linear]',
  (_, piece) => {
    const of = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    for (const masker of [few, alike]) {
      const [small, large] = [of(10_000), of(160_000)];
      const mask = (text: string) => () => masker.text(text);
      least(mask(small));
      // Below a millisecond it is mostly what else the machine does.
      const allowed = 96 * Math.max(least(mask(small)), 1);
      expect(least(mask(large), allowed)).toBeLessThan(allowed);
    }
  },
);

test.each(['"', '" ', "'\\", "'\\''", '(', ',;|&', 'a=', '1. ', '- ', ' '])(
  'sixteen times as much of %j costs nothing like 256 times as much to find words in [vault.sandbox.masking.linear]',
  (piece) => {
    const find = (length: number) => () => wordsIn(piece.repeat(Math.ceil(length / piece.length)));
    processorTime(find(4000));
    const allowed = 96 * Math.max(least(find(4000)), 1);
    expect(least(find(64_000), allowed)).toBeLessThan(allowed);
  },
);

test('a page of 5,000 texts is masked in one pass, with a thousand secrets too [vault.sandbox.masking.linear]', () => {
  const many = newMasker(
    Array.from({ length: 1000 }, (_, i) =>
      utf8.encode(`sk_live_${(i * 7919 + 1e6).toString(36)}-${i * 104729}`),
    ),
  );
  const texts = Array.from({ length: 5000 }, (_, i) => `Order item ${i} here`);
  expect(many.nodes(texts)).toEqual(texts);
  const costs = Array.from({ length: 5 }, () => processorTime(() => many.nodes(texts)));
  // 5 ms on an idle machine.
  expect(Math.min(...costs)).toBeLessThan(60);
});

test('with a thousand words that an agent wrote too, and the more words the longer, not by their square [vault.sandbox.masking.linear]', () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `Order item ${i} here`);
  const costs = [256, 1024].map((count) => {
    const words = Array.from({ length: count }, (_, i) => `word${(i * 7919).toString(36)}-x`);
    const before = process.cpuUsage();
    const masked = new MaskedWords();
    masked.add(words);
    masked.indexes();
    const built = process.cpuUsage(before).user / 1000;
    const masker = newMasker([utf8.encode('hunter2hunter')], undefined, masked);
    expect(masker.nodes(texts)).toEqual(texts);
    const passes = Array.from({ length: 3 }, () => {
      const since = process.cpuUsage();
      masker.nodes(texts);
      return process.cpuUsage(since).user / 1000;
    });
    return { built, pass: Math.min(...passes) };
  });
  // 0.3 ms a word and 30 ms a pass on an idle machine.
  expect(costs[1]?.built).toBeLessThan(10 * Math.max(costs[0]?.built ?? 0, 50));
  expect(costs[1]?.pass).toBeLessThan(400);
});
