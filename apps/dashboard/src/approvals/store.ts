import type { Address } from '@countersign/protocol/address';
import type { ApprovalState } from '@countersign/protocol/dashboard/approvals';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
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

/** Expiry is decided by the clock at the moment of asking; `$1` is that moment in every statement here. */
const stateNow = `case when p.state in ('pending', 'approved') and p.expires_at <= $1 then 'expired' else p.state end`;

const columns = `json_build_object('approvalId', p.id, 'serviceId', p.service_id, 'toolName', p.tool_name,
    'argumentsHash', p.arguments_hash, 'payer', p.payer, 'payTo', p.pay_to, 'asset', p.asset, 'amount', p.units,
    'expiresAt', p.expires_text) as message,
  p.chain_id as "chainId", trim_scale(p.amount) as amount, p.currency, p.reason, ${stateNow} as state, p.signature,
  p.reject_reason as "rejectReason", p.arguments_sent as "argumentsSent", p.created_at as "createdAt", p.decided_at as "decidedAt"`;

const insert = statement<ApprovalRecord>(
  'approval.insert',
  `insert into dashboard.approval as p (created_at, payer, id, reporter, service_id, tool_name, arguments_hash, pay_to, asset,
     units, expires_text, chain_id, amount, currency, reason, state, expires_at, arguments_sent)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'pending', $16, $17)
   on conflict (payer, id) do nothing returning ${columns}`,
);

/** Keeps a new approval as pending; null when the payer has one of this id already. */
export function insertApproval(
  db: Queryable,
  { message, chainId, amount, currency, reason, argumentsSent }: AskedPayment,
  reporter: Reporter,
  now: Date,
): Promise<ApprovalRecord | null> {
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
    new Date(message.expiresAt),
    argumentsSent,
  ]);
}

// For operators (no payer) their own come first: an account cannot put itself in front of what they have asked.
const find = statement<ApprovalRecord>(
  'approval.find',
  `select ${columns} from dashboard.approval p where p.id = $2 and ($3::text is null or p.payer = $3)
   order by (p.reporter = 'operator') desc, p.seq desc limit 1`,
);

/** Null for an approval of another payer, as for one that does not exist. Operators (`payer` null) see everyone's. */
export const findApproval = (
  db: Queryable,
  id: string,
  payer: Address | null,
  now: Date,
): Promise<ApprovalRecord | null> => firstRow(db, find, [now, id, payer]);

const page = statement<ApprovalRecord>(
  'approval.page',
  `select ${columns} from dashboard.approval p where p.payer = $2 and ($3::text is null or ${stateNow} = $3)
   order by p.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'approval.count',
  `select count(*) as total from dashboard.approval p where p.payer = $2 and ($3::text is null or ${stateNow} = $3)`,
);

type Selection = { payer: Address; state: ApprovalState | undefined; page: number; limit: number };

/** One page of what a payer is asked for, newest first, and how many there are in all. */
export async function listApprovals(db: Queryable, selection: Selection, now: Date) {
  const { payer, state = null, limit } = selection;
  const filter = [now, payer, state];
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
