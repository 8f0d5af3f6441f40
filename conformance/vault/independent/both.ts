import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { readTrustedKey } from '@countersign/audit-log/verify/trusted-key';
import { verifyBy } from '@countersign/audit-log/verify/verify-by';
import { expect } from 'vitest';
import { changed } from './changes.ts';
import { type Given, python, verifyAllByPython } from './python.ts';

/** Who has no Python with `cryptography` can run the tests nevertheless; CI has to have it. */
export const isPythonWanted = python !== null || process.env['CI'] !== undefined;

export type Named = readonly [name: string, text: string | Buffer, ...keys: string[]];

/** The verdicts of both verifiers, by the names of the files. */
export async function verdictsOf(named: readonly Named[]) {
  const given = named.map(([, text, ...keys]) => ({ file: Buffer.from(text), keys }));
  const theirs = await verifyAllByPython(given);
  const dir = mkdtempSync(join(tmpdir(), 'both-verifiers-'));
  try {
    const both: { name: string; ours: string; theirs: string | undefined }[] = [];
    for (const [i, each] of given.entries())
      both.push({
        name: named[i]?.[0] ?? '',
        ours: await verdictOfOurs(dir, each),
        theirs: theirs[i]?.verdict,
      });
    return both;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** What our own verifier says of a file. */
async function verdictOfOurs(dir: string, { file, keys }: Given): Promise<string> {
  const path = join(dir, 'given');
  writeFileSync(path, file);
  return verdictOf(
    await verifyBy(
      path,
      keys.map(readTrustedKey).filter((key) => key !== null),
    ),
  );
}

/** The same verdict of both, file by file. */
export const said = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([name, verdict]) => ({ name, ours: verdict, theirs: verdict }));

/** Both verifiers give the verdict on a file with the key and without, and agree about any one change of it. */
export async function expectAlike(text: string, key: string, verdict: string): Promise<void> {
  expect(await verdictsOf([[verdict, text, key]])).toEqual(said([[verdict, verdict]]));
  const files = changed(text, 200);
  const both = await verdictsOf(
    files.flatMap(([name, file]): Named[] => [
      [name, file, key],
      [`${name} without a key`, file],
    ]),
  );
  expect(both.map(({ name, theirs }) => ({ name, theirs }))).toEqual(
    both.map(({ name, ours }) => ({ name, theirs: ours })),
  );
}
