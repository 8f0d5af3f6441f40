import { readFileSync } from 'node:fs';

/** A way to start the core: the command before its own, and as whom it then runs. */
export type Jail = {
  readonly prefix: readonly string[];
  readonly uid: number;
  readonly gid: number;
};

/** A user that runs nothing else: this one where it exists, else a number that no distribution gives away. */
const ownUserName = 'countersign-enclave';
const ownUid = 61_013;

const newNamespaces = [
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

/** What util-linux can make of this machine, the strongest first; the last needs nothing. */
export function jails(uid: number, gid: number): readonly Jail[] {
  if (process.platform !== 'linux') return [{ prefix: [], uid, gid }];
  const own = ownUser();
  const becomeOwn = [...dropRights, `--reuid=${own.uid}`, `--regid=${own.gid}`, '--clear-groups'];
  const asRoot: readonly Jail[] = [
    { prefix: ['unshare', ...newNamespaces, ...becomeOwn], ...own },
    { prefix: ['unshare', ...newNamespaces, ...dropRights], uid, gid },
    { prefix: becomeOwn, ...own },
  ];
  const asUser: readonly Jail[] = [
    { prefix: ['unshare', ...mappedUser, ...newNamespaces, ...dropRights], uid, gid },
  ];
  return [...(uid === 0 ? asRoot : asUser), { prefix: dropRights, uid, gid }, { prefix: [], uid, gid }];
}

function ownUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', { encoding: 'utf8', flag: 'r' });
  const [, uid, gid] = new RegExp(`^${ownUserName}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? [];
  return { uid: Number(uid ?? ownUid), gid: Number(gid ?? ownUid) };
}
