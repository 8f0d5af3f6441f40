import { existsSync, readFileSync } from 'node:fs';
import type { Tee } from '@countersign/protocol/vault/audit-record';
import { ownNamespaces, type User, withoutRights } from '../os/ladder.ts';

/** A way to start the core: the command before its own, and as whom it then runs. */
export type CoreJail = User & { readonly prefix: readonly string[] };

/** A user that runs nothing else: this one where it exists, else a number that no distribution gives away. */
const ownUserName = 'countersign-enclave';
const ownUid = 61_013;

/**
 * What util-linux can make of this machine, the strongest first; the last needs nothing. Devices and keys of hardware
 * are only for users whom somebody gave them to, so there the own user is one that somebody made.
 */
export function coreJails(uid: number, gid: number, tee: Tee['kind']): readonly CoreJail[] {
  if (process.platform !== 'linux') return [{ prefix: [], uid, gid }];
  const own = namedUser() ?? (tee === 'simulated' ? { uid: ownUid, gid: ownUid } : { uid, gid });
  const apart = ownNamespaces({ network: true, isRoot: uid === 0, furnishes: false });
  const asRoot: readonly CoreJail[] = [
    { prefix: [...apart, ...withoutRights(own)], ...own },
    { prefix: [...apart, ...withoutRights(null)], uid, gid },
    { prefix: withoutRights(own), ...own },
  ];
  const asUser: readonly CoreJail[] = [{ prefix: [...apart, ...withoutRights(null)], uid, gid }];
  return [
    ...(uid === 0 ? asRoot : asUser),
    { prefix: withoutRights(null), uid, gid },
    { prefix: [], uid, gid },
  ];
}

function namedUser(): User | null {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const found = new RegExp(`^${ownUserName}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users);
  return found === null ? null : { uid: Number(found[1]), gid: Number(found[2]) };
}
