import { sodium_malloc } from 'sodium-native';
import type { Libc } from '../../os/libc.ts';

/** Keeps secrets in memory that other processes are not shown, as far as the machine has such memory. */
export type SecretMemory = {
  /** Whether the kernel hides it from everyone, root included. */
  readonly isHidden: boolean;
  /** Moves a secret there: what was handed in is wiped. */
  readonly hold: (secret: Buffer) => Buffer;
};

/** Ordinary memory, for tests. */
export const openMemory: SecretMemory = { isHidden: false, hold: (secret) => secret };

const pageBytes = 4096;

/** memfd_secret(2) where the kernel has it; else memory that is locked and left out of dumps. */
export function secretMemory(libc: Libc | null): SecretMemory {
  const first = libc === null ? null : hiddenPage(libc);
  if (libc === null || first === null) return { isHidden: false, hold: lock };
  let page = first;
  let used = 0;
  return {
    isHidden: true,
    hold: (secret) => {
      if (used + secret.length > pageBytes) {
        const next = hiddenPage(libc);
        if (next === null) return lock(secret);
        [page, used] = [next, 0];
      }
      const held = page.subarray(used, used + secret.length);
      used += secret.length;
      secret.copy(held);
      secret.fill(0);
      return held;
    },
  };
}

function hiddenPage(libc: Libc): Buffer | null {
  const fd = libc.memfdSecret();
  return fd < 0 ? null : libc.map(fd, pageBytes);
}

function lock(secret: Buffer): Buffer {
  const held = sodium_malloc(secret.length);
  secret.copy(held);
  secret.fill(0);
  return held;
}
