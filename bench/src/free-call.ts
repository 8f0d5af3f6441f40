import { newPrivateKey } from '@countersign/local/market';
import { connectHttp, type Target } from './caller.ts';
import { callOnce, type Contestant, type Running, untilServing } from './contestant.ts';
import { type GatewayCommand, gatewaysOf, type Lab, spawnGateway } from './lab.ts';
import { type Failures, failuresOf, median, type Round, runLoad, warmUp } from './load.ts';
import { bareProxy, echoService, installPeers, peers } from './peers.ts';
import { usageOfTree } from './process-cost.ts';

export type FreeCallOptions = {
  /** How many call at once, in one table each. */
  readonly callers: readonly number[];
  readonly withPeers: boolean;
};

/** Medians over the rounds. Times are milliseconds; CPU is of the contestant's own processes. */
export type Measured = Failures & {
  readonly name: string;
  readonly callers: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** p50 minus that of the direct call in the same round. */
  readonly addedP50: number;
  readonly cpuMicrosPerCall: number;
  /** CPU per call as a multiple of that of the direct call in the same round. */
  readonly timesDirect: number;
  readonly rssMB: number;
};

export type FreeCallResult = {
  readonly measured: readonly Measured[];
  /** Why a row is missing, by its name. */
  readonly missing: Readonly<Record<string, string>>;
  /** Rows whose proxy starts the service itself and speaks to it through a pipe. */
  readonly overStdio: readonly string[];
};

export const direct = 'direct';
/** Node's `http`, undici and our envelope alone. */
export const bare = 'bare proxy, no checks';

/** A free tool called directly, through our gateway and through each peer, in turns. */
export async function measureFreeCall(lab: Lab, options: FreeCallOptions): Promise<FreeCallResult> {
  const { processes, dir, say } = lab;
  const service = processes.spawn({
    name: 'echo service',
    command: process.execPath,
    args: [echoService],
    ipc: true,
  });
  const serviceUrl = await service.ready;
  const contestants: Contestant[] = [
    {
      name: direct,
      reaches: 'http',
      start: () => untilServing(service, () => connectHttp(serviceUrl, { tool: 'echo' })),
    },
    {
      name: bare,
      reaches: 'http',
      async start() {
        const args = [bareProxy, serviceUrl];
        const child = processes.spawn({ name: bare, command: process.execPath, args, ipc: true });
        const url = await child.ready;
        return untilServing(child, () => connectHttp(url, throughGateway));
      },
    },
    ...gatewaysOf(lab).map((gateway) => gatewayContestant(lab, gateway, serviceUrl)),
  ];
  const whyNoPeers = options.withPeers ? installPeers(say) : 'left out (--no-peers)';
  const missing: Record<string, string> = {};
  for (const peer of peers(processes, dir, serviceUrl)) {
    if (whyNoPeers === null) contestants.push(peer);
    else missing[peer.name] = whyNoPeers;
  }

  const running = new Map<string, Running>();
  for (const { name, start } of contestants) {
    say(`starting ${name}`);
    try {
      running.set(name, await start());
    } catch (error) {
      missing[name] = `did not start: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const measured = await takeTurns(running, lab, options.callers);
  for (const { caller } of running.values()) await caller.close();
  const overStdio = contestants.filter(({ reaches }) => reaches === 'stdio').map(({ name }) => name);
  return { measured, missing, overStdio };
}

const throughGateway: Target = {
  tool: 'call_service_tool',
  wrap: (args) => ({ serviceId: 'echo', toolName: 'echo', arguments: args }),
};

const gatewayContestant = (lab: Lab, gateway: GatewayCommand, serviceUrl: string): Contestant => ({
  name: gateway.name,
  reaches: 'http',
  async start() {
    const child = spawnGateway(lab, gateway, {
      EVM_PRIVATE_KEY: newPrivateKey(),
      DOWNSTREAM_MCP_URLS: `echo=${serviceUrl}`,
    });
    const url = await child.ready;
    return untilServing(child, () => connectHttp(url, throughGateway));
  },
});

type Cost = Round & { readonly cpuMicrosPerCall: number; readonly rssMB: number };
/** Beside the direct call of the same round. */
type Sample = Cost & { readonly addedP50: number; readonly timesDirect: number };

/** One round of each, the direct call first, then the next round: what disturbs the machine disturbs all of them alike. */
async function takeTurns(
  running: ReadonlyMap<string, Running>,
  { rounds, seconds, say }: Lab,
  concurrencies: readonly number[],
): Promise<readonly Measured[]> {
  say('warming up');
  for (const { caller } of running.values()) await warmUp((n) => callOnce(caller, n));
  const measured: Measured[] = [];
  // The fewest callers last: their rounds hold the fewest calls, and would else be those with the coldest code.
  for (const callers of concurrencies.toSorted((a, b) => b - a)) {
    say(`free call, ${callers} at once: ${rounds} rounds`);
    const samples = new Map<string, Sample[]>([...running.keys()].map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      let base: Cost | null = null;
      for (const [name, one] of running) {
        const cost = await measureOnce(one, callers, seconds);
        base ??= cost;
        const addedP50 = cost.p50 - base.p50;
        const timesDirect = cost.cpuMicrosPerCall / base.cpuMicrosPerCall;
        samples.get(name)?.push({ ...cost, addedP50, timesDirect });
      }
    }
    for (const [name, all] of samples) measured.push(summarise(name, callers, all));
  }
  return measured.toSorted((a, b) => a.callers - b.callers);
}

async function measureOnce({ pid, caller }: Running, callers: number, seconds: number): Promise<Cost> {
  const before = usageOfTree(pid, echoService);
  const round = await runLoad((n) => callOnce(caller, n), callers, seconds);
  const after = usageOfTree(pid, echoService);
  const cpuMicrosPerCall = (after.cpuMicros - before.cpuMicros) / round.calls;
  return { ...round, cpuMicrosPerCall, rssMB: after.rssBytes / 1e6 };
}

const summarise = (name: string, callers: number, samples: readonly Sample[]): Measured => ({
  name,
  callers,
  callsPerSecond: median(samples.map((s) => s.calls / s.seconds)),
  p50: median(samples.map((s) => s.p50)),
  p99: median(samples.map((s) => s.p99)),
  addedP50: median(samples.map((s) => s.addedP50)),
  cpuMicrosPerCall: median(samples.map((s) => s.cpuMicrosPerCall)),
  timesDirect: median(samples.map((s) => s.timesDirect)),
  rssMB: median(samples.map((s) => s.rssMB)),
  ...failuresOf(samples),
});
