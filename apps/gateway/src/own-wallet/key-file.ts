import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { makeFolder } from '@countersign/service/make-folder';
import { privateKey } from '../config.ts';

/** Keeps a new key in a file that only its owner may read. An existing file, or link, stays as it is: it may be a wallet's only key. */
export function writeNewKey(file: string, key: Uint8Array): Result<null, string> {
  let opened: number | undefined;
  try {
    makeFolder(dirname(file), 0o700);
    opened = openSync(file, 'wx', 0o600);
    writeSync(opened, `0x${Buffer.from(key).toString('hex')}\n`);
    fsyncSync(opened);
    return ok(null);
  } catch (error) {
    // Half a key is none; this file is ours.
    if (opened !== undefined) rmSync(file, { force: true });
    const { code = 'unknown', syscall } = error as NodeJS.ErrnoException;
    return fail(
      code === 'EEXIST' && syscall === 'open'
        ? `${file} exists and stays as it is, for it may hold a wallet’s only key: name another file with --out FILE`
        : `${file} cannot be written (${code}): name a file in a writable folder with --out FILE`,
    );
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Reads what `writeNewKey` wrote. What is wrong with it never shows the text. */
export function readKeyFile(file: string): Result<Uint8Array, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return fail(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  const key = privateKey(text.trim());
  return key.ok ? key : fail(`${file} ${key.error}`);
}
