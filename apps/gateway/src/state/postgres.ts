import type { Address } from '@countersign/protocol/address';
import { formatAmount } from '@countersign/protocol/amount';
import type { Logger } from '@countersign/service/logger';
import { createPool, firstRow, migrate, type Pool, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { StatePort } from '../ports/state.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { countedUnder } from './counted-under.ts';
import { type DatabaseClock, readDatabaseClock } from './database-clock.ts';
import { namedForMs } from './forget.ts';
import { gatewayMigrations } from './migrations.ts';
import { hash, makeRoom, postgresCalls } from './postgres-calls.ts';
import { forgetDue } from './postgres-forget.ts';
import { postgresOutbox } from './postgres-outbox.ts';
import type { GatewayState } from './state.ts';

type Parts = {
  readonly url: string;
  /** Whose payments these are: gateways of other wallets on the same database see none of them. */
  readonly wallet: Address;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
};

/**
 * The gateway's durable memory in PostgreSQL: gateways of one wallet on many machines share it, and each step is one
 * statement. Migrates the database first; throws when that cannot be done. `now` is Unix milliseconds.
 */
export async function openPostgresState({ url, wallet, now, newId, log }: Parts): Promise<GatewayState> {
  const pool = createPool(url, log);
  try {
    const applied = await migrate(pool, gatewayMigrations(), log);
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    const clock = await readDatabaseClock(pool, now);
    const latest = () => clock.latest(now());
    const self = newId();
    const { release, ...outbox } = postgresOutbox(pool, wallet, newId(), latest);
    return {
      ...payments(pool, wallet, clock, now, self),
      ...approvals(pool, wallet, clock, latest),
      ...postgresCalls(pool, wallet, latest, self),
      ...outbox,
      // What is uncertain about the clock makes rows stay longer.
      async forgetOld(limit, maxKeptBytes) {
        await makeRoom(pool, wallet, limit, maxKeptBytes);
        return forgetDue(pool, wallet, clock.earliest(now()), limit);
      },
      async close() {
        await release().catch((error: unknown) => log.warn({ err: error }, 'reports were not released'));
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

type Entry = { readonly entry: PaymentEntry };

const open = statement<{
  outcome: 'opened' | 'over-budget' | 'approval-used' | 'known';
  known: PaymentEntry;
}>(
  'gateway.open',
  'select outcome, known from gateway.open_payment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
);
const findOfCall = statement<Entry>(
  'gateway.payment-of',
  'select entry from gateway.payment where wallet = $1 and call_key = $2',
);
const findByNonce = statement<Entry>(
  'gateway.payment-by',
  'select entry from gateway.payment where wallet = $1 and nonce = $2',
);
const findKnown = statement<Entry>(
  'gateway.known',
  `select entry from gateway.payment where wallet = $1 and (call_key = $2 or nonce = $3)
   order by call_key = $2 desc nulls last limit 1`,
);
const findUnresolved = statement<Entry>(
  'gateway.unresolved',
  'select entry from gateway.payment where wallet = $1 and unresolved order by opened_at',
);
// Found as text: an entry may hold \u0000, at which the operators of json fail. Who it is of is then read from it.
const findUnresolvedOf = statement<Entry>(
  'gateway.unresolved-of',
  `select entry from gateway.payment where wallet = $1 and unresolved and opened_at > $3 and call_key is null
     and strpos(entry::text, $2) > 0 order by opened_at`,
);
// A json column keeps its text to the letter.
const passOn = statement(
  'gateway.pass-on',
  `update gateway.payment set entry = $4
   where wallet = $1 and nonce = $2 and unresolved and entry::text = $3 returning nonce`,
);
const forget = statement('gateway.forget', 'select from gateway.forget_payment($1, $2, $3, null)');
const withdraw = statement(
  'gateway.withdraw',
  `with tried as materialized (
     select case when not exists (select from gateway.claim where wallet = $1 and key = $4 and holder <> $5)
       then gateway.forget_payment($1, $2, $7, $6) end as is_done
   ), gone as (
     select from tried where is_done
   ), unused as (
     update gateway.approval set used_at = null where wallet = $1 and id = $3 and exists (select from gone)
   )
   select from gone`,
);

type PaymentSteps =
  | 'paymentOf'
  | 'paymentBy'
  | 'openPayment'
  | 'findKnown'
  | 'unresolved'
  | 'unresolvedOf'
  | 'passOn'
  | 'resolveUnused'
  | 'withdraw';

const payments = (
  pool: Pool,
  wallet: Address,
  clock: DatabaseClock,
  now: () => number,
  self: string,
): Pick<StatePort, PaymentSteps> => ({
  async paymentOf(callKey) {
    return (await firstRow(pool, findOfCall, [wallet, callKey]))?.entry ?? null;
  },
  async paymentBy(nonce) {
    return (await firstRow(pool, findByNonce, [wallet, nonce]))?.entry ?? null;
  },
  async openPayment(entry, budget, approvalId) {
    const { nonce, callKey, amount, heldUntil, openedAt } = entry;
    const opened = await firstRow(pool, open, [
      wallet,
      nonce,
      callKey,
      countedUnder(entry),
      amount,
      // What is uncertain about the clock makes payments take more of the budget, never less.
      heldUntil === null ? null : clock.earliest(heldUntil),
      openedAt,
      JSON.stringify(entry),
      budget === null ? null : formatAmount(budget.remaining),
      budget === null ? null : clock.earliest(budget.askedAt),
      approvalId === null ? null : hash(approvalId),
      clock.latest(now()),
      budget === null ? null : formatAmount(budget.signed),
    ]);
    if (opened === null) throw new Error('a function gave no row');
    return opened.outcome === 'known' ? { kind: 'known', entry: opened.known } : { kind: opened.outcome };
  },
  async findKnown({ callKey, nonce }) {
    return (await firstRow(pool, findKnown, [wallet, callKey, nonce]))?.entry ?? null;
  },
  unresolved: async () => (await rows(pool, findUnresolved, [wallet])).map(({ entry }) => entry),
  async unresolvedOf(identity, openedAfter) {
    const found = await rows(pool, findUnresolvedOf, [wallet, identity, openedAfter]);
    return found.map(({ entry }) => entry).filter(({ asker }) => asker?.identity === identity);
  },
  async passOn(entry, asker) {
    const { asker: before, ...rest } = entry;
    if (before === undefined) return null;
    const passed: PaymentEntry = asker === null ? rest : { ...entry, asker };
    const asked = [wallet, entry.nonce, JSON.stringify(entry), JSON.stringify(passed)];
    return (await rows(pool, passOn, asked)).length > 0 ? passed : null;
  },
  async resolveUnused({ nonce, openedAt }) {
    await rows(pool, forget, [wallet, nonce, openedAt]);
  },
  async withdraw(entry, approvalId, key) {
    const hashOf = (text: string | null) => (text === null ? null : hash(text));
    const { nonce, openedAt } = entry;
    const asked = [wallet, nonce, hashOf(approvalId), hashOf(key), self, JSON.stringify(entry), openedAt];
    return (await rows(pool, withdraw, asked)).length > 0;
  },
});

const keep = statement<{ approval: Omit<StoredApproval, 'usedAt'> }>(
  'gateway.keep-approval',
  'select gateway.keep_approval($1, $2, $3, $4, $5, $6, $7, $8) as approval',
);
const endQuestion = statement(
  'gateway.end-question',
  'update gateway.approval set question = null where wallet = $1 and id = $2',
);
const approvalTable = sqlTable('gateway.approval', 'a', ['approval', 'usedAt']);
const findApproval = statement<{ approval: Omit<StoredApproval, 'usedAt'>; usedAt: number | null }>(
  'gateway.find-approval',
  `select ${approvalTable.list('approval', 'usedAt')} from ${approvalTable.from} where a.wallet = $1 and a.id = $2`,
);

const approvals = (
  pool: Pool,
  wallet: Address,
  clock: DatabaseClock,
  now: () => number,
): Pick<StatePort, 'keepApproval' | 'endQuestion' | 'findApproval'> => ({
  async keepApproval({ usedAt, ...approval }) {
    const { message, question } = approval;
    const moment = now();
    const kept = await firstRow(pool, keep, [
      wallet,
      hash(message.approvalId),
      question === undefined ? null : hash(question),
      JSON.stringify(approval),
      question === undefined ? null : clock.earliest(Date.parse(message.expiresAt)),
      usedAt,
      moment + namedForMs,
      moment,
    ]);
    if (kept === null) throw new Error('a function gave no row');
    return { ...kept.approval, usedAt };
  },
  async endQuestion(approvalId) {
    await rows(pool, endQuestion, [wallet, hash(approvalId)]);
  },
  async findApproval(approvalId) {
    const found = await firstRow(pool, findApproval, [wallet, hash(approvalId)]);
    return found === null ? null : { ...found.approval, usedAt: found.usedAt };
  },
});
