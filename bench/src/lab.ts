import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { countersign } from '@countersign/local/countersign';
import type { OwnedChild, OwnedProcesses } from '@countersign/service/owned-process';

/** What all parts of a benchmark share. */
export type Lab = {
  readonly processes: OwnedProcesses;
  /** For what the processes write; the caller removes it. */
  readonly dir: string;
  readonly rounds: number;
  readonly seconds: number;
  /** For the Node that runs our gateway. */
  readonly nodeOptions: readonly string[];
  /** Another checkout whose gateway is measured beside ours. */
  readonly also: string | null;
  readonly say: (line: string) => void;
};

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
