import { createHash } from 'node:crypto';
import type { Address } from '@countersign/protocol/address';
import { formatAmount } from '@countersign/protocol/amount';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Logger } from '@countersign/service/logger';
import { createPool, firstRow, migrate, type Pool, rows, statement } from '@countersign/service/sql';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { type DatabaseClock, readDatabaseClock } from './database-clock.ts';
import { namedForMs } from './forget.ts';
import { gatewayMigrations } from './migrations.ts';
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
    const applied = await migrate(pool, gatewayMigrations());
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    const clock = await readDatabaseClock(pool, now);
    const latest = () => clock.latest(now());
    const { release, ...outbox } = postgresOutbox(pool, wallet, newId(), latest);
    return {
      ...payments(pool, wallet, clock, now),
      ...approvals(pool, wallet, latest),
      ...calls(pool, wallet, latest),
      ...outbox,
      // What is uncertain about the clock makes rows stay longer.
      forgetOld: (limit) => forgetDue(pool, wallet, clock.earliest(now()), limit),
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
const findUnresolved = statement<Entry>(
  'gateway.unresolved',
  'select entry from gateway.payment where wallet = $1 and unresolved order by opened_at',
);
const forget = statement(
  'gateway.forget',
  `with gone as (
     delete from gateway.payment where wallet = $1 and nonce = $2 returning mandate_id, amount
   )
   update gateway.spent s set amount = s.amount - gone.amount
     from gone where s.wallet = $1 and s.mandate_id = gone.mandate_id`,
);

const payments = (
  pool: Pool,
  wallet: Address,
  clock: DatabaseClock,
  now: () => number,
): Pick<StatePort, 'paymentOf' | 'openPayment' | 'unresolved' | 'resolveUnused'> => ({
  async paymentOf(callKey) {
    return (await firstRow(pool, findOfCall, [wallet, callKey]))?.entry ?? null;
  },
  async openPayment(entry, budget, approvalId) {
    const { nonce, callKey, mandateId, amount, heldUntil, openedAt } = entry;
    const opened = await firstRow(pool, open, [
      wallet,
      nonce,
      callKey,
      mandateId,
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
  unresolved: async () => (await rows(pool, findUnresolved, [wallet])).map(({ entry }) => entry),
  async resolveUnused(nonce) {
    await rows(pool, forget, [wallet, nonce]);
  },
});

const keep = statement(
  'gateway.keep-approval',
  `insert into gateway.approval (wallet, id, approval, used_at, forget_at) values ($1, $2, $3, $4, $5)
   on conflict (wallet, id) do update set approval = excluded.approval, used_at = excluded.used_at`,
);
const findApproval = statement<{ approval: Omit<StoredApproval, 'usedAt'>; usedAt: number | null }>(
  'gateway.find-approval',
  'select approval, used_at as "usedAt" from gateway.approval where wallet = $1 and id = $2',
);

const approvals = (
  pool: Pool,
  wallet: Address,
  now: () => number,
): Pick<StatePort, 'keepApproval' | 'findApproval'> => ({
  async keepApproval({ usedAt, ...approval }) {
    const id = hash(approval.message.approvalId);
    await rows(pool, keep, [wallet, id, JSON.stringify(approval), usedAt, now() + namedForMs]);
  },
  async findApproval(approvalId) {
    const found = await firstRow(pool, findApproval, [wallet, hash(approvalId)]);
    return found === null ? null : { ...found.approval, usedAt: found.usedAt };
  },
});

const recall = statement<{ callHash: string; envelope: GatewayEnvelope }>(
  'gateway.recall',
  'select call_hash as "callHash", envelope from gateway.call where wallet = $1 and key = $2',
);
const remember = statement(
  'gateway.remember',
  `insert into gateway.call (wallet, key, call_hash, envelope, forget_at) values ($1, $2, $3, $4, $5)
   on conflict (wallet, key) do update
     set call_hash = excluded.call_hash, envelope = excluded.envelope, forget_at = excluded.forget_at`,
);

const calls = (pool: Pool, wallet: Address, now: () => number): Pick<StatePort, 'recall' | 'remember'> => ({
  async recall(key, callHash) {
    const stored = await firstRow(pool, recall, [wallet, hash(key)]);
    if (stored === null) return 'new';
    return stored.callHash === callHash ? stored.envelope : 'conflict';
  },
  async remember(key, callHash, envelope) {
    const forgetAt = now() + namedForMs;
    await rows(pool, remember, [wallet, hash(key), callHash, JSON.stringify(envelope), forgetAt]);
  },
});

/** Agents choose these: any length, and characters that no text column takes. */
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
