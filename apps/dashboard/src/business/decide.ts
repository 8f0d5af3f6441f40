import type { PayeeFacts } from '@countersign/protocol/dashboard/payees';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { putOnRecord } from '../compliance/history.ts';
import type { Sealer } from '../compliance/seal.ts';
import { attachChecks } from '../kyb/store.ts';
import { type About, changeIn, createIn, type PayeeDecided } from '../payees/decide.ts';
import { newestOf } from '../payees/payee.ts';
import { findPayee, lockPayees } from '../payees/store.ts';
import { eraseRenewed } from './erase.ts';
import { openFacts } from './sealed.ts';
import {
  decideSubmission,
  findSubmission,
  lastRecordOf,
  lockSubmission,
  type SubmissionRow,
} from './store.ts';

type Admission = {
  readonly decision: 'admit';
  readonly validUntil: string;
  readonly reason: string | undefined;
  /** Id of the record, where a new one is made. */
  readonly newId: string;
  /** The version of the record that it changes, as the operator has read it; null: a new one is made. */
  readonly read: number | null;
  readonly seenRejections: readonly number[];
};

export type Decision = { readonly decision: 'reject'; readonly reason: string } | Admission;

export type BusinessDecided = PayeeDecided | { readonly kind: 'unreadable' };

/**
 * Decides about a submission that waits. Admitted, it is written into the record that an earlier submission of the account
 * has become, or else into one of its own; with four eyes that waits for the second operator.
 */
export const decide = (
  pool: Pool,
  sealer: Sealer | null,
  id: string,
  decision: Decision,
  about: About,
): Promise<BusinessDecided> =>
  inTransaction<BusinessDecided>(pool, async (db) => {
    await lockPayees(db);
    await lockSubmission(db, id);
    const found = await findSubmission(db, id, about.now);
    if (found === null) return { kind: 'not-found' };
    if (found.state !== 'waiting') return { kind: 'settled' };
    if (found.accountId === about.by.id) return { kind: 'oneself' };
    if (decision.decision === 'reject') {
      const { reason } = decision;
      await decideSubmission(db, id, { state: 'rejected', reason, record: null }, about.now);
      // The reason is the submission's, and goes with it.
      await putOnRecord(db, about.now, {
        deed: 'reject-business',
        by: about.by,
        effective: true,
        wallet: found.walletAddress,
        detail: { submission: id },
      });
      return { kind: 'done' };
    }
    const said = openFacts(sealer, id, found);
    if (said === null) return { kind: 'unreadable' };
    const facts = { ...said, validUntil: decision.validUntil };
    const { decided, ...record } = await write(db, found, { ...decision, facts }, about);
    if (decided.kind !== 'done' && decided.kind !== 'first') return decided;
    const reason = decision.reason ?? null;
    await decideSubmission(db, id, { state: 'admitted', reason, record }, about.now);
    // With four eyes it is the second word that lifts what both have read.
    const seen = decided.kind === 'done' ? decision.seenRejections : [];
    await attachChecks(db, id, { ...record, seen }, about.now);
    await eraseRenewed(db, found.accountId, about.now);
    return decided;
  });

type Written = { readonly payeeId: string; readonly version: number; readonly decided: PayeeDecided };

async function write(
  db: Parameters<typeof createIn>[0],
  { accountId }: SubmissionRow,
  { newId, read, reason, facts, seenRejections }: Admission & { facts: PayeeFacts },
  about: About,
): Promise<Written> {
  const earlier = await lastRecordOf(db, accountId);
  const row = earlier === null ? null : await findPayee(db, earlier, about.now);
  const version = row === null ? null : newestOf(row).version;
  // Whoever decided read another record, or none.
  if (version !== read) return { payeeId: newId, version: 0, decided: { kind: 'stale' } };
  if (row === null || version === null) {
    const { decided } = await createIn(db, [{ id: newId, facts, reason, seenRejections }], about);
    return { payeeId: newId, version: 1, decided };
  }
  const decided = await changeIn(db, row, { id: row.id, facts, reason, seenRejections }, about);
  return { payeeId: row.id, version: version + 1, decided };
}
