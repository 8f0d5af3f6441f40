import type { Pool } from '@countersign/service/sql';
import type { Lab } from '../lab.ts';
import { median, type Round, runLoad } from '../load.ts';
import { usageOfTree } from '../process-cost.ts';
import type { BenchDashboard } from './dashboard.ts';
import { type Yardstick, yardstick } from './pgbench.ts';
import { addressOf } from './wallets.ts';

/** Medians over the rounds. */
export type WriteMeasured = {
  readonly by: string;
  readonly callers: number;
  readonly mandates: number;
  readonly perSecond: number;
  /** Milliseconds of a call: the median; of pgbench the average, which is all it tells. */
  readonly millis: number;
  /** CPU of the dashboard for a report; null for pgbench, which has none. */
  readonly cpuMicros: number | null;
  /** CPU of PostgreSQL, all its processes, for a report. */
  readonly postgresMicros: number;
  readonly failed: number;
};

export const ours = 'POST /api/transactions';

const spreadMandates = 1000;
/** The hot mandate is one that everybody charges. */
const loads = [
  { callers: 1, mandates: spreadMandates },
  { callers: 32, mandates: spreadMandates },
  { callers: 32, mandates: 1 },
] as const;

/** The dashboard, and the database below it by its address and its first process. */
export type Parties = {
  readonly dashboard: BenchDashboard;
  readonly databaseUrl: string;
  readonly postgresPid: number;
};

/** Reports through the API beside the same statement sent one by one, turn by turn, on the same tables. */
export async function measureWrites(
  lab: Lab,
  pool: Pool,
  parties: Parties,
): Promise<readonly WriteMeasured[]> {
  const { dashboard, databaseUrl } = parties;
  await makeMandates(pool);
  lab.say('warming up the reports');
  await runLoad((n) => report(dashboard, n, spreadMandates), 32, 4);
  const measured: WriteMeasured[] = [];
  for (const { callers, mandates } of loads) {
    lab.say(`reports of ${callers} callers on ${mandates} mandates: ${lab.rounds} rounds`);
    const other = yardstick(databaseUrl, lab.dir, { mandates });
    const [own, theirs]: [Sample[], Sample[]] = [[], []];
    for (let round = 0; round < lab.rounds; round++) {
      own.push(await sampleOfOurs(lab, parties, callers, mandates));
      theirs.push(await sampleOf(other, parties, callers, lab.seconds));
    }
    measured.push({ by: ours, callers, mandates, ...summarise(own) });
    measured.push({ by: other.name, callers, mandates, ...summarise(theirs) });
  }
  return measured;
}

/** Payers with an active mandate each, made where they are needed: nobody signs ten thousand of them. */
async function makeMandates(pool: Pool): Promise<void> {
  const payer = `'0x' || lpad(n::text, 40, '0')`;
  await pool.query(
    `insert into dashboard.account (id, wallet_address, created_at)
     select 'bench-' || n, ${payer}, now() from generate_series(1, ${spreadMandates}) n on conflict (wallet_address) do nothing`,
  );
  await pool.query(
    `insert into dashboard.mandate (id, account_id, title, per_tx_limit, total_budget, signed_budget, status, signature,
       vc_json, created_at, activated_at, expires_at)
     select 'bench-' || n, a.id, 'bench', 1, 1e15, 1e15, 'active', '0x', '{}', now(), now(), now() + interval '1 day'
     from generate_series(1, ${spreadMandates}) n join dashboard.account a on a.wallet_address = ${payer}`,
  );
}

const payee = '0x'.padEnd(42, '9');
let reported = 0;

async function report(dashboard: BenchDashboard, n: number, mandates: number): Promise<void> {
  const who = 1 + (n % mandates);
  const unique = `${process.pid}${++reported}`;
  const body = JSON.stringify({
    apiKey: dashboard.operatorKey,
    serviceName: 'quotes',
    serviceResult: 'pass',
    chain: 'base',
    txHash: `0x${BigInt(unique).toString(16)}`,
    amount: '0.01',
    tokenSymbol: 'USDC',
    payer: addressOf(who),
    payee,
    payerKycResult: 1,
    payerKytResult: 1,
    payerKytRiskLevel: 0,
    payeeKycResult: 1,
    payeeKytResult: 1,
    payeeKytRiskLevel: 0,
    intentMandateId: `bench-${who}`,
    metadata: { traceId: unique },
  });
  await dashboard.send('POST', '/api/transactions', body);
}

type Sample = Omit<WriteMeasured, 'by' | 'callers' | 'mandates'>;

async function sampleOfOurs(
  lab: Lab,
  { dashboard, postgresPid }: Parties,
  callers: number,
  mandates: number,
): Promise<Sample> {
  const pids = [dashboard.pid, postgresPid];
  const before = pids.map((pid) => usageOfTree(pid).cpuMicros);
  const round: Round = await runLoad((n) => report(dashboard, n, mandates), callers, lab.seconds);
  const [own, postgres] = pids.map((pid, i) => usageOfTree(pid).cpuMicros - (before[i] ?? 0));
  if (round.failure !== null) lab.say(`a report failed: ${round.failure}`);
  return {
    perSecond: round.calls / round.seconds,
    millis: round.p50,
    cpuMicros: (own ?? Number.NaN) / round.calls,
    postgresMicros: (postgres ?? Number.NaN) / round.calls,
    failed: round.failed,
  };
}

async function sampleOf(
  { run }: Yardstick,
  { postgresPid }: Parties,
  callers: number,
  seconds: number,
): Promise<Sample> {
  const before = usageOfTree(postgresPid).cpuMicros;
  const { perSecond, millis } = await run(callers, seconds);
  const postgresMicros = (usageOfTree(postgresPid).cpuMicros - before) / (perSecond * seconds);
  return { perSecond, millis, cpuMicros: null, postgresMicros, failed: 0 };
}

function summarise(samples: readonly Sample[]): Sample {
  const cpu = samples.map((sample) => sample.cpuMicros).filter((micros) => micros !== null);
  return {
    perSecond: median(samples.map((sample) => sample.perSecond)),
    millis: median(samples.map((sample) => sample.millis)),
    cpuMicros: cpu.length === 0 ? null : median(cpu),
    postgresMicros: median(samples.map((sample) => sample.postgresMicros)),
    failed: samples.reduce((sum, sample) => sum + sample.failed, 0),
  };
}
