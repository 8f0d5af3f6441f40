import { expect, test } from 'vitest';
import { type HostFacts, hostFacts, whatHostForbids } from './host-forbids.ts';

const plain: HostFacts = {
  isRoot: false,
  maxUserNamespaces: '96365',
  restrictsNamespaces: '',
  profile: 'unconfined',
};
const ubuntu = { ...plain, restrictsNamespaces: '1' };
const docker = { ...plain, profile: 'docker-default (enforce)' };

test.each([
  [
    'no user namespaces',
    { ...plain, maxUserNamespaces: '0' },
    'unshare failed: No space left on device',
    'user.max_user_namespaces',
  ],
  [
    'AppArmor’s restriction of namespaces',
    ubuntu,
    'unshare: write failed /proc/self/uid_map: Operation not permitted',
    'kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  [
    'a profile that denies mount',
    docker,
    'unshare: mount /proc failed: Permission denied',
    'apparmor=unconfined',
  ],
  [
    'a profile that denies bubblewrap',
    docker,
    'bwrap: Failed to make / slave: Permission denied',
    'docker-default',
  ],
  ['a masked /proc', plain, 'unshare: mount /proc failed: Operation not permitted', 'systempaths=unconfined'],
  [
    'a masked /proc beside a profile',
    docker,
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    'unmask=ALL',
  ],
  [
    'a filter without chroot',
    plain,
    "chroot: cannot change root directory to '/': Operation not permitted",
    'deploy/seccomp-enclave.json',
  ],
])(
  '%s is told by what host and tools say, with what to change [system.images.sandbox]',
  (_, facts, said, what) => {
    expect(whatHostForbids(said, facts)).toContain(what);
  },
);

test('what nothing explains is not guessed, and root is not held by what holds users [system.images.sandbox]', () => {
  const said = 'unshare: unshare failed: Operation not permitted';
  expect(whatHostForbids(said, plain)).toBeNull();
  expect(whatHostForbids(said, { ...ubuntu, isRoot: true, maxUserNamespaces: '0' })).toBeNull();
  expect(whatHostForbids('Chromium cannot be used: it is not here', ubuntu)).toBeNull();
  expect(whatHostForbids(said, { ...docker, profile: 'chromium (complain)' })).toBeNull();
});

test('a host without AppArmor, or that shows nothing, is read as one that restricts nothing [system.images.sandbox]', () => {
  const shown: Record<string, string> = { '/proc/sys/user/max_user_namespaces': '12\n' };
  expect(hostFacts((file) => shown[file] ?? null, true)).toEqual({
    isRoot: true,
    maxUserNamespaces: '12',
    restrictsNamespaces: '',
    profile: '',
  });
  expect(hostFacts()).toMatchObject({ maxUserNamespaces: expect.stringMatching(/^\d*$/) });
});
