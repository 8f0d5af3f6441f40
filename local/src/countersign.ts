import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const program = 'cli/bin/countersign.js';

/** Returns how to run `countersign ARGS` with this Node, both from sources and from the bundle. */
export function countersign(...args: readonly string[]): { command: string; args: readonly string[] } {
  return { command: process.execPath, args: [join(repositoryRoot(), program), ...args] };
}

/** The folder that holds the repository: found upwards, because the bundle lies elsewhere than the sources. */
function repositoryRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, program))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`${program} is missing: run this from a clone of the repository`);
    folder = parent;
  }
  return folder;
}
