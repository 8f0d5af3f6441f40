import { setTimeout as sleep } from 'node:timers/promises';
import { usdcAddress } from '@countersign/contracts/addresses';
import { newPrivateKey } from '@countersign/local/market';
import { secp256k1 } from '@countersign/service/ethereum/secp256k1';
import { connectHttp } from './caller.ts';
import { callOnce, type Running, untilServing } from './contestant.ts';
import { type GatewayCommand, gatewaysOf, type Lab, spawnGateway } from './lab.ts';
import { type Failures, failuresOf, median, type Round, runLoad, warmUp } from './load.ts';
import { usageOfTree } from './process-cost.ts';
import { type StubDashboard, startStubDashboard } from './stub-dashboard.ts';
import { quotePath, startStubPaidService } from './stub-paid-service.ts';

/** Medians over the rounds. CPU is the gateway's own, with the reports that it sends after the answer. */
export type PaidMeasured = Failures & {
  readonly name: string;
  readonly way: Way;
  readonly callers: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMillisPerCall: number;
  /** Of the first and the last round: a cost that grows with what was paid before shows here. */
  readonly cpuMillisFirst: number;
  readonly cpuMillisLast: number;
  readonly rssMB: number;
  /** Reports that the dashboard still lacked five seconds after the last round. */
  readonly unreported: number;
};

export type PaidCallResult = {
  readonly measured: readonly PaidMeasured[];
  /** Which implementation of the curve signs and verifies. */
  readonly secp256k1: string;
};

/** How the gateway reaches the service. */
export type Way = 'mcp' | 'http';

const chainId = 84_532;
const chainName = 'base-sepolia';

/** Paid calls with every check, against parties that answer at once: what is left is the gateway's own cost. */
export async function measurePaidCall(lab: Lab, concurrencies: readonly number[]): Promise<PaidCallResult> {
  return { measured: await measureAll(lab, concurrencies), secp256k1: secp256k1.name };
}

/** Over HTTP it is the same payment: once is enough. */
const kinds = [
  { way: 'mcp', holds: false },
  { way: 'mcp', holds: true },
  { way: 'http', holds: true },
] as const satisfies readonly { readonly way: Way; readonly holds: boolean }[];

type Contestant = Running & {
  readonly name: string;
  readonly way: Way;
  readonly dashboard: StubDashboard;
};

/** With holds and without in the same rounds: what a budget costs is the difference. */
async function measureAll(lab: Lab, concurrencies: readonly number[]): Promise<readonly PaidMeasured[]> {
  const [ownerKey, merchantKey] = [newPrivateKey(), newPrivateKey()];
  const network = `eip155:${chainId}`;
  const service = await startStubPaidService({ network, asset: usdcAddress, merchantKey });
  const running: Contestant[] = [];
  const wanted = gatewaysOf(lab).flatMap((gateway) => kinds.map((kind) => ({ gateway, ...kind })));
  for (const { gateway, way, holds } of wanted) {
    const told = holds ? 'dashboard with holds' : 'dashboard without holds';
    const name = `${gateway.name}, ${told}${way === 'http' ? ', HTTP service' : ''}`;
    lab.say(`starting ${name}`);
    const dashboard = await startStubDashboard({ chainId, chainName, ownerKey, merchantKey, holds });
    const env = {
      EVM_PRIVATE_KEY: ownerKey,
      ...servicesAt(service.origin, way),
      COMPLIANCE_BASE_URL: dashboard.origin,
      COMPLIANCE_API_KEY: 'bench',
      COMPLIANCE_CHAIN: chainName,
      PAYMENT_NETWORKS: network,
    };
    running.push({ name, way, dashboard, ...(await start(lab, gateway, env)) });
  }
  const measured = await takeTurns(lab, running, concurrencies);
  for (const { caller, dashboard, stop } of running) {
    await caller.close();
    await stop();
    dashboard.close();
  }
  service.close();
  return measured;
}

function servicesAt(origin: string, way: Way): Readonly<Record<string, string>> {
  if (way === 'mcp') return { DOWNSTREAM_MCP_URLS: `paid=${origin}/mcp` };
  const endpoint = { endpoint: `${origin}${quotePath}`, method: 'POST', name: 'echo' };
  return { HTTP_SERVICES: JSON.stringify({ paid: { ...endpoint, inputSchema: { type: 'object' } } }) };
}

async function start(lab: Lab, gateway: GatewayCommand, env: Readonly<Record<string, string>>) {
  const child = spawnGateway(lab, gateway, env);
  const url = await child.ready;
  const wrap = (args: object) => ({ serviceId: 'paid', toolName: 'echo', arguments: args });
  return untilServing(child, () => connectHttp(url, { tool: 'call_service_tool', wrap }));
}

type Sample = Round & { readonly cpuMillis: number; readonly rssMB: number; readonly unreported: number };

async function takeTurns(
  { rounds, seconds, say }: Lab,
  running: readonly Contestant[],
  concurrencies: readonly number[],
): Promise<readonly PaidMeasured[]> {
  say('warming up');
  for (const { caller } of running) await warmUp((n) => callOnce(caller, n));
  const measured: PaidMeasured[] = [];
  for (const callers of concurrencies.toSorted((a, b) => b - a)) {
    say(`paid call, ${callers} at once: ${rounds} rounds`);
    const samples = new Map<Contestant, Sample[]>(running.map((one) => [one, []]));
    for (let round = 0; round < rounds; round++)
      for (const [one, all] of samples) all.push(await measureOnce(one, callers, seconds));
    for (const [{ name, way }, all] of samples) measured.push({ ...summarise(name, callers, all), way });
  }
  return measured.toSorted((a, b) => a.callers - b.callers);
}

async function measureOnce(
  { pid, caller, dashboard }: Contestant,
  callers: number,
  seconds: number,
): Promise<Sample> {
  // What earlier calls have left in the outbox is none of this round's cost.
  await untilQuiet(dashboard);
  const [reportsBefore, before] = [dashboard.reports(), usageOfTree(pid)];
  const round = await runLoad((n) => callOnce(caller, n), callers, seconds);
  const deadline = Date.now() + 5000;
  const missing = (): number => reportsBefore + round.calls - dashboard.reports();
  while (missing() > 0 && Date.now() < deadline) await sleep(10);
  const after = usageOfTree(pid);
  return {
    ...round,
    cpuMillis: (after.cpuMicros - before.cpuMicros) / 1000,
    rssMB: after.rssBytes / 1e6,
    unreported: Math.max(0, missing()),
  };
}

async function untilQuiet(dashboard: StubDashboard): Promise<void> {
  for (let before = -1; before !== dashboard.reports(); ) {
    before = dashboard.reports();
    await sleep(100);
  }
}

function summarise(name: string, callers: number, samples: readonly Sample[]): Omit<PaidMeasured, 'way'> {
  const cpu = samples.map((sample) => sample.cpuMillis / sample.calls);
  return {
    name,
    callers,
    callsPerSecond: median(samples.map((s) => s.calls / s.seconds)),
    p50: median(samples.map((s) => s.p50)),
    p99: median(samples.map((s) => s.p99)),
    cpuMillisPerCall: median(cpu),
    cpuMillisFirst: cpu[0] ?? Number.NaN,
    cpuMillisLast: cpu.at(-1) ?? Number.NaN,
    rssMB: median(samples.map((s) => s.rssMB)),
    ...failuresOf(samples),
    unreported: samples.reduce((sum, s) => sum + s.unreported, 0),
  };
}
