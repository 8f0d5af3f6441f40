import type { Address } from '@countersign/protocol/address';
import { type Queryable, rows, statement } from '@countersign/service/sql';
import { transactionTable } from '../transactions/table.ts';
import type { Claimed } from './transfer.ts';

/** A report that waits for a look at the chain. */
export type Waiting = Claimed & {
  readonly id: number;
  readonly createdAt: Date;
  readonly chain: string;
  readonly txHash: string;
  readonly payer: Address | null;
  readonly payee: Address | null;
  readonly verified: boolean;
  /** The number of earlier attempts. */
  readonly looks: number;
};

/** So many reporters are looked at in one turn. */
const reportersInTurn = 200;

// Reporters take turns, from the one after `$3`: each gives its longest waiting, then its next, until it is enough. So a
// reporter with a long queue holds up nobody else, and one look at the queue costs a few steps in its index. The first
// row tells how far that look went.
const next = statement<{ id: number | null; reporter: string | null; seen: number }>(
  'transfer.next',
  `with recursive turn as (
     (select c.reporter, 1 as n from dashboard.transfer_check c where c.reporter > $3 order by c.reporter limit 1)
     union all
     select (select c.reporter from dashboard.transfer_check c where c.reporter > turn.reporter order by c.reporter limit 1), n + 1
     from turn where turn.reporter is not null and n < ${reportersInTurn}
   )
   select null::bigint as id, max(reporter) as reporter, count(reporter) as seen from turn
   union all
   (select waiting.id, turn.reporter, 0 from turn cross join lateral (
     select c.transaction_id as id, c.due from dashboard.transfer_check c
     where c.reporter = turn.reporter and c.due <= $1 order by c.due limit $2
   ) waiting
   order by row_number() over (partition by turn.reporter order by waiting.due), turn.reporter limit $2)`,
);

// Whoever is faster has it: another process finds it not due any more.
const take = statement<Waiting>(
  'transfer.take',
  `with mine as (
     update dashboard.transfer_check c set due = $3 where c.transaction_id = any($2::bigint[]) and c.due <= $1
     returning c.transaction_id, c.created_at, c.looks
   )
   select ${transactionTable.list('id', 'createdAt', 'chain', 'txHash', 'tokenSymbol', 'payer', 'payee', 'serviceResult')},
     trim_scale(t.amount_exact)::text as amount, ${transactionTable.list('verified')}, mine.looks
   from mine join ${transactionTable.from} on t.id = mine.transaction_id and t.created_at = mine.created_at`,
);

/** So long nobody else takes what was taken, in milliseconds; a process that died in between is made up for. */
const takenForMs = 60_000;

/** The position at which the next turn begins. */
export type Turn = { readonly after: string };

/** Takes up to `max` of those that are due; `turn` says after which reporter the next look begins. */
export async function takeDue(
  db: Queryable,
  { now, max, after }: { readonly now: Date; readonly max: number } & Turn,
): Promise<{ readonly taken: readonly Waiting[]; readonly turn: Turn }> {
  const found = await rows(db, next, [now, max, after]);
  const ids = found.flatMap(({ id }) => (id === null ? [] : [id]));
  const taken =
    ids.length === 0 ? [] : await rows(db, take, [now, ids, new Date(now.getTime() + takenForMs)]);
  return { taken, turn: { after: ids.length < max ? afterAll(found) : afterServed(found) } };
}

type Found = readonly {
  readonly id: number | null;
  readonly reporter: string | null;
  readonly seen: number;
}[];

/** All that was due was taken: on with the reporters that were not looked at, or from the first. */
const afterAll = (found: Found): string => {
  const look = found.find(({ id }) => id === null);
  return look === undefined || look.seen < reportersInTurn ? '' : (look.reporter ?? '');
};

/** Others have to wait: on with the one after the last that was served. */
const afterServed = (found: Found): string =>
  found.reduce(
    (last, { id, reporter }) => (id !== null && (reporter ?? '') > last ? (reporter ?? '') : last),
    '',
  );

const again = statement(
  'transfer.again',
  'update dashboard.transfer_check set due = $2, looks = looks + 1 where transaction_id = $1',
);

/** Looks for it again then. */
export async function lookAgain(db: Queryable, id: number, due: Date): Promise<void> {
  await rows(db, again, [id, due]);
}

const end = statement('transfer.end', 'delete from dashboard.transfer_check where transaction_id = $1');

/** Never looks for it again. */
export async function stopLooking(db: Queryable, id: number): Promise<void> {
  await rows(db, end, [id]);
}
