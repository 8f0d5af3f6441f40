import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate } from '@countersign/service/sql';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newDatabase } from './dashboard.ts';

// A hold that fits is placed by a shorter way than one that is judged rule by rule. The function before there was that way is the oracle.

const now = '2026-11-21T12:00:00.000Z';
const payee = `0x${'1'.repeat(40)}`;
const own = 'place_hold';
const before = 'place_hold_before';

let client: Client;
let url: string;
beforeAll(async () => {
  url = await newDatabase();
  const pool = createPool(url, createLogger('test', 'silent'));
  const migrations = migrationsOf('dashboard');
  await migrate(pool, migrations);
  await pool.end();
  client = new Client({ connectionString: url });
  await client.connect();
  const text = readFileSync(join(migrations.directory, '0036-holds-and-checks.sql'), 'utf8');
  const [definition] = /create function dashboard\.place_hold\([\s\S]*?\$\$;/.exec(text) ?? [];
  await client.query(definition?.replaceAll(own, before) ?? '');
  await client.query(
    `insert into dashboard.account (id, wallet_address, created_at) values ('acc', $1, $2), ('other', $3, $2)`,
    [`0x${'a'.repeat(40)}`, now, `0x${'b'.repeat(40)}`],
  );
  await client.query(`insert into dashboard.payee (id, admitted, created_at) values ('record', 1, $1)`, [
    now,
  ]);
});
afterAll(() => client.end());

const money = (most: number) => fc.integer({ min: 0, max: most });
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, ...others.map((value) => fc.constant(value)));
/** In minutes from now. */
const moments = mostly(60, 0, -1);

const cases = fc.record({
  status: mostly('active', 'pending', 'exhausted', 'expired', 'revoked'),
  deleted: mostly(false, true),
  paused: mostly(false, true),
  expires: moments,
  perTxLimit: fc.integer({ min: 1, max: 4 }),
  threshold: fc.option(money(4)),
  total: fc.integer({ min: 2, max: 12 }),
  used: money(6),
  period: fc.option(
    fc.record({ every: fc.constantFrom('day', 'week', 'month'), budget: fc.integer({ min: 1, max: 8 }) }),
  ),
  days: fc.uniqueArray(fc.record({ ago: fc.integer({ min: 0, max: 40 }), used: money(3) }), {
    maxLength: 3,
    selector: ({ ago }) => ago,
  }),
  merchants: mostly(null, [payee], ['0x2'], []),
  services: mostly(null, ['paid'], ['other'], []),
  newPayees: mostly('pay', 'ask'),
  holds: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      amount: money(3),
      state: mostly('open', 'used', 'released'),
      expires: moments,
      approval: mostly(null, 'apr_1'),
      payee: mostly(payee, null, '0x2'),
      mandate: mostly('m', 'n'),
    }),
    { maxLength: 3, selector: ({ id }) => id },
  ),
  networks: fc.constantFrom(undefined, null, ['eip155:8453'], ['eip155:1']),
  asked: fc.record({
    owner: mostly('acc', null, 'other'),
    mandate: mostly('m', 'nowhere'),
    wanted: money(4),
    payee: mostly(payee, null),
    service: mostly('paid', 'other', null),
    holder: mostly('', 'one'),
    chain: mostly(8453, 1, null),
    approval: mostly(null, 'apr_1'),
    anyNetwork: mostly(false, true),
  }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

async function setUp(given: Case): Promise<void> {
  for (const id of ['m', 'n'])
    await client.query(
      `insert into dashboard.mandate (id, account_id, title, per_tx_limit, total_budget, signed_budget, used_amount, signature, vc_json, status, created_at,
         activated_at, expires_at, deleted_at, paused, approval_threshold, period_every, period_budget, allowed_merchants, allowed_services, new_payees)
       values ($1, 'acc', 't', $2, $3, $3, $4, '0x', '{}', $5, $6, $6, $6::timestamptz + $7 * interval '1 minute',
         case when $8 then $6::timestamptz end, $9, $10, $11, $12, $13, $14, $15)`,
      [
        id,
        given.perTxLimit,
        given.total,
        given.used,
        id === 'm' ? given.status : 'revoked',
        now,
        given.expires,
        given.deleted && given.status !== 'active',
        given.paused,
        given.threshold,
        given.period?.every,
        given.period?.budget,
        given.merchants,
        given.services,
        given.newPayees,
      ],
    );
  for (const { ago, used } of given.days)
    await client.query(`insert into dashboard.mandate_day values ('m', '2026-11-21'::date - $1::int, $2)`, [
      ago,
      used,
    ]);
  for (const hold of given.holds)
    await client.query(
      `insert into dashboard.mandate_hold (reporter, id, mandate_id, amount, state, created_at, expires_at, approval, payee)
       values ('acc', $1, $2, $3, $4, $5, $5::timestamptz + $6 * interval '1 minute', $7, $8)`,
      [hold.id, hold.mandate, hold.amount, hold.state, now, hold.expires, hold.approval, hold.payee],
    );
  if (given.networks !== undefined)
    await client.query(
      `insert into dashboard.payee_address values ($1, 'record', $2, $3::timestamptz + interval '1 day')`,
      [payee, given.networks, now],
    );
}

/** What it says, and what it leaves behind; then all is as it was. */
async function outcomeOf(name: string, { asked }: Case): Promise<object> {
  await client.query('savepoint here');
  const { rows: said } = await client.query(
    `select outcome, case when outcome = 'held' or exceeded is not null then trim_scale(remaining) end as remaining, exceeded,
       case when outcome = 'held' then held_until end as until, case when outcome = 'held' then account end as account
     from dashboard.${name}($1, 'acc', $2, 'a', $3, $4, $1::timestamptz + interval '10 minutes', $5, $6, $7, $8, $9, $10)`,
    [
      now,
      asked.owner,
      asked.mandate,
      asked.wanted,
      asked.payee,
      asked.service,
      asked.holder,
      asked.chain,
      asked.approval,
      asked.anyNetwork,
    ],
  );
  const { rows: holds } = await client.query(`select * from dashboard.mandate_hold order by id`);
  await client.query('rollback to here');
  return { said, holds };
}

test('a hold that fits is placed, and answered, exactly as one that is judged rule by rule [dashboard.hold.never-overspent] [dashboard.policy.only-tightens]', async () => {
  const check = fc.asyncProperty(cases, async (given) => {
    await client.query('begin');
    try {
      await setUp(given);
      expect(await outcomeOf(own, given)).toEqual(await outcomeOf(before, given));
    } finally {
      await client.query('rollback');
    }
  });
  await fc.assert(check, { numRuns: 600 });
});

const holdOf2 = `select dashboard.place_hold('${now}', $1, $1, 'b', $1, 2, '2026-11-21T13:00Z', null, null)`;

const meanwhile = {
  'another hold was placed': { before: [], deeds: [holdOf2] },
  // As a report leaves it: out of one table, into two others.
  'a hold became usage of the day': {
    before: [holdOf2],
    deeds: [
      `update dashboard.mandate set used_amount = used_amount + 2 where id = $1`,
      `update dashboard.mandate_hold set state = 'used' where mandate_id = $1`,
      `insert into dashboard.mandate_day select id, '2026-11-21', 2 from dashboard.mandate where id = $1`,
    ],
  },
};

for (const [what, { before: deedsBefore, deeds }] of Object.entries(meanwhile))
  for (const period of [null, 'day'])
    test(`${what} while a hold waited for its mandate: it counts for the budget of ${period === null ? 'all time' : 'the day'} [dashboard.hold.never-overspent]`, async () => {
      const others = [new Client({ connectionString: url }), new Client({ connectionString: url })] as const;
      const [first, second] = others;
      for (const other of others) await other.connect();
      onTestFinished(async () => void (await Promise.all(others.map((other) => other.end()))));
      const id = `${what}, ${period}`;
      await client.query(
        'insert into dashboard.account (id, wallet_address, created_at) values ($1, $1, $2)',
        [id, now],
      );
      await client.query(
        `insert into dashboard.mandate (id, account_id, title, per_tx_limit, total_budget, signed_budget, signature, vc_json, status, created_at,
           activated_at, expires_at, period_every, period_budget)
         values ($1, $1, 't', 2, $2, $2, '0x', '{}', 'active', $3, $3, $3::timestamptz + interval '1 day', $4, $5)`,
        [id, period === null ? 3 : 100, now, period, period === null ? null : 3],
      );
      for (const deed of deedsBefore) await client.query(deed, [id]);
      await first.query('begin');
      for (const deed of deeds) await first.query(deed, [id]);
      const { rows: backends } = await second.query('select pg_backend_pid() as pid');
      const asked = second.query(
        `select outcome from dashboard.place_hold($1, $2, $2, 'c', $2, 2, '2026-11-21T13:00Z', null, null)`,
        [now, id],
      );
      const waiting = `select count(*)::int as waiting from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
      await expect
        .poll(async () => (await client.query(waiting, [backends[0].pid])).rows)
        .toEqual([{ waiting: 1 }]);
      await first.query('commit');
      expect((await asked).rows).toEqual([{ outcome: period === null ? 'above-budget' : 'above-period' }]);
    });
