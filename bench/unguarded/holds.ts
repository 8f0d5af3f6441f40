// In place of apps/dashboard/src/holds/store.ts: a hold is a row, written and on disk as ours is, of which nothing is judged.
import { firstRow, statement } from '@countersign/service/sql';
import { reporterName } from '../../apps/dashboard/src/callers.ts';
import type { placeHold as realPlaceHold } from '../../apps/dashboard/src/holds/store.ts';

// What stands below wins over it: whatever else others import from there is the real one.
export * from '../../apps/dashboard/src/holds/store.ts';

const place = statement<{ expiresAt: Date; accountId: string }>(
  'hold.write',
  `insert into dashboard.mandate_hold (reporter, id, mandate_id, amount, state, created_at, expires_at, holders)
   values ($1, $2, $3, $4, 'open', $5, $6, array[''])
   returning expires_at as "expiresAt", $7::text as "accountId"`,
);

export const placeHold: typeof realPlaceHold = async (db, wanted, reporter, { now }) => {
  const { holdId, mandateId, amount, ttlSeconds } = wanted;
  const until = new Date(now.getTime() + ttlSeconds * 1000);
  const name = reporterName(reporter);
  const written = await firstRow(db, place, [name, holdId, mandateId, amount, now, until, name]);
  if (written === null) throw new Error('an insert gave no row');
  return { outcome: 'held', remainingBudget: '1', ...written };
};
