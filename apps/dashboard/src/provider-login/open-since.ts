import { firstRow, type Queryable, statement } from '@countersign/service/sql';

const hourMs = 60 * 60_000;
const longMs = 24 * hourMs;

const known = statement<{ since: Date }>(
  'provider-open.known',
  'select since from dashboard.provider_open where seen_at > $1 and seen_at <= $2',
);
const note = statement<{ since: Date }>(
  'provider-open.note',
  `insert into dashboard.provider_open as o (since, seen_at) values ($1, $1)
   on conflict (one) do update set seen_at = $1, since = case when o.seen_at < $2 then $1 else least(o.since, $1) end
   returning since`,
);

/**
 * Since when people could sign in through the provider; null where they cannot now. A day in which no dashboard was up, or the
 * provider never answered, begins it anew. The provider is asked once an hour.
 */
export async function openSince(
  db: Queryable,
  answers: () => Promise<boolean>,
  now: Date,
): Promise<Date | null> {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const found = await firstRow(db, known, [before(hourMs), now]);
  if (found !== null) return found.since;
  if (!(await answers())) return null;
  return (await firstRow(db, note, [now, before(longMs)]))?.since ?? null;
}
