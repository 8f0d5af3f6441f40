import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';

export type Lock = { readonly release: () => void };

/**
 * The lock of a log's one writer; null while another process holds it. It is the kernel's lock on the open file, so
 * it ends with the process, however that ends, and counts across containers that share a directory. Whoever holds it is
 * waited for so long, where the system can.
 */
export function takeLock(file: string, patienceMs: number): Lock | null {
  const fd = process.platform === 'darwin' ? openLocked(file) : openAndLock(file, patienceMs);
  return fd === null ? null : { release: () => closeSync(fd) };
}

/** Node has no flock(2). A child that inherits the open file takes the lock for us too, and leaves it with us. */
function openAndLock(file: string, patienceMs: number): number | null {
  const fd = openSync(file, 'a', 0o600);
  const patience = patienceMs === 0 ? ['-n'] : ['-w', String(patienceMs / 1000)];
  const { status, error } = spawnSync('flock', ['-x', ...patience, '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  if (status === 0) return fd;
  closeSync(fd);
  if (error === undefined) return null;
  throw new Error('the audit log needs the command "flock" for its lock: install util-linux', {
    cause: error,
  });
}

/** BSD's open(2) takes the same lock by a flag that Node passes on. */
function openLocked(file: string): number | null {
  const exclusiveLock = 0x20;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock;
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}
