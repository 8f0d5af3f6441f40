import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Returns the directory below the data directory in which `countersign start --fetch` stores packages. */
export const partsIn = (dir: string): string => join(dir, 'parts');

/**
 * Where a file of a package lies that the published command brings only when asked for: installed beside us, or fetched into the
 * data directory `dir`. Throws where it is in neither.
 */
export function findPart(request: string, dir: string): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(request);
  } catch {
    return resolve(request, { paths: [partsIn(dir)] });
  }
}
