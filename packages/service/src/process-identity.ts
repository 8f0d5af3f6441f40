import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies one process: process numbers are reused, the pair of number and start time is not. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

/** Identity of a running process; null when there is none, or when it ended and only waits to be collected. */
export function identityOf(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** Returns whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt;
}

/** The command line a process was started with, its parts joined by blanks; empty when it cannot be read. */
export function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') return ps('command', pid) ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Sends a signal to exactly this process. False when it is gone. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch {
    return false;
  }
}

function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may itself hold blanks and brackets, so fields count from the last one.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? null : (rest[18] ?? null);
  } catch {
    return null;
  }
}

const startByPs = (pid: number): string | null => ps('lstart', pid)?.replace(/\W/g, '') ?? null;

function ps(column: string, pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  const text = stdout?.trim() ?? '';
  return status === 0 && text !== '' ? text : null;
}
