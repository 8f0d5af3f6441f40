import { fair, type Weather } from './network.ts';
import type { Random } from './random.ts';
import type { Amount } from '@countersign/protocol/amount';
import { amount, budgets, type Price, prices, validities } from './samples.ts';

/** What an agent wants to buy, and how patiently. One purchase makes its calls one after another. */
export type Purchase = {
  readonly name: string;
  /** Which state directory its gateways share. */
  readonly disk: number;
  readonly symbol: string;
  readonly key: string | undefined;
  /** Ms after the beginning. */
  readonly at: number;
  readonly maxCalls: number;
  /** Ms after which each call is cancelled, in turn; null: never. */
  readonly cancelAfter: readonly (number | null)[];
  /** Somebody else makes the same calls at the same time. */
  readonly hasTwin: boolean;
  readonly waitSeconds: number | undefined;
  readonly maxAmount: Amount | undefined;
};

export type Crash = {
  /** After so many steps of the simulation, or at the first such step after that: where half is done, bugs are. */
  readonly step: number;
  readonly where: 'anywhere' | 'a transaction commits' | 'paid call: arrives';
  readonly kind: 'process' | 'power';
  /** Ms until whatever died is started anew. */
  readonly restartsIn: number;
};

/** How the merchant treats a payment that it has been sent. */
const habits = ['honest', 'silent', 'denies', 'late', 'refuses', 'breaks', 'twice'] as const;
export type Habit = (typeof habits)[number];

export type Merchant = {
  readonly habits: readonly Habit[];
  readonly prices: readonly Price[];
  readonly hasCart: boolean;
  readonly validity: number;
};

/** All that a seed decides before anything happens. */
export type Plan = {
  readonly weather: Weather;
  readonly disks: number;
  readonly processesPerDisk: number;
  /** Ms by which each clock is wrong. */
  readonly skewMs: { readonly gateway: number; readonly dashboard: number; readonly chain: number };
  readonly nodeLagMs: number;
  /** Whether the gateway has a node to ask. Without one it believes the service. */
  readonly hasNode: boolean;
  /** Dashboards of before have no holds, or refuse what the owner approved beyond a limit and name no rules. */
  readonly holds: 'none' | 'within limits' | 'by approval too';
  /** Of the owner's mandate; null: there never was one. */
  readonly budget: string | null;
  /** Ms at which the mandate is revoked, and another one signed some time after that. */
  readonly revokedAt: number | null;
  readonly renewedAt: number | null;
  readonly outage: { readonly from: number; readonly to: number } | null;
  readonly owner: 'approves' | 'rejects' | 'sleeps';
  readonly merchant: Merchant;
  readonly purchases: readonly Purchase[];
  readonly crashes: readonly Crash[];
};

export function drawPlan(random: Random): Plan {
  const plan = drawAnyPlan(random);
  return random.chance(0.02) ? { ...plan, ...drawSharedKey(random) } : plan;
}

function drawAnyPlan(random: Random): Plan {
  const disks = random.chance(0.15) ? 2 : 1;
  const isMandated = disks === 2 || random.chance(0.9);
  const revokedAt = isMandated && random.chance(0.12) ? random.between(0, 4000) : null;
  return {
    weather: drawWeather(random),
    disks,
    processesPerDisk: random.chance(0.3) ? 2 : 1,
    skewMs: { gateway: skew(random), dashboard: skew(random), chain: skew(random) },
    nodeLagMs: random.pick([
      0,
      0,
      0,
      0,
      0,
      random.between(1000, 12_000),
      random.between(1000, 12_000),
      100_000,
    ]),
    hasNode: random.chance(0.9),
    holds: drawHolds(random, disks),
    budget: isMandated ? random.pick(budgets) : null,
    revokedAt,
    renewedAt: revokedAt !== null && random.chance(0.5) ? revokedAt + random.between(100, 4000) : null,
    outage: random.chance(0.12) ? drawOutage(random) : null,
    owner: random.pick(['approves', 'approves', 'rejects', 'sleeps', 'sleeps']),
    merchant: drawMerchant(random),
    purchases: Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, (_, n) => drawPurchase(random, n, disks)),
    crashes: random.chance(0.4) ? Array.from({ length: random.between(1, 2) }, () => drawCrash(random)) : [],
  };
}

// Two directories know of each other only by the dashboard's holds: there have to be some.
const drawHolds = (random: Random, disks: number): Plan['holds'] => {
  if (disks === 1 && random.chance(0.15)) return 'none';
  return random.chance(0.75) ? 'by approval too' : 'within limits';
};

const drawWeather = (random: Random): Weather =>
  random.pick([fair, fair, { lost: 0.03, slow: 0.03, twice: 0.05 }, { lost: 0.1, slow: 0.1, twice: 0.1 }]);

/**
 * Two directories are asked for the same call under one key, while the journal of the second still counts a payment whose
 * hold has run out: it refuses what the dashboard lets pass, as the other's hold stands already.
 */
function drawSharedKey(random: Random): Partial<Plan> {
  const patient = { symbol: 'ACME', maxCalls: 1, cancelAfter: [], hasTwin: false };
  const asking = { ...patient, waitSeconds: undefined, maxAmount: undefined };
  const at = random.between(85_000, 95_000);
  return {
    disks: 2,
    nodeLagMs: 100_000,
    hasNode: true,
    holds: 'by approval too',
    budget: '2.2',
    revokedAt: null,
    renewedAt: null,
    outage: null,
    merchant: { habits: ['silent', 'late'], prices: ['1'], hasCart: random.chance(0.4), validity: 10 },
    purchases: [
      { ...asking, name: 'agent 1', disk: 1, key: undefined, at: 0 },
      { ...asking, name: 'agent 2', disk: 0, key: 'key 1', at },
      { ...asking, name: 'agent 3', disk: 1, key: 'key 1', at: at + random.between(0, 5000) },
    ],
    crashes: [],
  };
}

/** Half of what the gateway allows for between any two clocks. */
const skew = (random: Random): number => (random.chance(0.3) ? random.between(-25_000, 25_000) : 0);

function drawOutage(random: Random) {
  const from = random.between(0, 3000);
  return { from, to: from + random.between(500, 12_000) };
}

const drawMerchant = (random: Random): Merchant => ({
  habits: random.chance(0.5) ? ['honest'] : ['honest', 'honest', ...habits],
  prices: random.chance(0.8) ? [random.pick(prices)] : [random.pick(prices), random.pick(prices)],
  hasCart: random.chance(0.4),
  validity: random.pick(validities),
});

function drawPurchase(random: Random, n: number, disks: number): Purchase {
  const key = random.chance(0.5) ? `key ${random.between(1, 2)}` : undefined;
  return {
    name: `agent ${n + 1}`,
    disk: random.between(0, disks - 1),
    // Whoever takes the same key mostly means the same call.
    symbol: random.chance(0.9) ? 'ACME' : 'OTHER',
    key,
    at: random.between(0, 1500),
    maxCalls: random.between(1, 3),
    cancelAfter: Array.from({ length: 3 }, () =>
      random.chance(0.25) ? random.between(1, random.pick([300, 900, 6000])) : null,
    ),
    hasTwin: random.chance(0.15),
    waitSeconds: random.chance(0.1) ? 5 : undefined,
    maxAmount: random.chance(0.1) ? amount('0.5') : undefined,
  };
}

const drawCrash = (random: Random): Crash => ({
  step: random.between(5, 90),
  where: random.pick(['anywhere', 'a transaction commits', 'a transaction commits', 'paid call: arrives']),
  kind: random.chance(0.7) ? 'process' : 'power',
  restartsIn: random.pick([random.between(0, 300), random.between(0, 8000)]),
});
