import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { rulesDigest } from '@countersign/review/rules-digest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { append, exported, OpenLogs } from '../../test/open-logs.ts';
import { endOf, reportJson, reportText } from './report.ts';
import { ReviewsCheck } from './reviews.ts';
import { verifyBy } from './verify-by.ts';

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

const page = { url: 'https://shop.example/', namesUser: false, data: 0 };
/** Of an operation that reads, in a session that may go anywhere on its shop. */
const facts = {
  version: 1,
  operation: { type: 'scroll', fields: [], placeholders: 'none', submits: false, activates: false },
  session: { allowedUrls: ['https://shop.example'], approval: 'auto', task: [], credentials: 0 },
  credential: null,
  page,
  destination: null,
  leads: [],
  target: null,
  place: null,
  reading: null,
  script: null,
  commitments: { operation: '', observation: '' },
};
const none = [{ rule: 'none', verdict: 'allow' }];
const about = { phase: 'intent', operationId: 'one', operationType: 'scroll' };
const good = { ...about, rulesDigest, facts, verdict: 'allow', rules: none };
const outcome = { phase: 'outcome', operationId: 'one', status: 'executed' };
const forged = { ...good, rules: [{ rule: 'scope.page', verdict: 'deny' }], verdict: 'deny' };

/** The report on a log of these records, by its file. */
async function verified(...details: readonly Record<string, unknown>[]) {
  const log = await logs.open();
  for (const detail of details) await append(log, { eventType: 'sandbox_operation', detail });
  const file = join(logs.dir, 'export.jsonl');
  writeFileSync(file, (await exported(log, 'tnt_a')).join('\n'));
  return verifyBy(file, [], () => new ReviewsCheck());
}

test('verdicts that hold are one line, and the file decides', async () => {
  const report = await verified(good, good);
  const { exitCode, verdict } = endOf(report);
  expect({ exitCode, verdict }).toEqual({ exitCode: 2, verdict: 'incomplete' });
  expect(reportText(report)).toContain(`ok      2 verdicts made again by rules ${rulesDigest}: the same\n`);
});

test('one that differs is named by its record and line, with what the rules say, and decides [vault.audit.cli.reviews]', async () => {
  const report = await verified(good, forged);
  expect(endOf(report)).toMatchObject({ exitCode: 1, verdict: 'bad' });
  expect(reportText(report)).toMatch(
    /^BAD {5}line 2: aud_[0-9a-f]{8}_1: the record says deny by scope\.page \(deny\), and the rules say allow by none \(allow\)$/m,
  );
  const { reviews } = JSON.parse(reportJson(report));
  expect(reviews).toMatchObject({ madeAgain: 1, differ: 1, notJudged: 0 });
  expect(reviews.differences).toMatchObject([
    { line: 2, recorded: { verdict: 'deny' }, made: { verdict: 'allow' } },
  ]);
});

test('of hundreds that differ twenty are told, and all are counted', async () => {
  const report = await verified(...Array.from({ length: 30 }, () => forged));
  const text = reportText(report);
  expect(text.match(/^BAD {5}line/gm)).toHaveLength(20);
  expect(text).toContain('BAD     and 10 more verdicts are not what the rules say\n');
  expect(report.reviews?.report).toMatchObject({ differ: 30 });
});

test('what a hostile record calls a rule moves no cursor and fills no screen', async () => {
  const rules = Array.from({ length: 500 }, () => ({ rule: '\u001b[2J\u202egood\n', verdict: 'deny' }));
  const report = await verified(good, { ...forged, rules });
  const told =
    reportText(report)
      .split('\n')
      .find((line) => line.includes('the record says')) ?? '';
  expect(told).toMatch(/^[\x20-\x7e]{1,1000}$/);
  expect(told).toContain('and 492 more');
});

test('what a hostile file calls a record moves no cursor, and JSON has it by its code', () => {
  const check = new ReviewsCheck();
  const auditId = 'aud_\u202e\u009b2J\u0007';
  const rules = [{ rule: '\u009b2J\u202e', verdict: 'deny' }];
  const record = { eventType: 'sandbox_operation', auditId, detail: { ...forged, rules } };
  check.record(record as unknown as AuditRecord, 1);
  const report = {
    kind: 'export',
    steps: [],
    isSimulated: false,
    head: null,
    reviews: check.made(),
  } as const;
  expect(reportText(report)).toMatch(/^[\x20-\x7e\n]+$/);
  const json = reportJson(report);
  expect(json).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(json).reviews.differences).toMatchObject([{ auditId, recorded: { rules } }]);
});

test('a record that the review does not write is told, and what is missing in it [vault.audit.cli.reviews]', async () => {
  const { verdict: _verdict, rules: _rules, ...bare } = good;
  const report = await verified(good, bare, { ...good, operationType: 'fill' });
  expect(endOf(report)).toMatchObject({ exitCode: 1, verdict: 'bad' });
  const text = reportText(report);
  expect(text).toMatch(/^BAD {5}line 2: \S+: it has no verdict, and only outcomes, pictures/m);
  expect(text).toMatch(/^BAD {5}line 3: \S+: its facts are of another operation than it names$/m);
  expect(JSON.parse(reportJson(report)).reviews.differences).toMatchObject([
    { line: 2, recorded: null, made: null },
    { line: 3, recorded: { verdict: 'allow' }, made: null },
  ]);
});

test('where no verdict can be made again nothing is judged, in text and JSON [vault.audit.cli.reviews.not-judged]', async () => {
  const { rulesDigest: _digest, ...earlier } = good;
  const report = await verified(earlier, earlier, { ...good, rulesDigest: 'f'.repeat(64) }, outcome);
  expect(endOf(report)).toMatchObject({ exitCode: 64, verdict: 'none' });
  const text = reportText(report);
  expect(text).toContain('note    3 verdicts not made again\n');
  expect(text).toContain('note      2: recorded by an earlier build, which did not say by which rules\n');
  expect(text).toContain('\nNOT JUDGED: no verdict of the review could be made again\n');
  expect(JSON.parse(reportJson(report))).toMatchObject({
    verdict: 'none',
    exitCode: 64,
    error: expect.any(String),
    reviews: { madeAgain: 0, differ: 0, notJudged: 3 },
  });
});

test('a file that is bad is bad, whatever its verdicts are', async () => {
  const log = await logs.open();
  await append(log, { eventType: 'sandbox_operation', detail: { ...good, note: 'written' } });
  const file = join(logs.dir, 'changed.jsonl');
  const lines = await exported(log, 'tnt_a');
  writeFileSync(file, lines.join('\n').replace('written', 'changed'));
  const report = await verifyBy(file, [], () => new ReviewsCheck());
  expect(endOf(report)).toMatchObject({ exitCode: 1, text: 'BAD: this is not what the log wrote' });
});
