import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import { asUser, ownNamespaces, type User, withoutRights } from '../../os/ladder.ts';
import { bubblewrapArguments } from './bubblewrap.ts';

/** One way to isolate a browser. */
export type Wall = {
  readonly tool: SandboxIsolation['tool'];
  /** The command line that precedes the jail's own program. */
  readonly prefix: readonly string[];
  /** Whether the jail's first process makes its own root and brings up `lo`. */
  readonly furnishes: boolean;
  /** The command line that drops the browser's privileges, before its own command. */
  readonly drop: readonly string[];
  /** Whom the jail's first process becomes. */
  readonly user: User | null;
  readonly sandbox: boolean;
};

export type WallOptions = {
  readonly level: 'required' | 'best';
  readonly isRoot: boolean;
  /** A user that no other process runs as. */
  readonly uid: number;
  /** The only host paths that are visible. */
  readonly visible: readonly string[];
  /** The file that runs as the jail's first process. */
  readonly program: string;
};

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
    drop: has('setpriv') ? withoutRights(userOf(options)) : [],
    user: has('setpriv') ? userOf(options) : null,
    sandbox: true,
  };
  return [...full, ...full.map(withoutSandbox), weaker, withoutSandbox(weaker)];
}

function fullWalls(options: WallOptions, has: (program: string) => boolean): Wall[] {
  const { isRoot } = options;
  const user = userOf(options);
  // It maps the user that starts it.
  const bubblewrap: Wall = {
    tool: 'bubblewrap',
    prefix: [...asUser(user), 'bwrap', ...bubblewrapArguments(options)],
    furnishes: false,
    drop: withoutRights(null),
    user: null,
    sandbox: true,
  };
  const unshare: Wall = {
    tool: 'unshare',
    prefix: ownNamespaces({ network: true, isRoot, furnishes: true }),
    furnishes: true,
    drop: withoutRights(user),
    user,
    sandbox: true,
  };
  return [...(has('bwrap') ? [bubblewrap] : []), ...(has('unshare') ? [unshare] : [])];
}

const userOf = ({ isRoot, uid }: WallOptions): Wall['user'] => (isRoot ? { uid, gid: uid } : null);

const withoutSandbox = (wall: Wall): Wall => ({ ...wall, sandbox: false });

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
