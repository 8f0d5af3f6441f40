import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@countersign/service/make-folder';

/** Writes a file that only its owner may read, in one rename: a reader sees the old text or the new, never a part. */
export function writeWhole(file: string, text: string): void {
  makeFolder(dirname(file));
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}
