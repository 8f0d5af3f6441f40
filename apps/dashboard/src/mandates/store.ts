import type { Address } from '@countersign/protocol/address';
import type { MandateStatus } from '@countersign/protocol/dashboard/mandate';
import type { MandatePolicy } from '@countersign/protocol/dashboard/policy';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { mandateTable } from './table.ts';

/** A mandate as it stands at one moment: `status` has the clock in it already. Decimals are canonical text. */
export type MandateRecord = {
  readonly id: string;
  readonly accountId: string;
  /** The agent that pays; null: the owner's own wallet. */
  readonly agentWallet: Address | null;
  readonly title: string;
  readonly perTxLimit: string;
  readonly totalBudget: string;
  readonly usedAmount: string;
  readonly heldAmount: string;
  readonly remainingBudget: string;
  /** 0 to 100, two digits. */
  readonly usagePercent: string;
  readonly transactionCount: number;
  readonly lastUsedAt: Date | null;
  readonly signature: string | null;
  readonly vcJson: string | null;
  readonly status: MandateStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly policy: MandatePolicy;
};

/** Expiry, of holds too, is decided by the clock at the moment of asking; `$1` is that moment in every statement here. */
export const statusNow = `case when m.status in ('pending', 'active') and m.expires_at <= $1 then 'expired' else m.status end`;

/** Columns of a mandate under the names of `MandateRecord`; for use with the alias `m`. */
export const columns = `${mandateTable.list('id', 'accountId', 'agentWallet', 'title', 'transactionCount', 'lastUsedAt', 'signature', 'vcJson', 'createdAt', 'expiresAt')},
  trim_scale(m.per_tx_limit) as "perTxLimit", trim_scale(m.total_budget) as "totalBudget",
  trim_scale(m.used_amount) as "usedAmount", trim_scale(dashboard.held_amount(m.id, $1)) as "heldAmount",
  trim_scale(greatest(m.total_budget - m.used_amount - dashboard.held_amount(m.id, $1), 0)) as "remainingBudget",
  least(round(m.used_amount * 100 / m.total_budget, 2), 100) as "usagePercent",
  ${statusNow} as status,
  json_build_object('paused', m.paused, 'period', case when m.period_every is not null then
      json_build_object('every', m.period_every, 'budget', trim_scale(m.period_budget)::text) end,
    'allowedMerchants', m.allowed_merchants, 'allowedServices', m.allowed_services,
    'approvalThreshold', trim_scale(m.approval_threshold)::text, 'newPayees', m.new_payees) as policy`;

const insert = statement<MandateRecord>(
  'mandate.insert',
  `${mandateTable.insertInto('id', 'accountId', 'title', 'perTxLimit', 'totalBudget', 'status', 'createdAt', 'expiresAt', 'agentWallet', 'newPayees')}
   values ($2, $3, $4, $5, $6, 'pending', $1, $7, $8, coalesce((select l.new_payees from dashboard.mandate l
     where l.account_id = $3 and l.agent_wallet is not distinct from $8 order by l.seq desc limit 1), 'pay')) returning ${columns}`,
);

export type MandateDraft = Pick<
  MandateRecord,
  'id' | 'accountId' | 'agentWallet' | 'title' | 'perTxLimit' | 'totalBudget' | 'expiresAt'
>;

/** Keeps a new mandate as pending. Whether the owner is asked about new payees is as it was in the wallet's last one. */
export async function insertMandate(db: Queryable, draft: MandateDraft, now: Date): Promise<MandateRecord> {
  const { id, accountId, title, perTxLimit, totalBudget, expiresAt, agentWallet } = draft;
  const made = await firstRow(db, insert, [
    now,
    id,
    accountId,
    title,
    perTxLimit,
    totalBudget,
    expiresAt,
    agentWallet,
  ]);
  if (made === null) throw new Error('an insert gave no row');
  return made;
}

const find = statement<MandateRecord>(
  'mandate.find',
  `select ${columns} from dashboard.mandate m where m.account_id = $2 and m.id = $3 and m.deleted_at is null`,
);

/** Null for a mandate of another account or one that was deleted, as for one that does not exist. */
export const findMandate = (
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<MandateRecord | null> => firstRow(db, find, [now, accountId, id]);

const findActive = statement<MandateRecord>(
  'mandate.find-active',
  `select ${columns} from dashboard.mandate m where m.account_id = $2 and m.agent_wallet is null
     and m.status = 'active' and m.expires_at > $1`,
);

/** The active mandate of the account's own wallet, or null. There is at most one. */
export const findActiveMandate = (
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<MandateRecord | null> => firstRow(db, findActive, [now, accountId]);

const findAnyActive = statement<MandateRecord>(
  'mandate.find-any-active',
  `select ${columns} from dashboard.mandate m where m.account_id = $2 and m.status = 'active' and m.expires_at > $1
   order by (m.agent_wallet is null) desc, m.seq desc limit 1`,
);

/** The same; where there is none, the newest active one of an agent. */
export const findAnyActiveMandate = (
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<MandateRecord | null> => firstRow(db, findAnyActive, [now, accountId]);

const lookUp = statement<MandateRecord>(
  'mandate.of-wallet',
  `select ${columns} from dashboard.mandate m join dashboard.account a on a.id = m.account_id
   where a.wallet_address = $2 and a.closed_at is null and m.agent_wallet is null and m.deleted_at is null
   order by (m.status = 'active' and m.expires_at > $1) desc, m.seq desc limit 1`,
);

/** The active mandate of a wallet that pays for itself; if it has none, its newest; null if it never had one, or its account is closed. */
export const lookUpMandate = (db: Queryable, wallet: Address, now: Date): Promise<MandateRecord | null> =>
  firstRow(db, lookUp, [now, wallet]);

const everSigned = statement<{ had: boolean }>(
  'mandate.ever-signed',
  `select exists (select from dashboard.mandate m join dashboard.account a on a.id = m.account_id
     where a.wallet_address = $1 and m.agent_wallet is null and m.activated_at is not null) as had`,
);

/** Returns whether a wallet ever signed a mandate, whatever has become of it since; a draft alone is none. */
export const hadMandate = async (db: Queryable, wallet: Address): Promise<boolean> =>
  (await firstRow(db, everSigned, [wallet]))?.had ?? false;

const page = statement<MandateRecord>(
  'mandate.page',
  `select ${columns} from dashboard.mandate m where m.account_id = $2 and m.deleted_at is null
     and ($3::text is null or ${statusNow} = $3)
   order by m.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'mandate.count',
  `select count(*) as total from dashboard.mandate m where m.account_id = $2 and m.deleted_at is null
     and ($3::text is null or ${statusNow} = $3)`,
);

type Selection = { accountId: string; status: MandateStatus | undefined; page: number; limit: number };

/** Returns one page of an account's mandates, newest first, and their total number. */
export async function listMandates(db: Queryable, selection: Selection, now: Date) {
  const { accountId, status = null, limit } = selection;
  const filter = [now, accountId, status];
  const [items, counted] = await Promise.all([
    rows(db, page, [...filter, limit, (selection.page - 1) * limit]),
    firstRow(db, count, filter),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const lock = statement('mandate.lock', `select pg_advisory_xact_lock(hashtextextended('mandate:' || $1, 0))`);

/** Makes everyone else who changes the state of this account's mandates wait until the transaction ends. */
export async function lockMandates(db: Queryable, accountId: string): Promise<void> {
  await rows(db, lock, [accountId]);
}

// An end state stays: one that ran out before the newer mandate came is expired, not revoked.
const retire = statement<{ id: string }>(
  'mandate.retire',
  `update dashboard.mandate m set status = case when m.expires_at <= $1 then 'expired' else 'revoked' end
   where m.account_id = $2 and m.status = 'active'
     and m.agent_wallet is not distinct from (select n.agent_wallet from dashboard.mandate n where n.id = $3)
   returning m.id`,
);
const activate = statement<MandateRecord>(
  'mandate.activate',
  `update dashboard.mandate m set status = 'active', signature = $4, vc_json = $5, signed_budget = m.total_budget,
     activated_at = coalesce(m.activated_at, $1)
   where m.account_id = $2 and m.id = $3 and m.status = 'pending' returning ${columns}`,
);

/** Makes a pending mandate its payer's active one in place of any other, which are `retired`. Holds `lockMandates`. */
export async function activateMandate(
  db: Queryable,
  {
    accountId,
    id,
    signature,
    vcJson,
    now,
  }: { accountId: string; id: string; signature: string; vcJson: string; now: Date },
): Promise<{ readonly active: MandateRecord; readonly retired: readonly { readonly id: string }[] }> {
  const retired = await rows(db, retire, [now, accountId, id]);
  const active = await firstRow(db, activate, [now, accountId, id, signature, vcJson]);
  if (active === null) throw new Error('a locked mandate changed its state');
  return { active, retired };
}

const revoke = statement<MandateRecord>(
  'mandate.revoke',
  `update dashboard.mandate m set status = 'revoked'
   where m.account_id = $2 and m.id = $3 and m.status = 'active' and m.expires_at > $1 returning ${columns}`,
);

/** Revokes an active mandate; null if it is not active any more. */
export const revokeMandate = (
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<MandateRecord | null> => firstRow(db, revoke, [now, accountId, id]);
