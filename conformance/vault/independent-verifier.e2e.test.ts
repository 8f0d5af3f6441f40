import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VectorCase } from '../../packages/audit-log/test/vector-cases.ts';
import { type Files, newFiles } from './independent/a-log.ts';
import { expectAlike, isPythonWanted, type Named, said, verdictsOf } from './independent/both.ts';
import { python, verifyByPython } from './independent/python.ts';
import { tamperings } from './independent/tamperings.ts';

const otherKey = Buffer.alloc(32, 9).toString('base64');
const vectors = join(import.meta.dirname, '../../docs/spec/vectors/audit-log');

let dir: string;
let files: Files;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'independent-verifier-'));
  files = await newFiles();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe.runIf(isPythonWanted)('a verifier in Python, written from docs/spec alone', () => {
  test('is there, and gives verdict and exit code [vault.audit.independent-verifier]', () => {
    const file = join(vectors, 'export.jsonl');
    expect(python).not.toBeNull();
    expect(verifyByPython(file)).toMatchObject({ status: 3, verdict: 'simulated', exitCode: 3 });
    expect(verifyByPython(file, '--key', otherKey)).toMatchObject({ status: 1, verdict: 'bad' });
    expect(verifyByPython(file, '--key', 'none')).toMatchObject({ status: 64, verdict: 'none' });
    expect(verifyByPython(join(dir, 'nowhere'))).toMatchObject({
      status: 64,
      verdict: 'none',
      exitCode: 64,
    });
  });

  test('says of the vectors what ours says, by each of their keys [vault.audit.independent-verifier]', async () => {
    const keys = JSON.parse(readFileSync(join(vectors, 'keys.json'), 'utf8')).keys as Record<
      string,
      string
    >[];
    const byEach = keys.flatMap((key) => Object.values(key));
    const named = ['export.jsonl', 'bundle.json', 'record.tlog-proof'].flatMap((name): Named[] => {
      const text = readFileSync(join(vectors, name));
      return [[name, text], ...byEach.map((key): Named => [name, text, key])];
    });
    const old = byEach.slice(0, 2).map(() => ['record.tlog-proof', 'bad'] as const);
    expect(await verdictsOf(named)).toEqual(
      said([
        ...Array.from({ length: 5 }, () => ['export.jsonl', 'simulated'] as const),
        ...Array.from({ length: 5 }, () => ['bundle.json', 'simulated'] as const),
        ['record.tlog-proof', 'incomplete'],
        ...old,
        ['record.tlog-proof', 'simulated'],
        ['record.tlog-proof', 'simulated'],
      ]),
    );
  });

  test('says of each case of the vectors what stands beside it [vault.audit.independent-verifier] [vault.audit.cases]', async () => {
    const lines = readFileSync(join(vectors, 'cases.jsonl'), 'utf8').trimEnd().split('\n');
    const cases = lines.map((line) => JSON.parse(line) as VectorCase);
    expect(await verdictsOf(cases.map(({ name, file, keys }): Named => [name, file, ...keys]))).toEqual(
      said(cases.map(({ name, verdict }) => [name, verdict])),
    );
  });

  test('says of a log whose key was changed, with two tenants and receipts, what ours says [vault.audit.independent-verifier]', async () => {
    const { first, now } = files;
    expect(
      await verdictsOf([
        ['export', files.export, now],
        ['export by the first key', files.export, first],
        ['export by nobody’s key', files.export, otherKey],
        ['export without a key', files.export],
        ['bundle', files.bundle, now],
        ['bundle by the first key, given second', files.bundle, otherKey, first],
        ['bundle by nobody’s key', files.bundle, otherKey],
        ['bundle without a key', files.bundle],
        ['proof', files.proof, now],
        ['proof by the first key', files.proof, first],
        ['proof without a key', files.proof],
      ]),
    ).toEqual(
      said([
        ['export', 'good'],
        ['export by the first key', 'good'],
        ['export by nobody’s key', 'bad'],
        ['export without a key', 'incomplete'],
        ['bundle', 'good'],
        ['bundle by the first key, given second', 'good'],
        ['bundle by nobody’s key', 'bad'],
        ['bundle without a key', 'incomplete'],
        ['proof', 'good'],
        ['proof by the first key', 'bad'],
        ['proof without a key', 'incomplete'],
      ]),
    );
  });

  test('says of tampered and of differently spelled files what ours says, and what the page says [vault.audit.independent-verifier]', async () => {
    const rows = tamperings(files);
    expect(await verdictsOf(rows.map(([name, , text]): Named => [name, text, files.now]))).toEqual(
      said(rows.map(([name, verdict]) => [name, verdict])),
    );
  });

  test.each(['export', 'proof', 'bundle'] as const)(
    'agrees on a byte, a line or a member changed anywhere: %s [vault.audit.independent-verifier]',
    (kind) => expectAlike(files[kind], files.now, 'good'),
  );
});
