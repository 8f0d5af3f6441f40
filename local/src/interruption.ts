import { readFileSync } from 'node:fs';
import {
  commandLineOf,
  identityOf,
  isRunning,
  type ProcessIdentity,
} from '@countersign/service/process-identity';

/** Aborts once, when somebody wants this process to end: by a signal, or by ending the `npm` that runs it. */
export function untilInterrupted(underNpm: boolean): AbortSignal {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  if (underNpm) watchNpm(interrupt);
  return interruption.signal;
}

const lookEveryMs = 500;

/** Killed with -9, npm cannot pass anything on, and we would stay behind as an orphan. */
function watchNpm(interrupt: () => void): void {
  const above = processesAbove();
  const look = setInterval(() => {
    if (above.every(isRunning)) return;
    clearInterval(look);
    interrupt();
  }, lookEveryMs);
  look.unref();
}

/** Our parent; and the one above it when the parent is only the shell in which npm runs a script. */
function processesAbove(): readonly ProcessIdentity[] {
  const parent = identityOf(process.ppid);
  if (parent === null) return [];
  const isShell = /^(\/\S*\/)?(ba|da|z)?sh -c /.test(commandLineOf(parent.pid));
  const grandparent = isShell ? identityOf(parentOf(parent.pid)) : null;
  return grandparent === null ? [parent] : [parent, grandparent];
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
