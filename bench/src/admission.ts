import { randomBytes, randomUUID } from 'node:crypto';
import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { createLogger } from '@countersign/service/logger';
import { managedPostgres } from '@countersign/service/managed-postgres';
import { createPool, type Pool, rows, statement } from '@countersign/service/sql';
import { buildWithout } from './build-without.ts';
import type { Lab } from './lab.ts';
import { type Failures, median } from './load.ts';
import { type BenchDashboard, chainId, startDashboard } from './log/dashboard.ts';
import { newOwner } from './owners.ts';

/** Medians over the rounds, in milliseconds; one caller. */
export type AdmissionMeasured = Failures & {
  readonly name: 'look-up of the payee' | 'hold';
  /** p50 of ours, and of the same dashboard that judges nothing. */
  readonly p50: number;
  readonly unjudged: number;
  /** Median of the differences within each round. */
  readonly added: number;
};

export type AdmissionResult = {
  readonly measured: readonly AdmissionMeasured[];
  readonly floor: Floor;
  /** Both together, in the same way. */
  readonly added: number;
};

/** Medians over the rounds of what nothing here can be cheaper than, in milliseconds: p50 with one connection, from this process. */
export type Floor = {
  /** A statement that does nothing. */
  readonly roundTrip: number;
  /** A row of one number is written, and on disk. */
  readonly commit: number;
};

/**
 * A paid call asks the dashboard about its payee and for a hold, whatever is judged there. Ours beside a build that answers
 * the look-up without a record and writes the hold without judging it, on one database, in turns within each call.
 */
export async function measureAdmission(lab: Lab): Promise<AdmissionResult> {
  lab.say('starting PostgreSQL and two dashboards');
  const { url } = await managedPostgres({ dir: lab.dir, processes: lab.processes });
  const operatorKey = newPrivateKey();
  const env = {
    OPERATOR_ADDRESSES: addressOfPrivateKey(keyBytes(operatorKey)),
    EVIDENCE_KEY: randomBytes(32).toString('base64'),
  };
  const ours = await startDashboard(lab, url, { env });
  const unjudged = await startDashboard(lab, url, {
    env,
    program: await buildWithout('dashboard'),
  });
  const pool = createPool(url, createLogger('bench', 'warn'), 1);
  try {
    const asked = await setUp(ours, operatorKey);
    await pool.query('create table bench_floor (number bigint not null)');
    return await takeTurns(lab, [callTo(ours, asked), callTo(unjudged, asked)], pool);
  } finally {
    await Promise.all([ours.close(), unjudged.close(), pool.end()]);
  }
}

type Asked = { readonly apiKey: string; readonly mandateId: string; readonly payee: string };

/** A payee whom a record admits, and an owner's mandate with a budget for each day. */
async function setUp({ origin }: BenchDashboard, operatorKey: ReturnType<typeof newPrivateKey>) {
  const site = { origin: new URL(origin), chainId };
  const client = createClient(dashboardRoutes, dashboardDialect, { baseUrl: site.origin, timeoutMs: 10_000 });
  const address = addressOfPrivateKey(keyBytes(operatorKey));
  const operator = await logIn(client, { privateKey: operatorKey, address }, site);
  const payee = `0x${randomBytes(20).toString('hex')}` as const;
  const record = {
    legalName: 'Benchmark GmbH',
    domain: 'bench.example',
    addresses: [{ address: payee, networks: [`eip155:${chainId}`] }],
    validUntil: new Date(Date.now() + 24 * 60 * 60_000).toISOString(),
  };
  expectOk('admit', await client.createPayee({ token: operator.token, body: record }));
  const { apiKey, mandateId, token } = await newOwner(client, operator, site, '1000000');
  const policy = {
    paused: false,
    allowedServices: null,
    allowedMerchants: null,
    approvalThreshold: null,
    period: { every: 'day', budget: '100000' },
    newPayees: 'pay',
  } as const;
  expectOk('set a policy', await client.setMandatePolicy({ token, body: { mandateId, policy } }));
  await client.close();
  return { apiKey, mandateId, payee };
}

type Times = { readonly lookUp: number; readonly hold: number };

/** One payment's two requests, timed; the hold is given back then, so that a mandate has as many as it ever has at once. */
const callTo =
  (dashboard: BenchDashboard, { apiKey, mandateId, payee }: Asked) =>
  async (): Promise<Times> => {
    const post = async (path: string, body: object): Promise<number> => {
      const started = performance.now();
      await dashboard.send('POST', path, JSON.stringify({ apiKey, ...body }));
      return performance.now() - started;
    };
    const lookUp = await post('/api/kyc/check', { walletAddress: payee });
    const holdId = randomUUID();
    const hold = { holdId, mandateId, amount: '0.01', ttlSeconds: 600, payee, serviceId: 'paid' };
    const held = await post('/api/mandates/intent/hold', { ...hold, chain: `eip155:${chainId}` });
    await post('/api/mandates/intent/release', { holdId });
    return { lookUp, hold: held };
  };

const warmUpCalls = 3000;

type Call = () => Promise<Times>;
type Round = { readonly lookUp: Pair; readonly hold: Pair; readonly floor: Floor };
type Pair = readonly [number, number];

async function takeTurns({ rounds, seconds, say }: Lab, [ours, unjudged]: readonly [Call, Call], pool: Pool) {
  say('warming up');
  for (let n = 0; n < warmUpCalls; n++) await (n % 2 === 0 ? ours() : unjudged());
  say(`look-up and hold: ${rounds} rounds`);
  const all: Round[] = [];
  for (let round = 0; round < rounds; round++)
    all.push({
      ...(await measureOnce(ours, unjudged, seconds * 2)),
      floor: await measureFloor(pool, seconds),
    });
  const measured = [
    summarise(
      'look-up of the payee',
      all.map(({ lookUp }) => lookUp),
    ),
    summarise(
      'hold',
      all.map(({ hold }) => hold),
    ),
  ];
  const added = median(all.map(({ lookUp, hold }) => lookUp[0] + hold[0] - lookUp[1] - hold[1]));
  const floor = {
    roundTrip: median(all.map((each) => each.floor.roundTrip)),
    commit: median(all.map((each) => each.floor.commit)),
  };
  return { measured, floor, added };
}

async function measureOnce(ours: Call, unjudged: Call, seconds: number): Promise<Omit<Round, 'floor'>> {
  const [own, others]: [Times[], Times[]] = [[], []];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    // Who goes first alternates: what one leaves in a cache serves the other as often.
    const first = own.length % 2 === 0;
    if (first) own.push(await ours());
    others.push(await unjudged());
    if (!first) own.push(await ours());
  }
  const p50 = (of: keyof Times): Pair => [
    median(own.map((each) => each[of])),
    median(others.map((each) => each[of])),
  ];
  return { lookUp: p50('lookUp'), hold: p50('hold') };
}

const nothing = statement('bench.nothing', 'select 1');
const write = statement('bench.write', 'insert into bench_floor values ($1)');

async function measureFloor(pool: Pool, seconds: number): Promise<Floor> {
  const [empty, written]: [number[], number[]] = [[], []];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const started = performance.now();
    await rows(pool, nothing, []);
    const between = performance.now();
    await rows(pool, write, [written.length]);
    empty.push(between - started);
    written.push(performance.now() - between);
  }
  return { roundTrip: median(empty), commit: median(written) };
}

const summarise = (name: AdmissionMeasured['name'], pairs: readonly Pair[]): AdmissionMeasured => ({
  name,
  p50: median(pairs.map(([own]) => own)),
  unjudged: median(pairs.map(([, other]) => other)),
  added: median(pairs.map(([own, other]) => own - other)),
  failed: 0,
  failure: null,
});
