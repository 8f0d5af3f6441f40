import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAudit } from './audit.ts';

const file = join(import.meta.dirname, '../../../docs/spec/vectors/audit-log/cases.jsonl');
const cases = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { name: string; verdict: string; keys: string[]; file: string });

test('each case of the vectors has the verdict of the command [vault.audit.cases]', async () => {
  const found = [];
  for (const { name, keys, file } of cases) found.push([name, (await checkAudit(file, keys)).verdict]);
  expect(found).toEqual(cases.map(({ name, verdict }) => [name, verdict]));
});

test('a key that is none is an error', async () => {
  await expect(checkAudit('', ['AAAA'])).rejects.toThrow('a key must be 32 bytes of Ed25519 in base64');
});
