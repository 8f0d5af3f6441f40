import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { endedText, type OwnedProcesses } from './owned-process.ts';
import { type DatabaseUser, databaseUser, type PostgresBinaries, runAs } from './postgres-binaries.ts';
import { identityOf, isRunning } from './process-identity.ts';
import { makeFolder } from './make-folder.ts';

/** A database cluster on disk: where it is, who it belongs to, how to log in. */
export type Cluster = { readonly dataDir: string; readonly user: DatabaseUser; readonly password: string };

export const superuser = 'countersign';

/** The cluster below `dir`, made if there is none. Whole or absent: it is made aside and moved in place. */
export async function ensureCluster(
  dir: string,
  binaries: PostgresBinaries,
  processes: OwnedProcesses,
): Promise<Cluster> {
  makeFolder(dir);
  const place = join(dir, 'postgres');
  if (!existsSync(join(place, 'data', 'PG_VERSION'))) await makeCluster(dir, place, binaries, processes);
  return openCluster(place);
}

function openCluster(place: string): Cluster {
  const dataDir = join(place, 'data');
  try {
    const { uid, gid } = statSync(dataDir);
    const user = process.getuid?.() === 0 ? { uid, gid } : null;
    if (user?.uid === 0)
      throw new Error(`${dataDir} belongs to root, and PostgreSQL does not run as root; chown it`);
    return { dataDir, user, password: readFileSync(join(place, 'password'), 'utf8').trim() };
  } catch (error) {
    if (isCode(error, 'EACCES')) throw new Error(`${place} belongs to another user`, { cause: error });
    throw error;
  }
}

async function makeCluster(
  dir: string,
  place: string,
  binaries: PostgresBinaries,
  processes: OwnedProcesses,
): Promise<void> {
  removeAbandoned(dir);
  const user = databaseUser();
  const aside = join(dir, `postgres.new-${process.pid}-${identityOf(process.pid)?.startedAt}`);
  const give = (path: string) => user !== null && chownSync(path, user.uid, user.gid);
  mkdirSync(aside, { mode: 0o700 });
  give(aside);
  const passwordFile = join(aside, 'password');
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  give(passwordFile);

  const dataDir = join(aside, 'data');
  try {
    await runInitdb(runAs(user, binaries.initdb, initdbArgs(dataDir, passwordFile)), dir, processes);
    renameSync(aside, place);
  } catch (error) {
    // Another process may have put its own in place first. It is as good as ours.
    if (!isCode(error, 'ENOTEMPTY') && !isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

const initdbArgs = (dataDir: string, passwordFile: string): readonly string[] => [
  `--pgdata=${dataDir}`,
  `--username=${superuser}`,
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  // The same order and case rules everywhere, whatever locales the machine has.
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

async function runInitdb(
  { command, args }: ReturnType<typeof runAs>,
  dir: string,
  processes: OwnedProcesses,
): Promise<void> {
  const child = processes.spawn({ name: 'initdb', command, args, cwd: '/', oneShot: true });
  const ended = await child.exited;
  if (ended.code === 0) return;
  const cause = ended.lastLines.find((line) => /error|fatal|No space/i.test(line)) ?? endedText(ended);
  throw new Error(sayPostgresError(cause, dir) ?? `PostgreSQL could not be set up: ${cause}`);
}

/** The sentence for a cause that people can remove themselves; null for any other. */
export function sayPostgresError(cause: string, dir: string): string | null {
  if (cause.includes('No space left on device')) return `the disk is full: PostgreSQL cannot write to ${dir}`;
  if (cause.includes('not found in the same directory'))
    return 'its files in node_modules are closed to other users, and it does not run as root: install with umask 022, or set DATABASE_URL';
  return null;
}

/** Removes the leftovers of a process that was killed during set-up. */
function removeAbandoned(dir: string): void {
  for (const name of readdirSync(dir)) {
    const [, pid, startedAt] = /^postgres\.new-(\d+)-(\w+)$/.exec(name) ?? [];
    if (pid === undefined || startedAt === undefined) continue;
    if (!isRunning({ pid: Number(pid), startedAt }))
      rmSync(join(dir, name), { recursive: true, force: true });
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
