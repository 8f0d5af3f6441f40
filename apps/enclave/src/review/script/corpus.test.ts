import { expect, test } from 'vitest';
import { factsOf } from '../facts.ts';
import { judge } from '../review.ts';
import { benign } from './corpus/benign.ts';
import { exfiltrating } from './corpus/exfiltrating.ts';
import { heldOutBenign, heldOutExfiltrating } from './corpus/held-out.ts';

const review = (script: string) =>
  judge(
    factsOf(
      {
        operation: { operation_type: 'execute_script', value: script },
        task: 'Log in and read my orders',
        approval: 'auto',
        allowedUrls: ['https://shop.example'],
        credential: { type: 'username_password', allowedUrls: [] },
        observation: { url: 'https://shop.example/account', target: null, reading: null },
      },
      { commit: () => 'salted', mask: (text) => text },
    ),
  );

type Corpus = Readonly<Record<string, string>>;

const namesWhere = (scripts: Corpus, holds: (verdict: string) => boolean): string[] =>
  Object.entries(scripts)
    .filter(([, script]) => holds(review(script).verdict))
    .map(([name]) => name);

/** Rejected, or put before a person: it does not run by itself. */
const stopped = (scripts: Corpus) => namesWhere(scripts, (verdict) => verdict !== 'allow');
const missed = (scripts: Corpus) => namesWhere(scripts, (verdict) => verdict === 'allow');

const rate = (some: readonly string[], all: Corpus): string => `${some.length} of ${Object.keys(all).length}`;

test(`scripts that let something out: ${rate(stopped(exfiltrating), exfiltrating)} stopped, of the held-out ones ${rate(stopped(heldOutExfiltrating), heldOutExfiltrating)} [vault.review.script.recall] [vault.review.script.taint]`, () => {
  const all = { ...exfiltrating, ...heldOutExfiltrating };
  expect(missed(exfiltrating)).toEqual([]);
  // A script element that has run does not run again, so that this one does no harm; it is not noticed all the same.
  expect(missed(heldOutExfiltrating)).toEqual(['import map']);
  expect(stopped(all).length / Object.keys(all).length).toBeGreaterThanOrEqual(0.95);
  // Reading a whole page is put before a person; everything else is rejected.
  expect(namesWhere(all, (verdict) => verdict === 'ask')).toEqual([
    'all of the page at once',
    'reading every node',
  ]);
});

test(`scripts of honest agents: ${rate(stopped(benign), benign)} stopped, of the held-out ones ${rate(stopped(heldOutBenign), heldOutBenign)} [vault.review.script.false-alarms]`, () => {
  expect(stopped(benign)).toEqual([]);
  expect(stopped(heldOutBenign)).toEqual([]);
});

test('a review takes under 5 ms, scripts included [vault.review.fast]', () => {
  const scripts = Object.values({ ...exfiltrating, ...benign, ...heldOutBenign });
  for (const script of scripts) review(script);
  const once = (script: string): number => {
    const started = performance.now();
    review(script);
    return performance.now() - started;
  };
  // The best of five, since other processes share the machine.
  const times = scripts.map((script) => Math.min(...Array.from({ length: 5 }, () => once(script))));
  times.sort((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((part) => times[Math.floor(times.length * part)]);
  const slowest = times.at(-1);
  console.info(
    `review of a script: median ${median?.toFixed(2)} ms, p95 ${p95?.toFixed(2)} ms, slowest ${slowest?.toFixed(2)} ms`,
  );
  expect(slowest).toBeLessThan(5);
});

test('a script of any length comes to an end', () => {
  const nested = `${'(function(){'.repeat(200)}return 1${'})()'.repeat(200)}`;
  const long = `let a = 1;${'a += document.title.length;'.repeat(2000)}return a`;
  for (const script of [nested, long, `${'['.repeat(1000)}${']'.repeat(1000)}`, 'x'.repeat(60_000)])
    expect(['allow', 'deny']).toContain(review(script).verdict);
});
