import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { profilePrefix } from './leftovers.ts';
import type { Wall } from './walls.ts';

/** A browser's profile directory, which exists as long as the browser. */
export type Profile = { readonly path: string; readonly remove: () => void };

/**
 * Returns a profile in memory, inside a jail with a file system of its own; otherwise a directory of the
 * browser's user.
 */
export function makeProfile({ tool, user }: Wall): Profile {
  if (tool !== 'none') return { path: '/tmp/profile', remove: () => {} };
  const path = mkdtempSync(profilePrefix());
  chmodSync(path, 0o700);
  if (user !== null) chownSync(path, user.uid, user.gid);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
