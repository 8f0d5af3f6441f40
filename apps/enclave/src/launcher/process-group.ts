import type { ChildProcess } from 'node:child_process';

/** Groups of the processes that this one started and that are not known to be gone. */
const groups = new Set<number>();

/** However this process ends by itself: nothing that it started is left, though it be frozen. */
process.once('exit', () => {
  for (const pid of groups) kill(pid);
});

/** A child that leads a group of its own (`detached`) ends with this process at the latest. */
export function ownGroup(child: ChildProcess): ChildProcess {
  const { pid } = child;
  if (pid === undefined) return child;
  groups.add(pid);
  child.once('exit', () => {
    // What it started has its group, and nobody else to end it.
    kill(pid);
    groups.delete(pid);
  });
  return child;
}

/** Kills a child with all that it started, at once and whatever they do. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined && groups.has(pid)) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
