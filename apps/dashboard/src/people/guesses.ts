import { isIPv6 } from 'node:net';
import { type Queryable, rows, statement } from '@countersign/service/sql';

/** Who guesses: a user name from an address. */
export type Guesser = { readonly userName: string; readonly address: string };

/** Returns the network by which an address is counted: for IPv6 its /64, all of which one machine may own. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [left = [], right = []] = plain.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/**
 * The vault's limits: for a name from one address, so that nobody can lock out somebody elsewhere, and for
 * one address overall.
 */
const windowMs = 15 * 60_000;
const max = { ofBoth: 5, ofAddress: 50 };

const recent = statement<{ readonly blockedBy: Date | null }>(
  'guess.recent',
  `select (array_agg(at order by at desc))[$4::int] as "blockedBy"
   from dashboard.login_failure where user_name = $1 and address = $2 and at > $3
   union all
   select (array_agg(at order by at desc))[$5::int]
   from dashboard.login_failure where address = $2 and at > $3`,
);

/** Seconds until this name may be tried again from this address; null for now. */
export async function blockedFor(
  db: Queryable,
  { userName, address }: Guesser,
  now: Date,
): Promise<number | null> {
  const since = now.getTime() - windowMs;
  const found = await rows(db, recent, [userName, address, new Date(since), max.ofBoth, max.ofAddress]);
  const until = Math.max(...found.map(({ blockedBy }) => blockedBy?.getTime() ?? 0));
  return until > 0 ? Math.max(1, Math.ceil((until - since) / 1000)) : null;
}

const note = statement(
  'guess.note',
  `with old as (delete from dashboard.login_failure where at <= $4)
   insert into dashboard.login_failure (user_name, address, at) values ($1, $2, $3)`,
);

/** Notes a wrong guess, and forgets old ones. */
export async function noteGuess(db: Queryable, { userName, address }: Guesser, now: Date): Promise<void> {
  await rows(db, note, [userName, address, now, new Date(now.getTime() - windowMs)]);
}
