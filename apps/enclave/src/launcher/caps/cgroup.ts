import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Limits = {
  /** Memory of all processes of a session together, in MiB. */
  readonly memoryMb: number;
  /** Processors, such as 0.5. */
  readonly cpu: number;
  /** Processes and threads at once; without it as many as the machine has. */
  readonly pids?: number;
};

/** The cgroup directories in which groups with limits can be created, one for each controller. */
export type Hierarchy = {
  readonly version: 1 | 2;
  readonly memory: string | null;
  readonly cpu: string | null;
  readonly pids: string | null;
};

const periodUs = 100_000;

/** Returns the cgroups that can be created below the launcher's own; null if there are none. */
export function findHierarchy(proc = '/proc/self', isOwn = areOwn): Hierarchy {
  const mounts = readFileSync(join(proc, 'mounts'), 'utf8').split('\n');
  const own = readFileSync(join(proc, 'cgroup'), 'utf8').split('\n');
  const v2 = unified(mounts, own, isOwn);
  if (v2 !== null) {
    const hasPids = readFileSync(join(v2, 'cgroup.controllers'), 'utf8').includes('pids');
    return { version: 2, memory: v2, cpu: v2, pids: hasPids ? v2 : null };
  }
  const folder = (kind: string) => {
    const mount = mounts
      .map((line) => line.split(' '))
      .find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes(kind));
    const path = own
      .map((line) => line.split(':'))
      .find(([, kinds]) => kinds?.split(',').includes(kind))?.[2];
    if (mount?.[1] === undefined || path === undefined) return null;
    return [join(mount[1], path), mount[1]].find((one) => existsSync(join(one, 'cgroup.procs'))) ?? null;
  };
  return { version: 1, memory: folder('memory'), cpu: folder('cpu'), pids: folder('pids') };
}

/** The launcher's own group of version 2, if it was given away (systemd's `Delegate=`) with both kinds of limits. */
function unified(
  mounts: readonly string[],
  own: readonly string[],
  isOwn: (pids: readonly string[]) => boolean,
): string | null {
  const mount = mounts.map((line) => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1];
  const path = own.find((line) => line.startsWith('0::'))?.slice(3);
  if (mount === undefined || path === undefined) return null;
  const folder = join(mount, path);
  try {
    const offered = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ');
    if (!offered.includes('memory') || !offered.includes('cpu')) return null;
    // A group with groups in it may hold no processes itself: the launcher and its own move down.
    const pids = readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim().split('\n').filter(Boolean);
    if (pids.length > 0 && !isOwn(pids)) return null;
    const below = join(folder, 'countersign-enclave');
    mkdirSync(below, { recursive: true });
    for (const pid of pids) writeFileSync(join(below, 'cgroup.procs'), pid);
    const pidsToo = offered.includes('pids') ? ' +pids' : '';
    writeFileSync(join(folder, 'cgroup.subtree_control'), `+memory +cpu${pidsToo}`);
    return folder;
  } catch {
    return null;
  }
}

/** Returns whether all of these are this process and what it started. */
function areOwn(pids: readonly string[]): boolean {
  const isBelow = (pid: string): boolean => {
    if (pid === String(process.pid)) return true;
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return Number(parent) > 1 && isBelow(parent);
  };
  return pids.every(isBelow);
}

export type Group = {
  readonly memory: boolean;
  readonly cpu: boolean;
  /** Files into which a process writes its id to belong to the group. */
  readonly entrances: readonly string[];
  /** Returns whether the kernel ended a process of it because memory was used up. */
  readonly ranOut: () => boolean;
  readonly remove: () => void;
};

/** Makes a group with these limits; what cannot be had is told. */
export function makeGroup({ version, memory, cpu, pids }: Hierarchy, name: string, limits: Limits): Group {
  const bytes = limits.memoryMb * 1024 ** 2;
  const quota = Math.round(limits.cpu * periodUs);
  const memoryFolder =
    memory === null
      ? null
      : make(
          join(memory, name),
          version === 2
            ? { 'memory.swap.max': '0', 'memory.max': `${bytes}` }
            : { 'memory.limit_in_bytes': `${bytes}` },
        );
  const cpuFolder =
    cpu === null
      ? null
      : make(
          join(cpu, name),
          version === 2
            ? { 'cpu.max': `${quota} ${periodUs}` }
            : { 'cpu.cfs_period_us': `${periodUs}`, 'cpu.cfs_quota_us': `${quota}` },
        );
  const pidsFolder =
    pids === null || limits.pids === undefined
      ? null
      : make(join(pids, name), { 'pids.max': `${limits.pids}` });
  const folders = [...new Set([memoryFolder, cpuFolder, pidsFolder])].filter((one) => one !== null);
  return {
    memory: memoryFolder !== null,
    cpu: cpuFolder !== null,
    entrances: folders.map((folder) => join(folder, 'cgroup.procs')),
    ranOut: () =>
      memoryFolder !== null &&
      killedIn(join(memoryFolder, version === 2 ? 'memory.events' : 'memory.oom_control')),
    remove: () => folders.forEach((folder) => removeGroup(folder)),
  };
}

/** The folder of a group in which these hold; null when the kernel does not let us. */
function make(folder: string, settings: Readonly<Record<string, string>>): string | null {
  clearTimeout(going.get(folder));
  try {
    mkdirSync(folder, { recursive: true });
    // There is no swap to limit on some machines.
    for (const [file, value] of Object.entries(settings))
      if (!file.includes('swap') || existsSync(join(folder, file))) writeFileSync(join(folder, file), value);
    return folder;
  } catch {
    removeGroup(folder);
    return null;
  }
}

function killedIn(file: string): boolean {
  try {
    return Number(/^oom_kill (\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) > 0;
  } catch {
    return false;
  }
}

/** Groups that are to go once the kernel has let go of their last process, which is a moment after its end. */
const going = new Map<string, NodeJS.Timeout>();
const maxWaitMs = 5000;

function removeGroup(folder: string, waitMs = 20): void {
  going.delete(folder);
  try {
    rmdirSync(folder);
  } catch (error) {
    // One that is never empty is removed by whoever starts next.
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || waitMs > maxWaitMs) return;
    going.set(folder, setTimeout(() => removeGroup(folder, waitMs * 2), waitMs).unref());
  }
}

/** Removes groups of enclaves that are no more. */
export function removeOldGroups({ memory, cpu, pids }: Hierarchy, isOld: (name: string) => boolean): void {
  for (const folder of new Set([memory, cpu, pids]))
    if (folder !== null)
      for (const name of readdirSync(folder).filter(isOld)) removeGroup(join(folder, name));
}
