import { columnsAs } from './sql.ts';

/** The columns of an SQL table under the names of our fields, which are theirs in camel case: `createdAt` is `created_at`. */
export type SqlTable<Field extends string> = {
  /** The table under the alias that `columns` have. */
  readonly from: string;
  /** Each column with its alias: `a.created_at`. */
  readonly columns: Readonly<Record<Field, string>>;
  /** A select list that gives a row these fields. */
  readonly list: (...fields: readonly Field[]) => string;
  /** `insert into … (…)` of these fields, for what gives their values in this order. */
  readonly insertInto: (...fields: readonly Field[]) => string;
};

/** Names a table, the alias that statements use for it, and its columns: the one place where they stand. */
export function sqlTable<const Field extends string>(
  name: string,
  alias: string,
  fields: readonly Field[],
): SqlTable<Field> {
  const columns = Object.fromEntries(fields.map((field) => [field, `${alias}.${columnOf(field)}`]));
  const from = `${name} ${alias}`;
  return {
    from,
    columns: columns as Record<Field, string>,
    list: (...wanted) => columnsAs(Object.fromEntries(wanted.map((field) => [field, columns[field] ?? '']))),
    insertInto: (...wanted) => `insert into ${name} as ${alias} (${wanted.map(columnOf).join(', ')})`,
  };
}

/** `$1, $2` and on, as many as there are fields. */
export const placeholders = (fields: readonly string[]): string =>
  fields.map((_, n) => `$${n + 1}`).join(', ');

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
