import { hash } from 'node:crypto';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import type { StoredExecution } from './store.ts';

/** A process that did not say for so long that it runs an execution is taken for dead. */
export const leaseMs = 10_000;

/** A token, spent by a lease: whoever runs an execution, from now on for `leaseMs`. */
export type Claim = {
  readonly executionId: string;
  readonly lease: string;
  readonly jti: string;
  readonly token: string;
  readonly exp: Date;
  readonly at: Date;
};

const spend = statement<{ jti: string }>(
  'execution.spend-token',
  `insert into control_plane.spent_token (jti, execution_id, exp, token_hash) values ($1, $2, $3, $4)
   on conflict do nothing returning jti`,
);
/** Returns the hash under which a token is stored, so that the table's contents cannot be used as tokens. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

const begin = statement<{ id: string }>(
  'execution.begin',
  `update control_plane.execution set status = 'running', attempt = attempt + 1, lease = $2,
     lease_until = clock_timestamp() + $3 * interval '1 ms', jti = $4, token_exp = $5, token_spent_at = $6
   where id = $1 and status = 'pending' returning id`,
);

/**
 * Spends a token, in a transaction that the caller rolls back on false: the token was spent before, or the
 * execution must not run.
 */
export async function claim(
  db: Queryable,
  { executionId, lease, jti, token, exp, at }: Claim,
): Promise<boolean> {
  if ((await firstRow(db, spend, [jti, executionId, exp, tokenHash(token)])) === null) return false;
  return (await firstRow(db, begin, [executionId, lease, leaseMs, jti, exp, at])) !== null;
}

const renew = statement<{ id: string }>(
  'execution.renew',
  `update control_plane.execution set lease_until = clock_timestamp() + $3 * interval '1 ms'
   where id = $1 and status = 'running' and lease = $2 returning id`,
);

/** False: it is in other hands. */
export const renewLease = async (db: Queryable, id: string, lease: string): Promise<boolean> =>
  (await firstRow(db, renew, [id, lease, leaseMs])) !== null;

const drop = statement(
  'execution.drop-lease',
  `update control_plane.execution set lease_until = clock_timestamp()
   where id = $1 and status = 'running' and lease = $2`,
);

/** Whoever comes next need not wait for the lease to end. */
export async function dropLease(db: Queryable, id: string, lease: string): Promise<void> {
  await rows(db, drop, [id, lease]);
}

const takeOver = statement<{ id: string }>(
  'execution.take-over',
  `update control_plane.execution set lease = $2, lease_until = clock_timestamp() + $3 * interval '1 ms'
   where id = $1 and status = 'running' and lease = $4 and lease_until <= clock_timestamp() returning id`,
);

/** Takes the place of whoever ran it; null while that lease lasts, or where it was taken over by another. */
export const takeOverLease = async (
  db: Queryable,
  execution: StoredExecution,
  lease: string,
): Promise<StoredExecution | null> =>
  (await firstRow(db, takeOver, [execution.id, lease, leaseMs, execution.lease])) === null
    ? null
    : { ...execution, lease };
