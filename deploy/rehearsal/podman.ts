import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Replica } from './compose.ts';

const run = promisify(execFile);

/** What this machine lets a process have: podman asks for more otherwise, and is refused where root has not all rights. */
const limits = ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=10000:10000'];

export type Podman = {
  readonly start: (replica: Replica, env: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs one of our commands in the replica's image with its environment and disks; gives the last line. */
  readonly command: (
    replica: Replica,
    env: Readonly<Record<string, string>>,
    argv: readonly string[],
    input?: string,
  ) => Promise<string>;
  readonly exec: (name: string, argv: readonly string[]) => Promise<boolean>;
  readonly kill: (name: string) => Promise<void>;
  readonly again: (name: string) => Promise<void>;
  /** SIGTERM; gives how long it took and with which code it ended. The container is gone then. */
  readonly stop: (name: string, graceMs?: number) => Promise<{ readonly ms: number; readonly code: number }>;
  readonly logs: (name: string) => Promise<string>;
  readonly removeAll: () => Promise<void>;
};

/** Containers and volumes whose names begin with `prefix`. `storage` are podman's options about where images are, `folder` is the Compose file's. */
export function podmanOf(storage: readonly string[], prefix: string, folder: string): Podman {
  const podman = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run('podman', [...storage, ...args], { maxBuffer: 2 ** 26 });
    return stdout.trim();
  };
  const started = new Set<string>();
  return {
    async start(replica, env) {
      const name = `${prefix}-${replica.name}`;
      const { image, command } = replica.container;
      const args = [...contextOf(replica, env, prefix, folder), `localhost/${image}`, ...command];
      await podman('run', '--detach', '--name', name, ...args);
      started.add(name);
    },
    command: (replica, env, argv, input = '') => {
      const args = [
        ...contextOf(replica, env, prefix, folder),
        `localhost/${replica.container.image}`,
        ...argv,
      ];
      return lastLine([...storage, 'run', '--rm', '--interactive', ...args], input);
    },
    exec: (name, argv) =>
      podman('exec', `${prefix}-${name}`, ...argv).then(
        () => true,
        () => false,
      ),
    kill: async (name) => void (await podman('kill', '--signal', 'KILL', `${prefix}-${name}`)),
    again: async (name) => void (await podman('start', `${prefix}-${name}`)),
    async stop(name, graceMs = 15_000) {
      const from = performance.now();
      await podman('stop', '--time', String(Math.max(1, Math.floor(graceMs / 1000))), `${prefix}-${name}`);
      const ms = Math.round(performance.now() - from);
      const code = Number(await podman('inspect', '--format', '{{.State.ExitCode}}', `${prefix}-${name}`));
      await podman('rm', `${prefix}-${name}`);
      started.delete(`${prefix}-${name}`);
      return { ms, code };
    },
    logs: async (name) => {
      const { stdout, stderr } = await run('podman', [
        ...storage,
        'logs',
        '--tail',
        '40',
        `${prefix}-${name}`,
      ]);
      return `${stdout}${stderr}`;
    },
    async removeAll() {
      for (const name of started) await podman('rm', '--force', '--time', '1', name);
      const volumes = (await podman('volume', 'ls', '--quiet')).split('\n');
      for (const name of volumes.filter((one) => one.startsWith(`${prefix}-`)))
        await podman('volume', 'rm', name);
    },
  };
}

/** Runs podman to its end; gives the last line that it printed. */
async function lastLine(args: readonly string[], input: string): Promise<string> {
  const child = spawn('podman', args);
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`a command in a container ended with ${code}: ${errors.join('')}`);
  return out.join('').trim().split('\n').at(-1) ?? '';
}

/** All that is said of how it runs, but for its network. */
function contextOf(
  { container, address, mounts }: Replica,
  env: Readonly<Record<string, string>>,
  prefix: string,
  folder: string,
): readonly string[] {
  const {
    user,
    read_only: isReadOnly,
    tmpfs = [],
    cap_drop: dropped = [],
    security_opt: options = [],
  } = container;
  const environment = { ...container.environment, ...env };
  const at = (name: string, value: string) => (/^[A-Z]+_HOST$/.test(name) ? address : value);
  return [
    '--network',
    'host',
    ...limits,
    ...(isReadOnly === true ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(user === undefined ? [] : ['--user', user]),
    ...tmpfs.flatMap((path) => ['--tmpfs', path]),
    ...dropped.map((one) => `--cap-drop=${one}`),
    ...options.map((one) => `--security-opt=${inPodmansWords(one, folder)}`),
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${at(name, value)}`]),
    ...mounts.flatMap((mount) => ['--volume', mount.startsWith('/') ? mount : `${prefix}-${mount}`]),
  ];
}

/** What Compose and Docker call otherwise. */
function inPodmansWords(option: string, folder: string): string {
  if (option === 'systempaths=unconfined') return 'unmask=ALL';
  if (option.startsWith('seccomp:')) return `seccomp=${join(folder, option.slice('seccomp:'.length))}`;
  return option.replace(':true', '');
}
