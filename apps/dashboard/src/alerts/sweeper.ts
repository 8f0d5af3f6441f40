import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { firstRow, inTransaction, type Pool, rows, statement } from '@countersign/service/sql';
import type { Tell } from '../events/notice.ts';
import { mandateNotice } from '../mandates/notice.ts';
import { mandateTable } from '../mandates/table.ts';
import { alertTable } from './store.ts';

const everyMs = 30_000;

/** Tells owners of mandates that end within a day, and of those that have ended. One process at a time. */
export const startSweeper = (pool: Pool, now: () => Date, tell: Tell, log: Logger): Service =>
  repeat(log, 'look for mandates that end', everyMs, () => sweep(pool, now(), tell));

const enter = statement<{ entered: boolean }>(
  'sweep.enter',
  'select pg_try_advisory_xact_lock(4021004) as entered',
);

type Swept = { readonly accountId: string; readonly id: string };
type Warned = { readonly accountId: string; readonly id: number };

const warn = statement<Warned>(
  'sweep.warn',
  `${alertTable.insertInto('accountId', 'mandateId', 'kind', 'createdAt')}
   select m.account_id, m.id, 'expires_soon', $1 from dashboard.mandate m
   where m.status = 'active' and m.expires_at > $1 and m.expires_at <= $1::timestamptz + interval '1 day'
   on conflict (mandate_id, kind) do nothing returning ${alertTable.list('id', 'accountId')}`,
);

// That a mandate has expired is seen by the clock. This writes it down, so that it is told of once. Whoever holds a
// mandate's lock is not waited for.
const expire = statement<Swept>(
  'sweep.expire',
  `update dashboard.mandate m set status = 'expired' where m.id in (
     select id from dashboard.mandate where status in ('pending', 'active') and expires_at <= $1
     order by expires_at limit 1000 for no key update skip locked)
   returning ${mandateTable.list('id', 'accountId')}`,
);

/** Looks for alerts once; does nothing while another process is looking. */
export async function sweep(pool: Pool, now: Date, tell: Tell): Promise<void> {
  const found = await inTransaction(pool, async (db) => {
    if (!(await firstRow(db, enter, []))?.entered) return null;
    return { warned: await rows(db, warn, [now]), expired: await rows(db, expire, [now]) };
  });
  for (const { accountId, id } of found?.warned ?? []) tell({ kind: 'alert', id, to: [accountId] });
  for (const { accountId, id } of found?.expired ?? []) tell(mandateNotice(accountId, id));
}
