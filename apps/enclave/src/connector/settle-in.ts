import { dropCalls, hideMemory, isFiltered, reachesNetwork } from '../os/harden.ts';
import { type Libc, loadLibc } from '../os/libc.ts';
import { isApart } from '../os/surroundings.ts';
import { enterNewRoot } from '../os/new-root.ts';
import { loadSystemCalls } from '../os/system-calls.ts';
import type { Furnishing, Ready } from '../channel/connector.ts';

/** Constants of prctl(2) and signal(7). */
const [setParentDeathSignal, killSignal] = [1, 9];

/** Gives up all that this process could do, and then looks what is left of it. */
export async function settleIn(furnishing: Furnishing | null): Promise<Ready> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  const libc = await loadLibc();
  // What is loaded later would no longer be found.
  if (furnishing !== null) await enter(furnishing, libc);
  hideMemory(libc);
  dropCalls(libc, 'connector');
  return {
    network: (await reachesNetwork()) ? 'shared' : 'none',
    seccomp: isFiltered(libc),
    apart: furnishing !== null && isApart(furnishing.outside, 'net', 'pid'),
  };
}

async function enter({ visible, user }: Furnishing, libc: Libc | null): Promise<void> {
  if (visible !== null) {
    const calls = await loadSystemCalls();
    enterNewRoot(calls, visible, {});
    if (user === null) calls.dropCapabilities();
  }
  if (user !== null) {
    process.setgroups?.([]);
    process.setgid?.(user.gid);
    // Takes all capabilities along.
    process.setuid?.(user.uid);
  }
  // A change of user takes back what `unshare --kill-child` asked for.
  libc?.prctl(setParentDeathSignal, killSignal);
}
