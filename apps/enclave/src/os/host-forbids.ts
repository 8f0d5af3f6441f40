import { readFileSync } from 'node:fs';

/** The kernel's restrictions, as it reports them; empty where it reports nothing. */
export type HostFacts = {
  readonly isRoot: boolean;
  readonly maxUserNamespaces: string;
  /** 1 where AppArmor lets only named programs use namespaces of users (Ubuntu 23.10 and newer). */
  readonly restrictsNamespaces: string;
  /** Such as `docker-default (enforce)`, or `unconfined`. */
  readonly profile: string;
};

/** Returns the facts of this process, as they are now. */
export function hostFacts(read = textOf, isRoot = process.getuid?.() === 0): HostFacts {
  const shown = (file: string) => read(file)?.trim() ?? '';
  return {
    isRoot,
    maxUserNamespaces: shown('/proc/sys/user/max_user_namespaces'),
    restrictsNamespaces: shown('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    profile: shown('/proc/self/attr/apparmor/current') || shown('/proc/self/attr/current'),
  };
}

/**
 * Why sandboxes are refused, and what to change, in one clause: by what the tools said and what the kernel shows. Null where
 * neither explains it.
 */
export function whatHostForbids(said: string, facts: HostFacts): string | null {
  if (!/Operation not permitted|Permission denied|No space left/.test(said)) return null;
  if (!facts.isRoot && facts.maxUserNamespaces === '0')
    return 'this host has no user namespaces: set user.max_user_namespaces=10000 on it (sysctl)';
  if (!facts.isRoot && facts.restrictsNamespaces === '1')
    return 'AppArmor keeps users out of namespaces here: set kernel.apparmor_restrict_unprivileged_userns=0 on the host (sysctl)';
  const [, profile] = /^(\S+) \(enforce\)$/.exec(facts.profile) ?? [];
  // AppArmor denies with EACCES, the kernel itself with EPERM.
  if (profile !== undefined && said.includes('Permission denied'))
    return `the AppArmor profile ${profile} denies mount: apparmor=unconfined (Docker, podman), appArmorProfile Unconfined (Kubernetes), or a profile of yours`;
  if (/mount \/proc failed|mount proc on/.test(said))
    return 'something is mounted over /proc here: systempaths=unconfined (Docker), unmask=ALL (podman), procMount: Unmasked (Kubernetes)';
  if (said.includes('cannot change root'))
    return 'the filter of system calls refuses chroot: use deploy/seccomp-enclave.json';
  return null;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
