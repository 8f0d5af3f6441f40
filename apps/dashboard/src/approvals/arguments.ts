import type { CallArguments } from '@countersign/protocol/dashboard/approvals';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import type { Sealed, Sealer } from '../compliance/seal.ts';
import type { ApprovalRecord } from './store.ts';

const fields = ['payer', 'id', 'keyId', 'sealed'] as const;
export const argumentsTable = sqlTable('dashboard.approval_arguments', 'x', fields);

const keep = statement(
  'approval.keep-arguments',
  `${argumentsTable.insertInto(...fields)} values (${placeholders(fields)})
   on conflict (payer, id) do nothing`,
);

/** Seals the text with the key of the evidence and keeps it beside its approval; without a key nothing is kept. */
export async function keepArguments(
  db: Queryable,
  sealer: Sealer | null,
  { message }: ApprovalRecord,
  text: string,
): Promise<void> {
  if (sealer === null) return;
  const { payer, approvalId } = message;
  const { keyId, bytes } = sealer.seal(text, rowId(message));
  await rows(db, keep, [payer, approvalId, keyId, bytes]);
}

const find = statement<{ keyId: string; sealed: Buffer }>(
  'approval.find-arguments',
  `select ${argumentsTable.list('keyId', 'sealed')} from ${argumentsTable.from} where x.payer = $1 and x.id = $2`,
);

const dayMs = 24 * 60 * 60_000;

/** Returns the call's arguments for the owner, until a day after the decision or the approval's expiry. */
export async function readArguments(
  db: Queryable,
  sealer: Sealer | null,
  { message, argumentsSent, decidedAt }: ApprovalRecord,
  now: Date,
): Promise<CallArguments> {
  if (!argumentsSent) return { state: 'hash-only', arguments: null };
  const over = (decidedAt ?? new Date(message.expiresAt)).getTime() + dayMs;
  if (over <= now.getTime()) return { state: 'over', arguments: null };
  const kept = await firstRow(db, find, [message.payer, message.approvalId]);
  if (kept === null || sealer === null) return { state: 'not-kept', arguments: null };
  const text = openArguments(sealer, message, { keyId: kept.keyId, bytes: kept.sealed });
  return text === null ? { state: 'not-kept', arguments: null } : { state: 'kept', arguments: text };
}

/** Null for what is sealed under another key, or was changed: neither is shown as what the agent said. */
export function openArguments(
  sealer: Sealer | null,
  approval: Pick<ApprovalRecord['message'], 'payer' | 'approvalId'>,
  sealed: Sealed,
): string | null {
  try {
    return sealer?.open(sealed, rowId(approval)) ?? null;
  } catch {
    return null;
  }
}

const forget = statement(
  'approval.forget-arguments',
  `delete from dashboard.approval_arguments a using dashboard.approval p
   where p.payer = a.payer and p.id = a.id and coalesce(p.decided_at, p.expires_at) <= $1::timestamptz - interval '1 day'`,
);

/** Deletes the arguments of every approval that was decided, or ran out, a day ago. */
export async function forgetArguments(db: Queryable, now: Date): Promise<void> {
  await rows(db, forget, [now]);
}

const rowId = ({ payer, approvalId }: Pick<ApprovalRecord['message'], 'payer' | 'approvalId'>): string =>
  `arguments of ${payer} ${approvalId}`;
