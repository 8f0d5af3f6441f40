import { expect, test } from 'vitest';
import { containerRefuses } from './isolation.ts';

test('what a container forbids is told by what the tools say: a masked /proc, a filter without chroot [system.images.sandbox]', () => {
  expect(containerRefuses('unshare: mount /proc failed: Operation not permitted')).toContain(
    'systempaths=unconfined',
  );
  expect(containerRefuses("chroot: cannot change root directory to '/': Operation not permitted")).toContain(
    'deploy/seccomp-enclave.json',
  );
  expect(containerRefuses('unshare: unshare failed: Operation not permitted')).toBeNull();
});
