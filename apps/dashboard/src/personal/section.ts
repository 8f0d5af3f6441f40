import { type Queryable, rows, statement } from '@countersign/service/sql';
import type { Sealer } from '../compliance/seal.ts';
import type { Subject } from './count.ts';

export type Reading = { readonly db: Queryable; readonly sealer: Sealer | null; readonly subject: Subject };

/** The records of one kind, a page at a time, so that no connection waits for a slow reader. */
export type Section = (reading: Reading) => AsyncGenerator<readonly unknown[], void>;

/** So many records are read, and in memory, at once. */
export const atOnce = 500;
const lowest = { bigint: '0', text: '' } as const;

type About = {
  /** An index has them in this order. */
  readonly key: string;
  readonly type: keyof typeof lowest;
  /** The columns that are exported. Money is text. */
  readonly columns: string;
  /** Knows the account as `$1` or the wallet as `$2`. */
  readonly from: string;
};

type Row = Readonly<Record<string, unknown>> & { readonly sectionKey: string };

/** A section that is one list of rows, in the order of its key. */
export function listOf(
  name: string,
  { key, type, columns, from }: About,
  show: (row: Omit<Row, 'sectionKey'>, reading: Reading) => unknown = (row) => row,
): Section {
  const page = statement<Row>(
    `personal.${name}`,
    `select (${key})::text as "sectionKey", ${columns} from ${from} and ${key} > $3::${type}
       and $1::text is not null and $2::text is not null order by ${key} limit ${atOnce}`,
  );
  return async function* (reading) {
    const { accountId, wallet } = reading.subject;
    for (let after: string | undefined = lowest[type]; after !== undefined; ) {
      const found: readonly Row[] = await rows(reading.db, page, [accountId, wallet, after]);
      yield found.map((each) => {
        const { sectionKey: _, ...row } = each;
        return show(row, reading);
      });
      after = found.length < atOnce ? undefined : found.at(-1)?.sectionKey;
    }
  };
}
