import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@countersign/service/make-folder';

/** Makes the enclave's directory, which is nobody else's. */
export function makeDataDir(dir: string): void {
  makeFolder(dir, 0o700);
  chmodSync(dir, 0o700);
}

/** Gives the directory, and what the enclave keeps in it, to the user that the core runs as. */
export function giveDataDir(dir: string, uid: number, gid: number): void {
  if (process.getuid?.() !== 0) return;
  const audit = join(dir, 'audit');
  const below = existsSync(audit) ? readdirSync(audit, { recursive: true, encoding: 'utf8' }) : [];
  const own = [dir, join(dir, 'keys.json'), join(dir, 'simulated-tee'), audit];
  for (const path of [...own, ...below.map((name) => join(audit, name))])
    if (existsSync(path)) chownSync(path, uid, gid);
}
