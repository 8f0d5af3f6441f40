import { inTransaction, type Pool, rows, statement } from '@countersign/service/sql';
import type { Decided } from '../compliance/decide-kyc.ts';
import { agree } from '../compliance/first-word.ts';
import { putOnRecord } from '../compliance/history.ts';
import type { About } from './decide.ts';
import { findFile } from './files.ts';
import { lockPayees } from './store.ts';

const erase = statement(
  'payee-file.erase',
  "update dashboard.payee_file set name = '', key_id = null, sealed = null, erased_at = $2 where id = $1",
);

type Erasing = { readonly id: string; readonly payeeId: string; readonly reason: string };

/** Erases what a file holds and is called, also of a withdrawn record: at once, or as the first of two words. */
export const eraseFile = (
  pool: Pool,
  { id, payeeId, reason }: Erasing,
  { by, fourEyes, now }: About,
): Promise<Decided> =>
  inTransaction(pool, async (db) => {
    await lockPayees(db);
    if ((await findFile(db, { id, payeeId })) === null) return { kind: 'not-found' };
    const agreement = await agree(db, fourEyes, { deed: 'erase-payee-file', subject: id, reason, by }, now);
    if (agreement.kind === 'same-operator') return agreement;
    const effective = agreement.kind === 'agreed';
    if (effective) await rows(db, erase, [id, now]);
    const detail = { file: id };
    await putOnRecord(db, now, {
      deed: 'erase-payee-file',
      by,
      effective,
      wallet: null,
      payeeId,
      reason,
      detail,
    });
    return effective ? { kind: 'done' } : agreement;
  });
