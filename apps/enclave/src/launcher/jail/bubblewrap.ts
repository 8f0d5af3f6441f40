import { dirname } from 'node:path';

/**
 * What bubblewrap is told: namespaces of its own for all but users' files, an own root with `visible` read-only in it.
 * The jail's program is its first process, so that all ends with it.
 */
export function bubblewrapArguments({ visible, program }: BubblewrapOptions): readonly string[] {
  // Node and our program are loaded inside.
  const shown = [...visible, dirname(process.execPath), dirname(program)];
  return [
    '--unshare-user',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--as-pid-1',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--perms',
    '1777',
    '--tmpfs',
    '/tmp',
    '--perms',
    '1777',
    '--tmpfs',
    '/dev/shm',
    // Below /tmp too, where somebody keeps programs there.
    ...shown.flatMap((path) => ['--ro-bind-try', path, path]),
    '--chdir',
    '/',
    '--',
  ];
}

type BubblewrapOptions = { readonly visible: readonly string[]; readonly program: string };
