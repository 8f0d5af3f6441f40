import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hierarchy, removeOldGroups } from '../caps/cgroup.ts';
import { isBrowserUid } from '../users.ts';

/** Names of what a jail leaves if its launcher is killed begin like this; the launcher's process id follows. */
const prefixOf = (kind: 'browser' | 'connector'): string => `countersign-${kind}-${process.pid}-`;
const named = /^countersign-(?:browser|connector)-(\d+)-/;

export const groupName = (kind: 'browser' | 'connector', jail: number): string => `${prefixOf(kind)}${jail}`;
export const profilePrefix = (): string => join(tmpdir(), prefixOf('browser'));

/** Removes what launchers left that could not clean up: groups and profile folders. Processes end by themselves. */
export function removeLeftovers(hierarchy: Hierarchy): void {
  removeOldGroups(hierarchy, isOld);
  for (const name of readdirSync(tmpdir()).filter(isOld)) {
    const path = join(tmpdir(), name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // Anyone may write there: what is not a browser's or ours is not touched.
    if (stat?.isDirectory() === true && (isBrowserUid(stat.uid) || stat.uid === process.getuid?.()))
      rmSync(path, { recursive: true, force: true });
  }
}

function isOld(name: string): boolean {
  const pid = named.exec(name)?.[1];
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}
