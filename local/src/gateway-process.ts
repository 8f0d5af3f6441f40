import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnedChild, type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { type Agent, connectAgent } from './agent.ts';
import { countersign } from './countersign.ts';

export type GatewayProcess = {
  readonly url: string;
  readonly child: OwnedChild;
  readonly agent: Agent;
  readonly stateDir: string;
  readonly stop: () => Promise<void>;
};

/**
 * A gateway process of its own on a free port, with one agent connected: for tests, examples and benchmarks.
 * `env` is its whole configuration beside port and state; `stateDir` lets it take over an earlier one's state.
 */
export async function startGatewayProcess(
  env: Readonly<Record<string, string>>,
  options: { readonly stateDir?: string; readonly token?: string } = {},
): Promise<GatewayProcess> {
  const processes: OwnedProcesses = await ownedProcesses({
    onUnexpectedExit: (name, { lastLines }) =>
      process.stderr.write(`${name} ended:\n${lastLines.join('\n')}\n`),
  });
  const stateDir = options.stateDir ?? (await mkdtemp(join(tmpdir(), 'countersign-gateway-')));
  const child = processes.spawn({
    name: 'gateway',
    ...countersign('gateway', '--http'),
    env: {
      PATH: process.env['PATH'],
      GATEWAY_PORT: '0',
      GATEWAY_STATE_DIR: stateDir,
      LOG_LEVEL: 'warn',
      ...env,
    },
    ipc: true,
  });
  const url = await child.ready;
  const agent = await connectAgent(url, options.token);
  return {
    url,
    child,
    agent,
    stateDir,
    async stop() {
      await agent.close();
      await processes.stopAll();
      if (options.stateDir === undefined) await rm(stateDir, { recursive: true, force: true });
    },
  };
}
