/** Whom a process becomes. */
export type User = { readonly uid: number; readonly gid: number };

export type Namespaces = {
  /** Whether its network is its own, which leads nowhere; else it is the machine's. */
  readonly network: boolean;
  /** Whether root starts it. Any other user is mapped, and has the rights of root in the namespaces alone. */
  readonly isRoot: boolean;
  /** Whether the program makes a root with a /proc of its own; it has the rights for that until `withoutRights`. */
  readonly furnishes: boolean;
};

/**
 * INVARIANT: whoever is killed takes along whom it started, though that hears nothing; otherwise keys would outlive the launcher that
 * answers for them. A change of user takes this back, so it is asked for on both sides of one.
 */
const dyingWithParent = ['--pdeathsig', 'KILL'];

/**
 * Returns the command line that precedes a program to give it namespaces of its own. Everything started in
 * them ends with it.
 */
export const ownNamespaces = ({ network, isRoot, furnishes }: Namespaces): readonly string[] => [
  'setpriv',
  ...dyingWithParent,
  'unshare',
  // INVARIANT: a mapped user keeps its rights for `withoutRights`; otherwise it could not empty the bounding set, and nobody would tell.
  ...(isRoot ? [] : ['--user', '--map-current-user', '--keep-caps']),
  ...(network ? ['--net'] : []),
  '--ipc',
  '--uts',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  ...(furnishes ? [] : ['--mount-proc']),
];

/**
 * Returns the command line that precedes a program to clear all its capability sets, so that nothing it
 * starts gains any.
 */
export const withoutRights = (user: User | null): readonly string[] => [
  'setpriv',
  ...dyingWithParent,
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  ...(user === null ? [] : becoming(user)),
];

/**
 * Returns the command line that precedes a program which creates its namespaces itself and drops its
 * privileges later.
 */
export const asUser = (user: User | null): readonly string[] => [
  'setpriv',
  ...(user === null ? [] : becoming(user)),
  ...dyingWithParent,
];

const becoming = ({ uid, gid }: User): readonly string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
];
