import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import type { Person } from './person.ts';

export type Change = {
  readonly id: number;
  readonly at: Date;
  readonly personId: string | null;
  readonly name: string;
  readonly deed: string;
  readonly subject: string | null;
  /** The object that the answer named, if it differs. */
  readonly result: string | null;
  readonly outcome: string | null;
};

const table = sqlTable('dashboard.account_change', 'c', [
  'id',
  'accountId',
  'personId',
  'name',
  'deed',
  'subject',
  'result',
  'outcome',
  'at',
]);
export const changeColumns = table.list(
  'id',
  'at',
  'personId',
  'name',
  'deed',
  'subject',
  'result',
  'outcome',
);

const begin = statement<{ id: number }>(
  'change.begin',
  `${table.insertInto('accountId', 'personId', 'name', 'deed', 'subject', 'at')}
   values ($1, $2, $3, $4, $5, $6) returning c.id`,
);

export type Begun = {
  readonly accountId: string;
  readonly person: Pick<Person, 'id' | 'name'>;
  readonly deed: string;
  readonly subject: string | null;
  readonly at: Date;
};

/** Puts on record that somebody is about to change something. What cannot be recorded is not done. */
export async function beginChange(db: Queryable, begun: Begun): Promise<number> {
  const { accountId, person, deed, subject, at } = begun;
  const values = [accountId, person.id, person.name, deed, subject, at];
  const made = await firstRow(db, begin, values);
  if (made === null) throw new Error('an insert gave no row');
  return made.id;
}

const end = statement(
  'change.end',
  `update dashboard.account_change set outcome = $2, subject = coalesce(subject, $3),
     result = case when subject <> $3 then $3 end where id = $1`,
);

/** Puts on record how it ended, and what its answer named. */
export async function endChange(db: Queryable, id: number, outcome: string, named: string | null) {
  await rows(db, end, [id, outcome, named]);
}

const page = statement<Change>(
  'change.page',
  `select ${changeColumns} from ${table.from} where c.account_id = $1 order by c.id desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'change.count',
  'select count(*)::int as total from dashboard.account_change where account_id = $1',
);

/** Returns one page of the changes by an account's people, newest first. */
export async function listChanges(
  db: Queryable,
  accountId: string,
  { page: number, limit }: { readonly page: number; readonly limit: number },
) {
  const [items, counted] = await Promise.all([
    rows(db, page, [accountId, limit, (number - 1) * limit]),
    firstRow(db, count, [accountId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}
