import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import {
  type Ended,
  endedText,
  type OwnedChild,
  type OwnedProcesses,
  ownedProcesses,
} from './owned-process.ts';
import { findPostgres, type PostgresBinaries, runAs } from './postgres-binaries.ts';
import { type Cluster, ensureCluster, sayPostgresError, superuser } from './postgres-cluster.ts';
import { commandLineOf, identityOf, isRunning, type ProcessIdentity, signal } from './process-identity.ts';

export type ManagedPostgresOptions = {
  /** The cluster lies in `dir/postgres`, its log in `dir/logs`. */
  readonly dir: string;
  /** A free one if absent. */
  readonly port?: number;
  /** Settings of the server that differ from ours, such as a faster one that may lose what it was told last. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Who owns the server process; a set of its own if absent. */
  readonly processes?: OwnedProcesses;
  /** Called if the server exits by itself after it was ready. */
  readonly onUnexpectedExit?: (ended: Ended) => void;
};

export type ManagedPostgres = {
  readonly url: string;
  /** Whether another living process owns the server; then `stop` leaves it alone. */
  readonly adopted: boolean;
  readonly stop: () => Promise<void>;
};

/**
 * A private PostgreSQL of this machine, made at the first start. It listens on 127.0.0.1 only, with a random
 * password, and ends with its owner. Of several processes that start it at once, one owns it and the others use it;
 * what a killed owner left running is stopped first. Every failure is an error of one sentence.
 */
export async function managedPostgres(options: ManagedPostgresOptions): Promise<ManagedPostgres> {
  const dir = resolve(options.dir);
  let ready = false;
  const onUnexpectedExit = (_: string, ended: Ended) => ready && options.onUnexpectedExit?.(ended);
  const processes =
    options.processes ?? (await ownedProcesses({ logDir: join(dir, 'logs'), onUnexpectedExit }));
  const letGo = () => (options.processes === undefined ? processes.stopAll() : Promise.resolve());
  try {
    const binaries = findPostgres(dir);
    const cluster = await ensureCluster(dir, binaries, processes);
    const server = await adoptOrLaunch(cluster, binaries, processes, options);
    const url = `postgres://${superuser}:${cluster.password}@127.0.0.1:${server.port}/postgres`;
    const stop = async () => {
      await server.child?.stop();
      await letGo();
    };
    ready = true;
    return { url, adopted: server.child === null, stop };
  } catch (error) {
    await letGo();
    throw error;
  }
}

type Server = { readonly port: number; readonly child: OwnedChild | null };

const startDeadlineMs = 60_000;

/** Others may start or stop the same cluster at the same time; each round looks at what is there now. */
async function adoptOrLaunch(
  cluster: Cluster,
  binaries: PostgresBinaries,
  processes: OwnedProcesses,
  options: ManagedPostgresOptions,
): Promise<Server> {
  const deadline = Date.now() + startDeadlineMs;
  while (Date.now() < deadline) {
    const running = findRunning(cluster);
    if (running === null) {
      const port = options.port ?? (await freePort());
      const server = await launch(cluster, binaries, processes, { ...options, port });
      if (server === 'port taken' && options.port !== undefined) {
        throw new Error(`port ${port} is taken by another program; PostgreSQL wanted it`);
      }
      if (server !== null && server !== 'port taken') return server;
    } else if (isRunning(running.owner)) {
      if (running.ready) return { port: running.port, child: null };
    } else {
      await stopOrphan(running.process);
    }
    await sleep(20);
  }
  throw new Error(`PostgreSQL in ${cluster.dataDir} did not become ready within ${startDeadlineMs / 1000} s`);
}

const ownerMark = (owner: ProcessIdentity) => `countersign-${owner.pid}-${owner.startedAt}`;

type RunningServer = {
  readonly process: ProcessIdentity;
  readonly owner: ProcessIdentity;
  readonly port: number;
  readonly ready: boolean;
};

/** The server that runs on this cluster, and who started it: its own command line says so. */
function findRunning(cluster: Cluster): RunningServer | null {
  const lockFile = join(cluster.dataDir, 'postmaster.pid');
  if (!existsSync(lockFile)) return null;
  const [pid, , , port, , , , status] = readFileSync(lockFile, 'utf8').split('\n');
  const process = identityOf(Number(pid));
  if (process === null) return null;
  const commandLine = commandLineOf(process.pid);
  const [, ownerPid, startedAt] = /cluster_name=countersign-(\d+)-(\w+)/.exec(commandLine) ?? [];
  if (commandLine.includes(cluster.dataDir) && ownerPid !== undefined && startedAt !== undefined) {
    const owner = { pid: Number(ownerPid), startedAt };
    return { process, owner, port: Number(port), ready: status?.trim() === 'ready' };
  }
  if (commandLine.includes('postgres'))
    throw new Error(`another PostgreSQL (process ${pid}) runs on ${cluster.dataDir}`);
  // The number went to a stranger after a crash. PostgreSQL looks no closer than that and would refuse to start.
  rmSync(lockFile, { force: true });
  return null;
}

async function stopOrphan(orphan: ProcessIdentity): Promise<void> {
  signal(orphan, 'SIGINT');
  const deadline = Date.now() + 15_000;
  while (isRunning(orphan) && Date.now() < deadline) await sleep(20);
  signal(orphan, 'SIGKILL');
}

/** Null: another start was faster, or what a crash left is still going away. */
async function launch(
  cluster: Cluster,
  binaries: PostgresBinaries,
  processes: OwnedProcesses,
  { port, dir, settings = {} }: ManagedPostgresOptions & { readonly port: number },
): Promise<Server | 'port taken' | null> {
  const me = identityOf(process.pid);
  if (me === null) throw new Error('this process cannot read its own start time');
  const args = serverArgs(cluster.dataDir, {
    ...usualSettings,
    ...settings,
    port: String(port),
    cluster_name: ownerMark(me),
  });
  const command = runAs(cluster.user, binaries.postgres, args);
  const child = processes.spawn({ name: 'postgres', ...command, cwd: '/' });
  const ended = await endedBeforeReady(child, join(cluster.dataDir, 'postmaster.pid'));
  if (ended === null) return { port, child };
  const output = ended.lastLines.join('\n');
  if (/lock file ".*" already exists|shared memory block .* still in use/.test(output)) return null;
  if (output.includes('Address already in use')) return 'port taken';
  const cause = ended.lastLines.findLast((line) => /FATAL|PANIC|setpriv/.test(line)) ?? endedText(ended);
  throw new Error(sayPostgresError(output, dir) ?? `PostgreSQL could not be started: ${cause}`);
}

const usualSettings = {
  listen_addresses: '127.0.0.1',
  // A socket's path may have 107 characters at most, and a data directory's name is the user's to choose.
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  // One machine, no replicas: less to write and fewer helper processes to keep in memory.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_worker_slots: '2',
  autovacuum_max_workers: '2',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

const serverArgs = (dataDir: string, settings: Readonly<Record<string, string>>): readonly string[] => [
  '-D',
  dataDir,
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

/** PostgreSQL writes its state into its lock file; that is also what its own tools wait for. */
async function endedBeforeReady(child: OwnedChild, lockFile: string): Promise<Ended | null> {
  for (;;) {
    const ended = await Promise.race([child.exited, sleep(10, null)]);
    if (ended !== null) return ended;
    const lines = existsSync(lockFile) ? readFileSync(lockFile, 'utf8').split('\n') : [];
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return null;
  }
}
