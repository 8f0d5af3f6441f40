import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { connectAgent } from '@countersign/local/agent';
import { barePayer, type CallTool } from '@countersign/local/bare-payer';
import type { ConnectionCard } from '@countersign/local/connection-card';
import { startSystem } from '@countersign/local/system';
import { type ChainPayer, connectGateway, tool } from './chain-payer.ts';
import { gatewaysOf, type Lab, ours } from './lab.ts';
import { type Failures, failuresOf, median, type Round, runLoad } from './load.ts';
import { type ManyMandates, measureManyMandates } from './many-mandates.ts';
import { buildUnguardedGateway, unguarded } from './unguarded-gateway.ts';

/** Medians over the rounds, in milliseconds; one caller. */
export type SettledMeasured = Failures & {
  readonly name: string;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** p50 as a multiple of that of the bare client in the same round. */
  readonly timesBare: number;
};

export type SettledCallResult = {
  readonly measured: readonly SettledMeasured[];
  /** p50 of our gateway as a multiple of that without its guarantees, median of the rounds. */
  readonly timesUnguarded: number;
  readonly manyMandates: readonly ManyMandates[];
};

export const bare = 'bare @x402/core and @x402/evm client';

/**
 * The same tool paid on a real chain: by a client that pays whatever it is asked, through the gateway with every check
 * of a real dashboard, and through the same gateway without its guarantees. All use the stock MCP client.
 */
export async function measureSettledCall(lab: Lab): Promise<SettledCallResult> {
  lab.say('starting chain, facilitator, services and dashboard');
  const dir = mkdtempSync(join(lab.dir, 'system-'));
  // The gateways are started here, so that each of them can be measured.
  const only = ['accounts', 'sample services'] as const;
  const system = await startSystem({ dir, portBase: 0, env: { PATH: process.env['PATH'] }, only });
  try {
    const rounds = await compare(lab, system.card);
    const p50Of = (name: string): readonly number[] => (rounds.get(name) ?? []).map(({ p50 }) => p50);
    return {
      measured: [...rounds].map(([name, all]) => summarise(name, all, p50Of(bare))),
      timesUnguarded: quotient(p50Of(ours), p50Of(unguarded)),
      manyMandates: await measureManyMandates(lab, system.card),
    };
  } finally {
    await system.stop();
  }
}

async function compare(lab: Lab, card: ConnectionCard): Promise<ReadonlyMap<string, readonly Round[]>> {
  const owner = { privateKey: card.owner.privateKey, apiKey: card.owner.apiKey ?? '' };
  const payers: ChainPayer[] = [];
  try {
    payers.push(await connectBare(card));
    for (const gateway of [...gatewaysOf(lab), await buildUnguardedGateway()])
      payers.push(await connectGateway(lab, gateway, card, owner));
    return await takeTurns(lab, payers);
  } finally {
    for (const { close } of payers) await close();
  }
}

async function connectBare({ owner, services }: ConnectionCard): Promise<ChainPayer> {
  const { client } = await connectAgent(services[0]?.url ?? '');
  const callTool: CallTool = async (name, args, meta) => {
    const answer = await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) });
    return answer as Awaited<ReturnType<CallTool>>;
  };
  const payer = barePayer(owner.privateKey);
  return {
    name: bare,
    async call() {
      const result = await payer.pay(callTool, tool, { symbol: randomUUID() });
      if (result.isError === true) throw new Error(`not paid: ${JSON.stringify(result.content)}`);
    },
    close: () => client.close(),
  };
}

/** A settlement is slow: only many at once warm up the dashboard, the services and the facilitator in time. */
const warmUpCallers = 16;
const warmUpSeconds = 6;

/** Shorter rounds would hold too few settlements. */
const minRoundSeconds = 2;

async function takeTurns(
  { rounds, seconds, say }: Lab,
  payers: readonly ChainPayer[],
): Promise<ReadonlyMap<string, readonly Round[]>> {
  const long = Math.max(seconds, minRoundSeconds);
  say('warming up');
  for (const { call } of payers) await runLoad(call, warmUpCallers, warmUpSeconds);
  say(`paid call on the chain: ${rounds} rounds`);
  const samples = new Map<string, Round[]>(payers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const { name, call } of payers) samples.get(name)?.push(await runLoad(call, 1, long));
  return samples;
}

const summarise = (name: string, samples: readonly Round[], bareP50: readonly number[]): SettledMeasured => ({
  name,
  callsPerSecond: median(samples.map((s) => s.calls / s.seconds)),
  p50: median(samples.map((s) => s.p50)),
  p99: median(samples.map((s) => s.p99)),
  timesBare: quotient(
    samples.map((s) => s.p50),
    bareP50,
  ),
  ...failuresOf(samples),
});

/** Median of the quotients within each round: what disturbs the machine disturbs both. */
const quotient = (values: readonly number[], by: readonly number[]): number =>
  median(values.map((value, round) => value / (by[round] ?? Number.NaN)));
