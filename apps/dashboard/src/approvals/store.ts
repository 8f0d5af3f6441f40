import type { Address } from '@countersign/protocol/address';
import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { type Reporter, reporterName } from '../callers.ts';
import type { AskedPayment } from './payment-mandate.ts';

/** An approval as it stands at one moment: `state` has the clock in it already. */
export type ApprovalRecord = AskedPayment & {
  readonly state: ApprovalState;
  readonly signature: string | null;
  readonly rejectReason: string | null;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
};

const asked = [
  'createdAt',
  'payer',
  'id',
  'reporter',
  'serviceId',
  'toolName',
  'argumentsHash',
  'payTo',
  'asset',
  'units',
  'expiresText',
  'chainId',
  'amount',
  'currency',
  'reason',
  'reasons',
  'expiresAt',
  'argumentsSent',
] as const;
export const approvalTable = sqlTable('dashboard.approval', 'p', [
  ...asked,
  'state',
  'signature',
  'rejectReason',
  'decidedAt',
]);

/** Expiry is decided by the clock at the moment of asking; `$1` is that moment in every statement here. */
const stateNow = `case when p.state in ('pending', 'approved') and p.expires_at <= $1 then 'expired' else p.state end`;

const columns = `json_build_object('approvalId', p.id, 'serviceId', p.service_id, 'toolName', p.tool_name,
    'argumentsHash', p.arguments_hash, 'payer', p.payer, 'payTo', p.pay_to, 'asset', p.asset, 'amount', p.units,
    'expiresAt', p.expires_text) as message,
  trim_scale(p.amount) as amount, ${stateNow} as state,
  ${approvalTable.list('chainId', 'currency', 'reason', 'reasons', 'signature', 'rejectReason', 'argumentsSent', 'createdAt', 'decidedAt')}`;

/**
 * Selects the wallets whose payments an owner decides: their own, and those of the agents that they have
 * signed.
 */
const walletsOf = (owner: string): string =>
  `array(select ${owner}::text union select w.wallet from dashboard.account_wallet w where w.owner = ${owner})`;
/** Approvals from before a wallet was transferred stay with the account that had it then. */
const sinceHandedOn = `not exists (
  select from dashboard.agent_wallet h where h.wallet = p.payer and h.handed_on_at > p.created_at)`;
const ofOwner = (owner: string): string => `p.payer = any(${walletsOf(owner)}) and ${sinceHandedOn}`;

// Two wallets of one owner that take the same id at once: the second waits, and then sees the first.
const lockId = statement(
  'approval.lock',
  `select pg_advisory_xact_lock(hashtextextended('approval:' || $1, 0))`,
);

const insert = statement<ApprovalRecord>(
  'approval.insert',
  `${approvalTable.insertInto(...asked, 'state')} select ${placeholders(asked)}, 'pending'
   where not exists (
     select from dashboard.approval p where p.id = $3 and p.payer in (
       select w.wallet from dashboard.account_wallet mine
       join dashboard.account_wallet w on w.owner = mine.owner where mine.wallet = $2 and w.wallet <> $2))
   on conflict (payer, id) do nothing returning ${columns}`,
);

/**
 * Keeps a new approval as pending; null when the payer, or another wallet of its owner, has one of this id already: the
 * owner names approvals by their ids alone. In a transaction of its own.
 */
export async function insertApproval(
  db: Queryable,
  { message, chainId, amount, currency, reason, reasons, argumentsSent }: AskedPayment,
  reporter: Reporter,
  now: Date,
): Promise<ApprovalRecord | null> {
  await rows(db, lockId, [message.approvalId]);
  return firstRow(db, insert, [
    now,
    message.payer,
    message.approvalId,
    reporterName(reporter),
    message.serviceId,
    message.toolName,
    message.argumentsHash,
    message.payTo,
    message.asset,
    message.amount,
    message.expiresAt,
    chainId,
    amount,
    currency,
    reason,
    reasons,
    new Date(message.expiresAt),
    argumentsSent,
  ]);
}

// For operators (no payer) their own come first: an account cannot put itself in front of what they have asked.
const find = statement<ApprovalRecord>(
  'approval.find',
  `select ${columns} from dashboard.approval p where p.id = $2 and ($3::text is null or ${ofOwner('$3')})
   order by (p.reporter = 'operator') desc, p.seq desc limit 1`,
);

/** Null for an approval that is not this owner's, as for one that does not exist. Operators (`owner` null) see everyone's. */
export const findApproval = (
  db: Queryable,
  id: string,
  owner: Address | null,
  now: Date,
): Promise<ApprovalRecord | null> => firstRow(db, find, [now, id, owner]);

const findExact = statement<ApprovalRecord>(
  'approval.of-payer',
  `select ${columns} from dashboard.approval p where p.payer = $2 and p.id = $3`,
);

/** The approval of this very wallet; null when it has none of this id. */
export const findApprovalOf = (
  db: Queryable,
  payer: Address,
  id: string,
  now: Date,
): Promise<ApprovalRecord | null> => firstRow(db, findExact, [now, payer, id]);

// The newest of each wallet, by its index: in the order of all approvals an owner's own may come late.
const page = statement<ApprovalRecord>(
  'approval.page',
  `select ${columns} from unnest(${walletsOf('$2')}) o(wallet) cross join lateral (
     select p.* from dashboard.approval p where p.payer = o.wallet and ${sinceHandedOn} and ($3::text is null or ${stateNow} = $3)
     order by p.seq desc limit $4::bigint + $5::bigint) p
   order by p.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'approval.count',
  `select count(*) as total from dashboard.approval p where ${ofOwner('$2')} and ($3::text is null or ${stateNow} = $3)`,
);

type Selection = { owner: Address; state: ApprovalState | undefined; page: number; limit: number };

/** Returns one page of an owner's approvals, newest first, and their total number. */
export async function listApprovals(db: Queryable, selection: Selection, now: Date) {
  const { owner, state = null, limit } = selection;
  const filter = [now, owner, state];
  const [items, counted] = await Promise.all([
    rows(db, page, [...filter, limit, (selection.page - 1) * limit]),
    firstRow(db, count, filter),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const decide = statement<ApprovalRecord>(
  'approval.decide',
  `update dashboard.approval p set state = $4, signature = $5, reject_reason = $6, decided_at = $1
   where p.payer = $2 and p.id = $3 and p.state = 'pending' and p.expires_at > $1 returning ${columns}`,
);

/** The owner's word. */
export type Decision =
  | { readonly state: 'approved'; readonly signature: string }
  | { readonly state: 'rejected'; readonly reason: string | undefined };

/** Decides a pending approval; null if it is not pending any more. */
export const decideApproval = (
  db: Queryable,
  { payer, approvalId }: ApprovalRecord['message'],
  decision: Decision,
  now: Date,
): Promise<ApprovalRecord | null> => {
  const [signature, reason] =
    decision.state === 'approved' ? [decision.signature, null] : [null, decision.reason];
  return firstRow(db, decide, [now, payer, approvalId, decision.state, signature, reason]);
};

const endOpen = statement<{ id: string }>(
  'approval.end-open',
  `update dashboard.approval p set expires_at = $1, reject_reason = 'the wallet of the agent went to another account'
   where p.payer = $2 and p.state in ('pending', 'approved') and p.expires_at > $1 returning p.id`,
);

/** Ends what this wallet waits for, as expired, with the reason: it goes to another owner, who is asked for none of it. */
export const endOpenApprovals = async (
  db: Queryable,
  payer: Address,
  now: Date,
): Promise<readonly string[]> => (await rows(db, endOpen, [now, payer])).map(({ id }) => id);

const use = statement<ApprovalRecord>(
  'approval.use',
  `update dashboard.approval p set state = 'used'
   where p.payer = $2 and p.id = $3 and p.state in ('pending', 'approved') and p.expires_at > $1 returning ${columns}`,
);

/** Uses an approval up; null if it cannot be used any more. Of many at once exactly one gets it. */
export const useApproval = (
  db: Queryable,
  { payer, approvalId }: ApprovalRecord['message'],
  now: Date,
): Promise<ApprovalRecord | null> => firstRow(db, use, [now, payer, approvalId]);
