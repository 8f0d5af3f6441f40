import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file that only its owner may read, in one rename: a reader sees the old text or the new, never a part. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}
