import { dropCalls, hideMemory, isFiltered, reachesNetwork } from '../../core/harden.ts';
import { type Libc, loadLibc } from '../../core/libc.ts';
import type { Surroundings } from '../../core/settings.ts';
import { isApart } from '../../core/surroundings.ts';
import { enterNewRoot } from '../../jail/inside/new-root.ts';
import { loadSystemCalls } from '../../jail/inside/system-calls.ts';
import type { Ready } from '../messages.ts';

/** What the launcher wants done inside; a container's engine has done it all already. */
export type Furnishing = {
  /** Where the launcher lives, to be told from where this process is. */
  readonly outside: Surroundings;
  /** What alone is to be seen of the machine's files; null where that is seen to already, or cannot be. */
  readonly visible: readonly string[] | null;
  readonly user: { readonly uid: number; readonly gid: number } | null;
};

/** Of prctl(2). */
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
