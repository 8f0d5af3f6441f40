import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostFacts, whatHostForbids } from '@countersign/enclave/os/host-forbids';
import { ownNamespaces } from '@countersign/enclave/os/ladder';
import { bad, type Finding, note, ok } from '@countersign/local/doctor/finding';
import type { Env } from '@countersign/service/config';

/**
 * Checks what browser sessions and connectors need from this machine. `isNeeded`: the enclave runs here and
 * requires full isolation.
 */
export async function isolationFindings(env: Env, runsHere: boolean): Promise<readonly Finding[]> {
  if (process.platform !== 'linux')
    return runsHere ? [bad('sandboxes need Linux: run the enclave in a container or a virtual machine')] : [];
  const isNeeded = runsHere && env['SANDBOX_ISOLATION']?.trim() !== 'best';
  return [
    await namespacesFinding(isNeeded ? bad : note),
    seccompFinding(isNeeded ? bad : note),
    cgroupFinding(),
  ];
}

type Told = (what: string) => Finding;

/** Starts a process as the enclave starts its own: in namespaces that it makes. */
async function namespacesFinding(otherwise: Told): Promise<Finding> {
  const isRoot = process.getuid?.() === 0;
  const [program = '', ...args] = ownNamespaces({ network: true, isRoot, furnishes: false });
  try {
    // Chromium's own sandbox changes the root.
    await promisify(execFile)(program, [...args, 'chroot', '/', 'true'], { timeout: 5_000 });
    return ok('sandboxes: namespaces can be made');
  } catch (error) {
    const isMissing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' || /not found|No such file/.test(String(error));
    if (isMissing) return otherwise('sandboxes: setpriv or unshare is missing: install util-linux');
    const forbidden = whatHostForbids(String(error), hostFacts());
    return otherwise(
      forbidden !== null
        ? `sandboxes: ${forbidden}, or set SANDBOX_ISOLATION=best`
        : `sandboxes: no namespaces can be made here: ${isRoot ? 'give the container SYS_ADMIN, or run as a user' : 'allow user namespaces (in a container a filter of system calls that allows unshare)'}, or set SANDBOX_ISOLATION=best`,
    );
  }
}

function seccompFinding(otherwise: Told): Finding {
  const offered = readOrEmpty('/proc/sys/kernel/seccomp/actions_avail');
  return /\berrno\b/.test(offered)
    ? ok('sandboxes: the kernel filters system calls (seccomp)')
    : otherwise('sandboxes: this kernel cannot filter system calls: use one with CONFIG_SECCOMP_FILTER');
}

/** Without groups each process is held to the memory of a session by itself, and processors are not shared out. */
function cgroupFinding(): Finding {
  const own = readOrEmpty('/proc/self/cgroup').split('\n');
  const mounts = readOrEmpty('/proc/self/mounts')
    .split('\n')
    .map((line) => line.split(' '));
  const v2 = mounts.find(([, , type]) => type === 'cgroup2')?.[1];
  const path = own.find((line) => line.startsWith('0::'))?.slice(3);
  const folders =
    v2 !== undefined && path !== undefined
      ? [join(v2, path)]
      : ['memory', 'cpu'].flatMap((kind) => {
          const mount = mounts.find(
            ([, , type, options]) => type === 'cgroup' && options?.split(',').includes(kind),
          )?.[1];
          return mount === undefined ? [] : [mount];
        });
  return folders.length > 0 && folders.every(isWritable)
    ? ok('sandboxes: sessions can be held to their memory and processors (cgroups)')
    : note(
        'sandboxes: no cgroup is ours, so memory is limited by process, and processors are not: Delegate=yes in the unit of the enclave',
      );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return existsSync(join(folder, 'cgroup.procs'));
  } catch {
    return false;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
