import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';

/** What one approver says of one execution. */
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

const insert = statement<{ at: Date }>(
  'decision.insert',
  `insert into control_plane.decision (execution_id, key_id, approver, decision, comment, wallet, signature, at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning at`,
);

/** False where this key, or this wallet, has said something of it before. */
export async function insertDecision(db: Queryable, one: NewDecision): Promise<boolean> {
  const { executionId, keyId, approver, decision, comment, wallet, signature, at } = one;
  const said = [executionId, keyId, approver, decision, comment, wallet, signature, at];
  return (await firstRow(db, insert, said)) !== null;
}

const count = statement<{ approvals: number }>(
  'decision.count',
  `select count(*) as approvals from control_plane.decision where execution_id = $1 and decision = 'approve'`,
);

export const countApprovals = async (db: Queryable, executionId: string): Promise<number> =>
  (await firstRow(db, count, [executionId]))?.approvals ?? 0;

const token = statement<{ spent: boolean; waits: boolean }>(
  'decision.token',
  `select exists (select from control_plane.spent_token s where s.jti = $2) as spent, e.status = 'pending' as waits
   from control_plane.execution e where e.tenant_id = $1 and e.id = $3`,
);

/** Whether a token was spent, and whether its execution still waits to be run; null: there is no such execution. */
export const findTokenState = (
  db: Queryable,
  tenantId: string,
  { jti, execution_id }: { readonly jti: string; readonly execution_id: string },
): Promise<{ readonly spent: boolean; readonly waits: boolean } | null> =>
  firstRow(db, token, [tenantId, jti, execution_id]);
