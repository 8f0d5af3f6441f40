import type { ConnectionCard } from '@countersign/local/connection-card';
import { type ChainPayer, connectGateway } from './chain-payer.ts';
import { gatewaysOf, type Lab } from './lab.ts';
import { type Failures, failuresOf, median, type Round, runLoad } from './load.ts';
import { newOwners } from './owners.ts';
import { usageOfTree } from './process-cost.ts';

/** Medians over the rounds, in milliseconds. */
export type ManyMandates = Failures & {
  readonly callers: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Calls a second as a multiple of those of one caller in the same round. */
  readonly timesOne: number;
  /** Of all processes together: what the machine's cores allow at most follows from it. */
  readonly cpuMillisPerCall: number;
};

const owners = 16;
/** Sixteen processes share the calls that make their code warm. */
const warmUpSeconds = 12;

/** Shorter rounds would hold too few settlements. */
const minRoundSeconds = 2;

/**
 * One caller against sixteen, each with a mandate of its own. A gateway pays from one wallet, and a wallet has one
 * mandate: so these are sixteen owners with a gateway process each, before one service, dashboard and chain.
 */
export async function measureManyMandates(lab: Lab, card: ConnectionCard): Promise<readonly ManyMandates[]> {
  const [gateway] = gatewaysOf(lab);
  if (gateway === undefined) throw new Error('there is no gateway to measure');
  lab.say(`starting ${owners} gateways, each of another owner`);
  const payers: ChainPayer[] = [];
  try {
    for (const owner of await newOwners(card, owners))
      payers.push(await connectGateway(lab, gateway, card, owner));
    lab.say('warming up');
    await together(payers, warmUpSeconds);
    return await takeTurns(lab, payers);
  } finally {
    for (const { close } of payers) await close();
  }
}

/** Each of them calls, one call after another. */
const together = (payers: readonly ChainPayer[], seconds: number): Promise<Round> => {
  // The callers of a load share one counter; the n-th of each round is another payer's turn.
  const free = [...payers];
  const call = async (n: number): Promise<void> => {
    const payer = free.shift();
    if (payer === undefined) throw new Error('more callers than payers');
    try {
      await payer.call(n);
    } finally {
      free.push(payer);
    }
  };
  return runLoad(call, payers.length, seconds);
};

async function takeTurns(
  { rounds, seconds, say }: Lab,
  payers: readonly ChainPayer[],
): Promise<readonly ManyMandates[]> {
  say(`one caller and ${payers.length} callers: ${rounds} rounds`);
  const long = Math.max(seconds, minRoundSeconds);
  const one: Costed[] = [];
  const many: Costed[] = [];
  for (let round = 0; round < rounds; round++) {
    one.push(await costOf(() => together(payers.slice(0, 1), long)));
    many.push(await costOf(() => together(payers, long)));
  }
  return [summarise(1, one, one), summarise(payers.length, many, one)];
}

type Costed = Round & { readonly cpuMillis: number };

/** With the CPU time of this process and of everything that it has started. */
async function costOf(load: () => Promise<Round>): Promise<Costed> {
  const before = usageOfTree(process.pid);
  const round = await load();
  return { ...round, cpuMillis: (usageOfTree(process.pid).cpuMicros - before.cpuMicros) / 1000 };
}

const perSecond = ({ calls, seconds }: Round): number => calls / seconds;

const summarise = (callers: number, all: readonly Costed[], one: readonly Costed[]): ManyMandates => ({
  callers,
  callsPerSecond: median(all.map(perSecond)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  timesOne: median(all.map((round, n) => perSecond(round) / perSecond(one[n] ?? round))),
  cpuMillisPerCall: median(all.map(({ cpuMillis, calls }) => cpuMillis / calls)),
  ...failuresOf(all),
});
