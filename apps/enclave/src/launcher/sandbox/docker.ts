import { spawn } from 'node:child_process';
import type { SandboxDriver, Way } from './driver.ts';
import { connectorLimits } from './limits.ts';

/** A container of Docker for each connector. Its command line is tested; it was not run against an engine. */
export function dockerDriver({ image }: { readonly image: string }): SandboxDriver {
  return { ways: (number) => [() => dockerWay(`countersign-connector-${process.pid}-${number}`, image)] };
}

export function dockerWay(name: string, image: string): Way {
  const { memoryMb, cpu, pids, node } = connectorLimits;
  return {
    driver: 'docker',
    memory: 'container',
    command: [
      'docker',
      'run',
      '--rm',
      '--interactive',
      `--name=${name}`,
      '--network=none',
      `--memory=${memoryMb}m`,
      `--memory-swap=${memoryMb}m`,
      `--cpus=${cpu}`,
      `--pids-limit=${pids}`,
      '--read-only',
      '--tmpfs=/tmp:size=64m,noexec',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      '--user=61200:61200',
      `--env=NODE_OPTIONS=${node.join(' ')}`,
      image,
      'enclave',
      'connector',
    ],
    // The client finds its engine by these.
    env: pick('PATH', 'HOME', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'),
    mustBeApart: false,
    // 137 is told for any kill: what was out of memory is told by V8 alone.
    ranOut: () => false,
    remove: () => runQuietly('docker', 'rm', '--force', name),
  };
}

export const pick = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

/** Runs a command whose result does not matter, since its object may be gone already. */
export function runQuietly(command: string, ...args: readonly string[]): void {
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
