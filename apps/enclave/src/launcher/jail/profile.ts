import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { profilePrefix } from './leftovers.ts';
import type { Wall } from './walls.ts';

/** Where a browser keeps what it keeps, for as long as it lives. */
export type Profile = { readonly path: string; readonly remove: () => void };

/** In memory, inside the jail, where the jail has files of its own; else a folder of the browser's user. */
export function makeProfile({ tool, user }: Wall): Profile {
  if (tool !== 'none') return { path: '/tmp/profile', remove: () => {} };
  const path = mkdtempSync(profilePrefix());
  chmodSync(path, 0o700);
  if (user !== null) chownSync(path, user.uid, user.gid);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
