import { existsSync, readFileSync } from 'node:fs';
import type { Tee } from '@countersign/protocol/vault/audit-record';

/** A way to start the core: the command before its own, and as whom it then runs. */
export type Jail = {
  readonly prefix: readonly string[];
  readonly uid: number;
  readonly gid: number;
};

/** A user that runs nothing else: this one where it exists, else a number that no distribution gives away. */
const ownUserName = 'countersign-enclave';
const ownUid = 61_013;

/** Whoever is killed takes along whom it started, though that hears nothing. The core asks for this by itself. */
const dyingWithUs = ['setpriv', '--pdeathsig', 'KILL'];
const newNamespaces = [
  'unshare',
  '--net',
  '--ipc',
  '--uts',
  '--mount',
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
];
const dropRights = ['setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
const mappedUser = ['--user', '--map-current-user'];

/**
 * What util-linux can make of this machine, the strongest first; the last needs nothing. Devices and keys of hardware
 * are only for users whom somebody gave them to, so there the own user is one that somebody made.
 */
export function jails(uid: number, gid: number, tee: Tee['kind']): readonly Jail[] {
  if (process.platform !== 'linux') return [{ prefix: [], uid, gid }];
  const own = namedUser() ?? (tee === 'simulated' ? { uid: ownUid, gid: ownUid } : { uid, gid });
  const becomeOwn = [...dropRights, `--reuid=${own.uid}`, `--regid=${own.gid}`, '--clear-groups'];
  const asRoot: readonly Jail[] = [
    { prefix: [...dyingWithUs, ...newNamespaces, ...becomeOwn], ...own },
    { prefix: [...dyingWithUs, ...newNamespaces, ...dropRights], uid, gid },
    { prefix: becomeOwn, ...own },
  ];
  const asUser: readonly Jail[] = [
    { prefix: [...dyingWithUs, ...newNamespaces, ...mappedUser, ...dropRights], uid, gid },
  ];
  return [...(uid === 0 ? asRoot : asUser), { prefix: dropRights, uid, gid }, { prefix: [], uid, gid }];
}

function namedUser(): { uid: number; gid: number } | null {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const found = new RegExp(`^${ownUserName}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users);
  return found === null ? null : { uid: Number(found[1]), gid: Number(found[2]) };
}
