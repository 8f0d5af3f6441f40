import { randomBytes } from 'node:crypto';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import type { Database } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../src/database.ts';
import { createRecorder, type Reported, whyNotRecorded } from '../src/transactions/record.ts';
import { newDatabase, newWallet, paymentOf } from './dashboard.ts';

// Reports that come at once are written together. That must leave what the same reports leave one after another.

const now = new Date('2026-11-21T12:00:00.000Z');
let database: Database;
let pool: Pool;
beforeAll(async () => {
  const url = await newDatabase();
  database = await openDatabase({ kind: 'given', url }, createLogger('test', 'silent'));
  pool = database.pool;
});
afterAll(() => database.close());

/** Mandates by what is special about them; budgets are small, so that they are met exactly, missed and overrun. */
const mandates = {
  live: { status: 'active', total: '1', activated: true, expires: '1 day' },
  ended: { status: 'revoked', total: '1', activated: true, expires: '1 day' },
  lapsed: { status: 'exhausted', total: '1', activated: true, expires: '-1 day' },
  draft: { status: 'pending', total: '1', activated: false, expires: '1 day' },
} as const;
type MandateName = keyof typeof mandates;
const names = Object.keys(mandates) as MandateName[];

/** An account with one mandate of each kind, and three open holds on each. */
async function newWorld() {
  const key = randomBytes(6).toString('hex');
  const [accountId, wallet] = [`acc_${key}`, newWallet().address];
  await pool.query('insert into dashboard.account (id, wallet_address, created_at) values ($1, $2, $3)', [
    accountId,
    wallet,
    now,
  ]);
  for (const name of names) {
    const { status, total, activated, expires } = mandates[name];
    await pool.query(
      `insert into dashboard.mandate (id, account_id, title, per_tx_limit, total_budget, status, signature, vc_json,
         signed_budget, created_at, activated_at, expires_at)
       values ($1, $2, '', 1, $3, $4, '0x', '{}', $3, $5::timestamptz, case when $6 then $5 end, $5 + $7::interval)`,
      [`${name}_${key}`, accountId, total, status, now, activated, expires],
    );
    for (const hold of ['h0', 'h1', 'h2']) {
      await pool.query(
        `insert into dashboard.mandate_hold (reporter, id, mandate_id, amount, state, created_at, expires_at)
         values ($1, $2, $3, 0.1, 'open', $4::timestamptz, $4 + interval '1 minute')`,
        [accountId, `${name}_${hold}`, `${name}_${key}`, now],
      );
    }
  }
  return { key, accountId, wallet };
}
type World = Awaited<ReturnType<typeof newWorld>>;

const reports = fc.array(
  fc.record({
    serviceResult: fc.constantFrom('pass', 'pass', 'pass', 'reject', 'error'),
    mandate: fc.constantFrom(null, 'unknown', 'live', 'live', 'live', ...names),
    amount: fc.constantFrom(undefined, '0', '0.3', '0.3', '0.000000000000000001', '0.7', '5'),
    txHash: fc.constantFrom(undefined, '0xa', '0xA', '0xb', 'Solana-1'),
    traceId: fc.constantFrom(undefined, undefined, 't1', 't2', ''),
    holdId: fc.constantFrom(undefined, 'live_h0', 'live_h1', 'ended_h2', 'nobody'),
    ownPayer: fc.constantFrom(true, true, true, false),
    byOperator: fc.constantFrom(false, false, true),
  }),
  { minLength: 2, maxLength: 24 },
);
type Draft = (typeof reports extends fc.Arbitrary<infer T> ? T : never)[number];

const stranger = newWallet().address;
function reportedIn({ key, accountId, wallet }: World, draft: Draft): Reported {
  const { serviceResult, mandate, amount, txHash, traceId, holdId, ownPayer, byOperator } = draft;
  const report = paymentOf(ownPayer ? wallet : stranger, {
    serviceResult,
    payee: ownPayer ? stranger : wallet,
    amount,
    txHash,
    metadata: { holdId, traceId: byOperator && traceId ? `${traceId} ${key}` : traceId },
    // Operators share their keys with every world: what they report gets a chain of this one.
    chain: byOperator ? key : 'base',
    ...(mandate !== null && { intentMandateId: `${mandate}_${key}` }),
  });
  const by = byOperator ? 'operator' : ownPayer ? 'payer' : 'payee';
  return { report: report as TransactionReport, reporter: byOperator ? null : { accountId }, by };
}

/** What each report was answered, with ids told by their order. */
async function answersOf(asked: readonly Reported[], ids: readonly (number | null)[]) {
  const order = ids.flatMap((id) => (id === null ? [] : [id])).toSorted((a, b) => a - b);
  return Promise.all(
    ids.map(async (id, i) => {
      if (id !== null) return order.indexOf(id);
      const why = await whyNotRecorded(pool, asked[i] as Reported);
      return why.kind === 'repeated' ? `repeats ${order.indexOf(why.id)}` : why.kind;
    }),
  );
}

/** Everything that is left behind. */
async function stateOf({ key, accountId, wallet }: World) {
  const ask = async (text: string, value: string) => (await pool.query(text, [value])).rows;
  return JSON.parse(
    JSON.stringify([
      await ask(
        `select split_part(id, '_', 1) as name, trim_scale(used_amount) as used, transaction_count, last_used_at, status
         from dashboard.mandate where account_id = $1 order by id`,
        accountId,
      ),
      await ask(
        `select h.id, state from dashboard.mandate_hold h where h.reporter = $1 order by h.id`,
        accountId,
      ),
      await ask(
        `select service_result, trim_scale(amount_exact) as amount, tx_hash, metadata, intent_mandate_id, payer, created_at
         from dashboard.transaction_log where $1 in (payer, payee) order by id`,
        wallet,
      ),
      await ask(
        `select split_part(m.id, '_', 1) as name, d.day, trim_scale(d.used) as used
         from dashboard.mandate_day d join dashboard.mandate m on m.id = d.mandate_id where m.account_id = $1 order by m.id, d.day`,
        accountId,
      ),
      await ask(
        `select split_part(mandate_id, '_', 1) as name, kind from dashboard.alert where account_id = $1 order by mandate_id, kind`,
        accountId,
      ),
      await ask(`select count(*) as keys from dashboard.transaction_key where reporter = $1`, accountId),
    ]).replaceAll(new RegExp(`${key}|${wallet}`, 'g'), ''),
  );
}

async function oneByOne(asked: readonly Reported[]): Promise<readonly (number | null)[]> {
  const ids: (number | null)[] = [];
  const record = createRecorder(pool, () => now);
  for (const one of asked) ids.push((await record(one))?.id ?? null);
  return ids;
}

const together = (asked: readonly Reported[]): Promise<readonly (number | null)[]> => {
  const record = createRecorder(pool, () => now);
  return Promise.all(asked.map(async (one) => (await record(one))?.id ?? null));
};

test('reports that come at once are answered, and leave the same, as one after another [dashboard.transactions.report.together]', async () => {
  await fc.assert(
    fc.asyncProperty(reports, async (drafts) => {
      const [a, b] = [await newWorld(), await newWorld()];
      const [first, second] = [a, b].map((world) => drafts.map((draft) => reportedIn(world, draft)));
      if (first === undefined || second === undefined) throw new Error('two worlds');
      const answers = await answersOf(first, await oneByOne(first));
      expect(await answersOf(second, await together(second))).toEqual(answers);
      expect(await stateOf(b)).toEqual(await stateOf(a));
    }),
    { numRuns: 40 },
  );
});

test('two processes that record batches over the same mandates and keys never stand in each other’s way for good [dashboard.transactions.report.together]', async () => {
  const worlds = [await newWorld(), await newWorld(), await newWorld()];
  const shared = Array.from({ length: 120 }, (_, i) => {
    const world = worlds[(i * 7) % 3] as World;
    const metadata = { holdId: `live_h${i % 3}` };
    const about = { amount: '0.01', txHash: `0x${(i % 60).toString(16)}`, metadata };
    const report = paymentOf(world.wallet, { ...about, intentMandateId: `live_${world.key}` });
    return {
      report: report as TransactionReport,
      reporter: { accountId: world.accountId },
      by: 'payer' as const,
    };
  });
  const [left, right] = [createRecorder(pool, () => now), createRecorder(pool, () => now)];
  const ids = await Promise.all(
    [...shared.map(left), ...shared.toReversed().map(right)].map((answer) => answer),
  );
  const made = ids.filter((id) => id !== null);
  const different = new Set(shared.map(({ report }) => `${report.payer} ${report.txHash}`)).size;
  expect([made.length, new Set(made).size]).toEqual([different, different]);
  const { rows } = await pool.query(
    `select sum(transaction_count)::int as count, trim_scale(sum(used_amount)) as used from dashboard.mandate
     where account_id = any($1)`,
    [worlds.map(({ accountId }) => accountId)],
  );
  expect(rows).toEqual([{ count: different, used: `${different / 100}` }]);
});

test('one report that cannot be stored fails alone [dashboard.transactions.report.together]', async () => {
  const world = await newWorld();
  const good = { ...paymentOf(world.wallet), intentMandateId: `live_${world.key}` } as TransactionReport;
  const bad = { ...good, serviceResult: 'other' } as unknown as TransactionReport;
  const record = createRecorder(pool, () => now);
  const asked = [good, good, bad, good].map((report) => record({ report, reporter: null, by: 'operator' }));
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  const [live] = (await stateOf(world))[0].filter(({ name }: { name: string }) => name === 'live');
  expect(live).toMatchObject({ transaction_count: 3, used: '0.03' });
});

test('of reports that come at once, all that wait go in one statement; alone, none waits [dashboard.transactions.report.together]', async () => {
  const world = await newWorld();
  const report = paymentOf(world.wallet) as TransactionReport;
  const query = vi.spyOn(pool, 'query');
  const record = createRecorder(pool, () => now);
  await Promise.all(Array.from({ length: 40 }, () => record({ report, reporter: null, by: 'operator' })));
  expect(query).toHaveBeenCalledTimes(2);
  await record({ report, reporter: null, by: 'operator' });
  expect(query).toHaveBeenCalledTimes(3);
  query.mockRestore();
});
