import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { connectAgent } from '@countersign/local/agent';
import { barePayer, type CallTool } from '@countersign/local/bare-payer';
import type { ConnectionCard } from '@countersign/local/connection-card';
import { startSystem } from '@countersign/local/system';
import { type GatewayCommand, gatewaysOf, type Lab, spawnGateway } from './lab.ts';
import { median, type Round, runLoad } from './load.ts';

/** Medians over the rounds, in milliseconds; one caller. */
export type SettledMeasured = {
  readonly name: string;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** p50 as a multiple of that of the bare client in the same round. */
  readonly timesBare: number;
  readonly failed: number;
};

export const bare = 'bare @x402/core and @x402/evm client';

/** A tool that anybody can afford to call thousands of times. */
const tool = 'get_tick';

type Payer = {
  readonly name: string;
  readonly call: (n: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * The same tool paid on a real chain, by a client that pays whatever it is asked and through the gateway with every
 * check of a real dashboard. Both use the stock MCP client.
 */
export async function measureSettledCall(lab: Lab): Promise<readonly SettledMeasured[]> {
  lab.say('starting chain, facilitator, services and dashboard');
  const dir = mkdtempSync(join(lab.dir, 'system-'));
  // The gateways are started here, so that each of them can be measured.
  const only = ['accounts', 'sample services'] as const;
  const system = await startSystem({ dir, portBase: 0, env: { PATH: process.env['PATH'] }, only });
  const payers: Payer[] = [];
  try {
    payers.push(await connectBare(system.card));
    for (const gateway of gatewaysOf(lab)) payers.push(await connectGateway(lab, gateway, system.card));
    return await takeTurns(lab, payers);
  } finally {
    for (const { close } of payers) await close();
    await system.stop();
  }
}

async function connectBare({ owner, services }: ConnectionCard): Promise<Payer> {
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

async function connectGateway(lab: Lab, gateway: GatewayCommand, card: ConnectionCard): Promise<Payer> {
  const child = spawnGateway(lab, gateway, {
    EVM_PRIVATE_KEY: card.owner.privateKey,
    EVM_RPC_URL: card.rpcUrl ?? '',
    DOWNSTREAM_MCP_URLS: `quotes=${card.services[0]?.url ?? ''}`,
    COMPLIANCE_BASE_URL: card.dashboardUrl ?? '',
    COMPLIANCE_API_KEY: card.owner.apiKey ?? '',
    COMPLIANCE_CHAIN: 'base-sepolia',
    PAYMENT_NETWORKS: `eip155:${card.chainId}`,
  });
  const agent = await connectAgent(await child.ready);
  return {
    name: gateway.name,
    async call() {
      const input = { serviceId: 'quotes', toolName: tool, arguments: { symbol: randomUUID() } };
      const { code, message, detail } = await agent.call(input);
      if (!detail.paymentMade) throw new Error(`${code}: ${message}`);
    },
    async close() {
      await agent.close();
      await child.stop();
    },
  };
}

/** A settlement is slow: only many at once warm up the dashboard, the services and the facilitator in time. */
const warmUpCallers = 16;
const warmUpSeconds = 6;

/** Shorter rounds would hold too few settlements. */
const shortestRoundSeconds = 2;

async function takeTurns(
  { rounds, seconds, say }: Lab,
  payers: readonly Payer[],
): Promise<readonly SettledMeasured[]> {
  const long = Math.max(seconds, shortestRoundSeconds);
  say('warming up');
  for (const { call } of payers) await runLoad(call, warmUpCallers, warmUpSeconds);
  say(`paid call on the chain: ${rounds} rounds`);
  const samples = new Map<Payer, (Round & { readonly timesBare: number })[]>(payers.map((p) => [p, []]));
  for (let round = 0; round < rounds; round++) {
    let bareP50 = Number.NaN;
    for (const [payer, all] of samples) {
      const sample = await runLoad(payer.call, 1, long);
      if (payer.name === bare) bareP50 = sample.p50;
      all.push({ ...sample, timesBare: sample.p50 / bareP50 });
    }
  }
  return [...samples].map(([{ name }, all]) => summarise(name, all));
}

const summarise = (
  name: string,
  samples: readonly (Round & { readonly timesBare: number })[],
): SettledMeasured => ({
  name,
  callsPerSecond: median(samples.map((s) => s.calls / s.seconds)),
  p50: median(samples.map((s) => s.p50)),
  p99: median(samples.map((s) => s.p99)),
  timesBare: median(samples.map((s) => s.timesBare)),
  failed: samples.reduce((sum, s) => sum + s.failed, 0),
});
