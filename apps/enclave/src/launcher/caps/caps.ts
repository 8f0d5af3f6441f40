import type { SandboxIsolation } from '@countersign/protocol/vault/sandbox';
import { type Hierarchy, type Limits, makeGroup } from './cgroup.ts';

/** Enforces the resource limits on the processes of one jail. */
export type Caps = Pick<SandboxIsolation, 'memory_cap' | 'cpu_cap'> & {
  /** Stands before the jail's command, and puts it under the limits. */
  readonly prefix: readonly string[];
  readonly ranOut: () => boolean;
  readonly remove: () => void;
};

/** Joins the groups by itself, so that nothing it starts is ever outside them. */
const join = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"';
/** Each process by itself, in KiB. */
const limitData = 'ulimit -d "$1" && shift && exec "$@"';

/** Groups of the kernel's where they can be made, else a limit of memory for each process. */
export function makeCaps(hierarchy: Hierarchy, name: string, limits: Limits): Caps {
  const group = makeGroup(hierarchy, name, limits);
  const enter = group.entrances.length > 0 ? ['sh', '-c', join, 'jail', ...group.entrances, '--'] : [];
  const limit = group.memory ? [] : ['sh', '-c', limitData, 'jail', String(limits.memoryMb * 1024)];
  return {
    memory_cap: group.memory ? 'cgroup' : 'rlimit',
    cpu_cap: group.cpu ? 'cgroup' : 'none',
    prefix: [...enter, ...limit],
    ranOut: group.ranOut,
    remove: group.remove,
  };
}
