import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { fail, ok, type Result } from '@countersign/protocol/result';

type EnvFile = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether others on this machine can read the file. */
  readonly isOpen: boolean;
};

/** Reads a file of variables. The error is one sentence, without anything of the file. */
export function readEnvFile(file: string): Result<EnvFile, string> {
  try {
    // A byte order mark is no part of the first name.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    if (text.includes('\0')) return fail(noText(file));
    const { mode } = statSync(file);
    return ok({ variables: parseEnv(text), isOpen: process.platform !== 'win32' && (mode & 0o044) !== 0 });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return fail(noText(file));
    if (code === 'EISDIR') return fail(`--env ${file} is a folder: name the file in it.`);
    return fail(`--env ${file} cannot be read (${code}): "countersign init" writes such a file.`);
  }
}

const noText = (file: string): string => `--env ${file} is not a text file: name a file of lines NAME=value.`;
