import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { OpenLogs } from '../test/open-logs.ts';
import type { VectorCase } from '../test/vector-cases.ts';
import { firstKey, secondKey, vectors } from '../test/vectors.ts';
import { verifyBundle } from './verify/bundle.ts';
import { verifyExport } from './verify/export.ts';
import { verifyProofFile } from './verify/proof-file.ts';
import { verdictOf } from './verify/report.ts';
import { readTrustedKey } from './verify/trusted-key.ts';
import { verifyBy } from './verify/verify-by.ts';

const folder = join(import.meta.dirname, '../../../docs/spec/vectors/audit-log');
const kept = (name: string): string => readFileSync(join(folder, name), 'utf8');

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

describe('the vectors of docs/spec/audit-log.md', () => {
  test('are what the log writes, byte by byte', async () => {
    const files = await vectors(logs);
    for (const [name, text] of files) await expect(text).toMatchFileSnapshot(join(folder, name));
    expect([...files.keys()].sort((a, b) => a.localeCompare(b))).toEqual([
      'bundle.json',
      'cases.jsonl',
      'export.jsonl',
      'keys.json',
      'record.tlog-proof',
    ]);
  });

  test.each([firstKey, secondKey])('are good by either key (%#)', async ({ publicKey }) => {
    const lines = async function* () {
      yield* kept('export.jsonl').trimEnd().split('\n');
    };
    const reports = [await verifyExport(lines, [publicKey]), verifyBundle(kept('bundle.json'), [publicKey])];
    expect(reports.map(verdictOf)).toEqual(['simulated', 'simulated']);
  });

  test('a case has the verdict that stands beside it [vault.audit.cases]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cases-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const cases = kept('cases.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as VectorCase);
    const found = [];
    for (const { name, keys, file } of cases) {
      const path = join(folder, 'file');
      writeFileSync(path, file);
      const trusted = keys.map(readTrustedKey).filter((one) => one !== null);
      found.push([name, verdictOf(await verifyBy(path, trusted))]);
    }
    expect(found).toEqual(cases.map(({ name, verdict }) => [name, verdict]));
  });

  test('the proof is good by the key that signed it', () => {
    expect(verdictOf(verifyProofFile(kept('record.tlog-proof'), [secondKey.publicKey]))).toBe('simulated');
  });
});
