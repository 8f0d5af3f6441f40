import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { rulesDigest } from '../test/recorded.ts';
import { type VerdictCase, verdictCases } from '../test/verdict-vectors.ts';
import { MadeAgain } from './made-again.ts';
import { ofLateRequest, ofOperation, ofRequests, recordedVerdict } from './recorded.ts';

const spec = join(import.meta.dirname, '../../../docs/spec');

/** What each record of a case comes to, without the words of rules. */
function againOf({ records }: VerdictCase) {
  const made = new MadeAgain(rulesDigest);
  return records.map((record) => {
    const again = made.again(JSON.parse(JSON.stringify(record)));
    if (again?.outcome !== 'differs' || again.made === null) return again;
    const rules = again.made.rules.map(({ rule, verdict }) => ({ rule, verdict }));
    return { ...again, made: { ...again.made, rules } };
  });
}

test('the vectors of docs/spec/recorded-verdict.md are what the code says, byte by byte [vault.audit.cli.reviews]', async () => {
  const lines = Object.values(verdictCases).flatMap((cases) =>
    cases.map((one) => `${JSON.stringify({ ...one, again: againOf(one) })}\n`),
  );
  await expect(lines.join('')).toMatchFileSnapshot(join(spec, 'vectors/verdicts.jsonl'));
});

test.each(Object.entries(verdictCases))('the last record of each case of %s is that', (outcome, cases) => {
  for (const one of cases) {
    const again = againOf(one).at(-1) ?? { outcome: 'not-judged' };
    expect([one.name, again.outcome]).toEqual([one.name, outcome]);
  }
});

/** Names of members, however deep. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...properties, ...Object.values(schema).flatMap(namesIn)];
}

test('docs/spec/recorded-verdict.md names every member that a record of a verdict may have', () => {
  const page = readFileSync(join(spec, 'recorded-verdict.md'), 'utf8');
  const schemas = [recordedVerdict, ofOperation, ofRequests, ofLateRequest];
  const names = new Set(schemas.flatMap((schema) => namesIn(z.toJSONSchema(schema))));
  expect(names.size).toBeGreaterThan(50);
  const words = new Set(page.match(/[A-Za-z][A-Za-z0-9]*/g));
  expect([...names].filter((name) => !words.has(name))).toEqual([]);
});
