import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Most that a browser takes to show its first page, and how often it is asked for. */
const [patienceMs, everyMs] = [15_000, 15];

/**
 * Whether the browser's own sandbox holds around what shows pages: asked of the kernel, as soon as there is a page.
 * Only its own: where there is no process namespace, other browsers are seen here too.
 */
export async function isSandboxed(browser: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  while (Date.now() < until) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      if (
        /--type=renderer\b/.test(read(`/proc/${pid}/cmdline`)) &&
        descends(Number(pid), browser) &&
        settled(pid)
      )
        return holds(pid);
    await sleep(everyMs);
  }
  return false;
}

/** The user that a process runs as; -1 when it is gone. */
export const uidOf = (pid: number): number => Number(/^Uid:\s+(\d+)/m.exec(status(pid))?.[1] ?? -1);

function descends(pid: number, ancestor: number): boolean {
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status(pid))?.[1] ?? 0);
  return parent === ancestor || (parent > 1 && descends(parent, ancestor));
}

/** A renderer locks itself in a moment after its start; one without a sandbox never does. */
function settled(pid: string): boolean {
  return filtersCalls(pid) || read(`/proc/${pid}/cmdline`).includes('--no-sandbox');
}

/** System calls are filtered, and it has process ids of its own below the jail's. */
const holds = (pid: string): boolean =>
  filtersCalls(pid) && (/^NSpid:(.*)$/m.exec(status(pid))?.[1]?.trim().split(/\s+/).length ?? 0) > 1;

const filtersCalls = (pid: string): boolean => /^Seccomp:\s+2$/m.test(status(pid));

const status = (pid: string | number): string => read(`/proc/${pid}/status`);

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
