import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { placeholders } from '@countersign/service/sql-table';
import { decisionTable } from '../executions/store.ts';

/** One approver's decision about one execution. */
export type NewDecision = {
  readonly executionId: string;
  readonly keyId: string;
  /** Name of the key. */
  readonly approver: string;
  readonly decision: 'approve' | 'deny';
  readonly comment: string | null;
  readonly wallet: Address | null;
  readonly signature: string | null;
  readonly at: Date;
};

const made = [
  'executionId',
  'keyId',
  'approver',
  'decision',
  'comment',
  'wallet',
  'signature',
  'at',
] as const satisfies (keyof NewDecision)[];

const insert = statement<{ at: Date }>(
  'decision.insert',
  `${decisionTable.insertInto(...made)} values (${placeholders(made)}) on conflict do nothing returning at`,
);

/** False where this key, or this wallet, has said something of it before. */
export async function insertDecision(db: Queryable, one: NewDecision): Promise<boolean> {
  const values = made.map((field) => one[field]);
  return (await firstRow(db, insert, values)) !== null;
}

const count = statement<{ approvals: number }>(
  'decision.count',
  `select count(*) as approvals from control_plane.decision where execution_id = $1 and decision = 'approve'`,
);

export const countApprovals = async (db: Queryable, executionId: string): Promise<number> =>
  (await firstRow(db, count, [executionId]))?.approvals ?? 0;
