import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { countersign } from '@countersign/local/countersign';
import { type OwnedChild, type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';

export type LabOptions = {
  readonly rounds: number;
  readonly seconds: number;
  /** Another checkout whose gateway is measured beside ours. */
  readonly also: string | null;
  /** Where CPU profiles of the gateways go. */
  readonly profileDir: string | null;
};

/** What all parts of a benchmark share. */
export type Lab = {
  readonly processes: OwnedProcesses;
  /** For what the processes write; gone at the end. */
  readonly dir: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly also: string | null;
  /** For the Node that runs a gateway. */
  readonly nodeOptions: readonly string[];
  readonly say: (line: string) => void;
};

/** Gives `work` a lab, and leaves no process and no file behind, however it ends. */
export async function withLab<T>(options: LabOptions, work: (lab: Lab) => Promise<T>): Promise<T> {
  const { rounds, seconds, also, profileDir } = options;
  const dir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const say = (line: string): void => console.error(`… ${line}`);
  const processes = await ownedProcesses({
    onUnexpectedExit: (name, { lastLines }) => say(`${name} ended: ${lastLines.join('; ')}`),
  });
  const nodeOptions = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profileDir)}`];
  const otherCheckout = also === null ? null : resolve(also);
  try {
    return await work({ processes, dir, rounds, seconds, also: otherCheckout, nodeOptions, say });
  } finally {
    await processes.stopAll();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A gateway to measure: a name for its row, and the command that starts it. */
export type GatewayCommand = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
};

export const ours = 'countersign gateway';

/** Ours, and that of the other checkout if there is one; built now, so that no measured process does it. */
export function gatewaysOf({ also }: Lab): readonly GatewayCommand[] {
  const gateways: GatewayCommand[] = [{ name: ours, ...countersign('gateway', '--http') }];
  if (also !== null) {
    const args = [join(also, 'cli/bin/countersign.js'), 'gateway', '--http'];
    gateways.push({ name: `${ours}, other checkout`, command: process.execPath, args });
  }
  for (const { command, args } of gateways)
    execFileSync(command, [...args.slice(0, 1), '--version'], { stdio: 'ignore' });
  return gateways;
}

/** Starts a gateway on a free port with a state of its own. `env` is the rest of its configuration. */
export function spawnGateway(
  lab: Lab,
  { name, command, args }: GatewayCommand,
  env: Readonly<Record<string, string>>,
): OwnedChild {
  return lab.processes.spawn({
    name,
    command,
    args: [...lab.nodeOptions, ...args],
    ipc: true,
    env: {
      PATH: process.env['PATH'],
      GATEWAY_PORT: '0',
      GATEWAY_STATE_DIR: mkdtempSync(join(lab.dir, 'gateway-')),
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
}
