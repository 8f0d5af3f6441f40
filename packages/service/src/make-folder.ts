import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for `mode`; one that exists stays as it is. Throws what the system says. Node's recursive `mkdir`
 * tries for ever, and hears no signal, where a folder that exists takes none (below /proc).
 */
export function makeFolder(dir: string, mode = 0o777): void {
  try {
    return makeOne(dir, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(dir) === dir) throw error;
  }
  makeFolder(dirname(dir), mode);
  makeOne(dir, mode);
}

function makeOne(dir: string, mode: number): void {
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    // A file there is an error; a read-only file system says of a folder that exists that it is read-only.
    if (codeOf(error) === 'ENOENT' || !isFolder(dir)) throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isFolder = (dir: string): boolean => statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
