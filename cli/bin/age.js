// How old files are: what a build on demand asks.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** When a file changed, in milliseconds; 0 when there is none. */
export function modifiedAt(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** Whether everything in a folder but tests is older than `time`. A folder that is not there is. */
export function isOlder(folder, time) {
  let items;
  try {
    items = readdirSync(folder, { withFileTypes: true });
  } catch {
    return true;
  }
  return items.every((item) => {
    const path = join(folder, item.name);
    if (item.isDirectory()) return isOlder(path, time);
    return item.name.endsWith('.test.ts') || modifiedAt(path) < time;
  });
}
