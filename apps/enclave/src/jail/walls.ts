import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import { bubblewrapArguments } from './bubblewrap.ts';

/** One way to keep a browser apart. */
export type Wall = {
  readonly tool: SandboxIsolation['tool'];
  /** What stands before the jail's own program. */
  readonly prefix: readonly string[];
  /** Whether the jail's first process makes its own root and brings up `lo`. */
  readonly furnishes: boolean;
  /** What drops the browser's rights, before its own command. */
  readonly drop: readonly string[];
  /** Whom the jail's first process becomes. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  readonly sandbox: boolean;
};

export type WallOptions = {
  readonly level: 'required' | 'best';
  readonly isRoot: boolean;
  /** A user that no other process runs as. */
  readonly uid: number;
  /** Of the machine's files, all that may be seen. */
  readonly visible: readonly string[];
  /** The file that runs as the jail's first process. */
  readonly program: string;
};

const namespaces = ['--net', '--ipc', '--uts', '--mount', '--pid', '--fork', '--kill-child'];
const dropRights = [
  'setpriv',
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
  '--ambient-caps=-all',
];

/**
 * The ways that this machine has the tools for, the strongest first. Without a network namespace, or without the
 * browser's own sandbox, only where `best` is enough.
 */
export function walls(options: WallOptions, has = isInstalled): readonly Wall[] {
  const full = has('setpriv') ? fullWalls(options, has) : [];
  if (options.level === 'required') return full;
  const weaker: Wall = {
    tool: 'none',
    prefix: [],
    furnishes: false,
    drop: has('setpriv') ? [...dropRights, ...becoming(options)] : [],
    user: has('setpriv') ? userOf(options) : null,
    sandbox: true,
  };
  return [...full, ...full.map(withoutSandbox), weaker, withoutSandbox(weaker)];
}

function fullWalls(options: WallOptions, has: (program: string) => boolean): Wall[] {
  const { isRoot } = options;
  const become = becoming(options);
  // It maps the user that starts it.
  const bubblewrap: Wall = {
    tool: 'bubblewrap',
    prefix: [...(isRoot ? ['setpriv', ...become] : []), 'bwrap', ...bubblewrapArguments(options)],
    furnishes: false,
    drop: dropRights,
    user: null,
    sandbox: true,
  };
  const mapped = isRoot ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const unshare: Wall = {
    tool: 'unshare',
    prefix: ['unshare', ...mapped, ...namespaces],
    furnishes: true,
    drop: [...dropRights, ...become],
    user: userOf(options),
    sandbox: true,
  };
  return [...(has('bwrap') ? [bubblewrap] : []), ...(has('unshare') ? [unshare] : [])];
}

const becoming = ({ isRoot, uid }: WallOptions): readonly string[] =>
  isRoot ? [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];

const userOf = ({ isRoot, uid }: WallOptions): Wall['user'] => (isRoot ? { uid, gid: uid } : null);

const withoutSandbox = (wall: Wall): Wall => ({ ...wall, sandbox: false });

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
