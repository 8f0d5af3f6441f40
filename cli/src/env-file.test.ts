import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvFile } from './env-file.ts';

function fileOf(content: string | Buffer, mode = 0o600): string {
  const dir = mkdtempSync(join(tmpdir(), 'env-file-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'variables');
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

test('the first variable of a file with a byte order mark counts too [system.cli.env]', () => {
  expect(readEnvFile(fileOf("\uFEFFFIRST=1\r\nSECOND='two words'\r\n"))).toEqual({
    ok: true,
    value: { variables: { FIRST: '1', SECOND: 'two words' }, isOpen: false },
  });
});

test('what is no text, a folder or missing is told in a sentence [system.cli.env]', () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  for (const content of [picture, 'A=1\0'])
    expect(readEnvFile(fileOf(content))).toEqual({
      ok: false,
      error: expect.stringMatching(/is not a text file: name a file of lines NAME=value\.$/),
    });
  expect(readEnvFile(tmpdir())).toEqual({
    ok: false,
    error: `--env ${tmpdir()} is a folder: name the file in it.`,
  });
  expect(readEnvFile('none')).toEqual({ ok: false, error: expect.stringContaining('(ENOENT)') });
});

test('a file that others can read is told apart [system.cli.env]', () => {
  expect(readEnvFile(fileOf('A=1', 0o644))).toMatchObject({ value: { isOpen: true } });
});
