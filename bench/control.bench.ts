// what the control plane costs: decisions, executions in fresh sandboxes, many of them at once, webhooks
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startSystem } from '@countersign/local/system';
import { measureParts, type Outcome, type Parts, runBench, whyNoPart } from './src/bench-command.ts';
import { type ControlClient, controlClient } from './src/control/client.ts';
import { measureExecutions, measureQueue } from './src/control/executions.ts';
import { measureFanOut } from './src/control/fan-out.ts';
import { measurePolicies } from './src/control/policies.ts';
import { reportExecutions, reportFanOut, reportPolicies, reportQueue } from './src/control/report.ts';

const help = `Usage: npm run bench -- control [OPTION]...

  --only PART        policies, execution, queue or webhooks; all of them if absent
  --rounds N         executions one after the other (default 30); a hundred times as many decisions
  --executions N     async executions at once (default 200, at most 200)
  --events N         events for the webhooks (default 50)
  --no-save          print only
`;

type Options = {
  readonly only: string | null;
  readonly rounds: number;
  readonly executions: number;
  readonly events: number;
  readonly save: boolean;
};

const parts: Parts<readonly [ControlClient, Options]> = {
  async policies(client, { rounds }) {
    const data = await measurePolicies(client, rounds * 100);
    return { text: reportPolicies(data), data };
  },
  async execution(client, { rounds }) {
    const data = await measureExecutions(client, rounds);
    return { text: reportExecutions(data), data };
  },
  async queue(client, { executions }) {
    const data = await measureQueue(client, executions);
    return { text: reportQueue(data), data };
  },
  async webhooks(client, { events }) {
    const data = await measureFanOut(client, events);
    return { text: reportFanOut(data), data };
  },
};

export const main = (args: readonly string[]): Promise<number> =>
  runBench({ name: 'control', title: 'Control plane', help, readOptions, measure }, args);

async function measure(options: Options): Promise<Outcome> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const env = { ...process.env, RATE_LIMIT_REQUESTS: '1000000000' };
  console.error('… starting enclave, database and control plane');
  const system = await startSystem({ dir, portBase: 0, env, only: ['control plane'] });
  const client = controlClient(system.card);
  try {
    return await measureParts(parts, options.only, client, options);
  } finally {
    client.close();
    await system.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({ args: [...args], options: argumentTypes });
  const only = values.only ?? null;
  return (
    whyNoPart(parts, only) ?? {
      only,
      rounds: Number(values.rounds),
      executions: Number(values.executions),
      events: Number(values.events),
      save: !values['no-save'],
    }
  );
}

const argumentTypes = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '30' },
  executions: { type: 'string', default: '200' },
  events: { type: 'string', default: '50' },
  'no-save': { type: 'boolean', default: false },
} as const;
