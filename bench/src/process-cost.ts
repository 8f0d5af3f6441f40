import { readdirSync, readFileSync } from 'node:fs';

/** What a process and everything it started have used so far. */
export type Usage = { readonly cpuMicros: number; readonly rssBytes: number };

// USER_HZ: fixed at 100 for what the kernel tells programs, on every Linux that Node runs on.
const microsPerTick = 10_000;
const pageBytes = 4096;

/**
 * Sums over `root` and its descendants, without those whose command line contains `except`: a service that a
 * proxy starts is no part of the proxy.
 */
export function usageOfTree(root: number, except: string | null = null): Usage {
  const children = childrenByParent();
  let ticks = 0;
  let pages = 0;
  const visit = (pid: number): void => {
    if (except !== null && pid !== root && readProc(pid, 'cmdline').includes(except)) return;
    const fields = statFields(pid);
    // utime and stime of itself, cutime and cstime of children that ended; fields 14 to 17 of proc(5).
    ticks += sum(fields.slice(11, 15));
    pages += Number(fields[21] ?? 0);
    for (const child of children.get(pid) ?? []) visit(child);
  };
  visit(root);
  return { cpuMicros: ticks * microsPerTick, rssBytes: pages * pageBytes };
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    const parent = Number(statFields(pid)[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

/** The fields after the command, which may itself contain spaces: index 0 is the state. */
function statFields(pid: number): readonly string[] {
  const stat = readProc(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Empty when the process is gone. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

const sum = (values: readonly string[]): number => values.reduce((total, value) => total + Number(value), 0);
