import { createSocket } from 'node:dgram';
import type { Isolation } from '@countersign/protocol/enclave/commands';
import type { Libc } from './libc.ts';
import { type Filtered, seccompFilter } from './seccomp.ts';
import { isApart, limitsCoreDumps, type Surroundings, surroundings } from './surroundings.ts';

/** Constants of prctl(2). */
const [setDeathSignal, getDumpable, setDumpable, setNoNewPrivileges, getSeccomp] = [1, 3, 4, 38, 21];
const sigkill = 9;
const filtered = 2;

/** Others of the same user can neither read this process's memory nor trace it, and no core of it is written. */
export function hideMemory(libc: Libc | null): void {
  libc?.prctl(setDumpable, 0);
}

/**
 * The kernel kills this process when the one that started it is gone, also while nothing is heard here. Who is gone by
 * now is not noticed so: then the channel to it has ended, and with it this process, which was told nothing.
 */
export function dieWithParent(libc: Libc | null): void {
  libc?.prctl(setDeathSignal, sigkill);
}

/** From here on this process and its threads can start no program and open no socket (the core: none but Unix ones). */
export function dropCalls(libc: Libc | null, who: Filtered): void {
  const { arch } = process;
  if (libc === null || (arch !== 'x64' && arch !== 'arm64')) return;
  if (libc.prctl(setNoNewPrivileges, 1) === 0) libc.seccomp(seccompFilter(arch, who));
}

/**
 * Returns the isolation that holds now, as the kernel reports it. A property that cannot be queried counts as
 * absent.
 */
export async function isolationNow(
  libc: Libc | null,
  outside: Surroundings,
  secretMemory: boolean,
): Promise<Isolation> {
  const isHidden = libc?.prctl(getDumpable, 0) === 0;
  const { uid } = surroundings();
  return {
    ownUser: uid !== 0 && uid !== outside.uid,
    noNetwork: !(await reachesNetwork()),
    noCoreDumps: isHidden || limitsCoreDumps(),
    noPtrace: isHidden,
    namespaces: isApart(outside, 'net', 'pid', 'ipc', 'uts', 'mnt'),
    seccomp: isFiltered(libc),
    secretMemory,
  };
}

export const isFiltered = (libc: Libc | null): boolean => libc?.prctl(getSeccomp, 0) === filtered;

/**
 * Returns whether this process has a way out: tried with a socket that has a route to nobody (RFC 5737), and
 * sends nothing.
 */
export function reachesNetwork(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const tell = (reaches: boolean) => {
      socket.close();
      resolve(reaches);
    };
    socket.once('error', () => tell(false));
    socket.once('connect', () => tell(true));
    socket.connect(9, '192.0.2.1');
  });
}
