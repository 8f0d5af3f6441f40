import type { PayeeFacts } from '@countersign/protocol/dashboard/payees';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { putOnRecord } from '../compliance/history.ts';
import type { Sealer } from '../compliance/seal.ts';
import { type About, changeIn, createIn, type PayeeDecided } from '../payees/decide.ts';
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

export type Decision =
  | { readonly decision: 'reject'; readonly reason: string }
  | {
      readonly decision: 'admit';
      readonly validUntil: string;
      readonly reason: string | undefined;
      /** Id of the record, where a new one is made. */
      readonly newId: string;
    };

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
      await decideSubmission(db, id, { state: 'rejected', reason, payeeId: null }, about.now);
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
    const { payeeId, decided } = await write(db, found, { ...decision, facts }, about);
    if (decided.kind !== 'done' && decided.kind !== 'first') return decided;
    const reason = decision.reason ?? null;
    await decideSubmission(db, id, { state: 'admitted', reason, payeeId }, about.now);
    await eraseRenewed(db, found, about.now);
    return decided;
  });

type Written = { readonly payeeId: string; readonly decided: PayeeDecided };

async function write(
  db: Parameters<typeof createIn>[0],
  { accountId }: SubmissionRow,
  { newId, reason, facts }: { newId: string; reason: string | undefined; facts: PayeeFacts },
  about: About,
): Promise<Written> {
  const earlier = await lastRecordOf(db, accountId);
  const row = earlier === null ? null : await findPayee(db, earlier, about.now);
  if (row !== null)
    return { payeeId: row.id, decided: await changeIn(db, row, { id: row.id, facts, reason }, about) };
  const { decided } = await createIn(db, [{ id: newId, facts, reason }], about);
  return { payeeId: newId, decided };
}
