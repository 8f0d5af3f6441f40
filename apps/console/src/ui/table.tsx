import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column<Row> = {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right edge, below each other. */
  readonly figures?: boolean;
  /** Left out where there is no room: the row's own page or sheet has it. */
  readonly wide?: boolean;
};

type Props<Row> = {
  /** The accessible name of the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
};

type Shape = Pick<Column<never>, 'figures' | 'wide'>;

/** The last column that a small screen shows keeps the table's edge there. */
const look = (columns: readonly Shape[], column: Shape): string =>
  classNames(
    'px-3 py-3 first:pl-5 last:pr-5',
    column.figures === true ? 'figures text-right' : 'text-left',
    column.wide === true && 'max-md:hidden',
    column === columns.findLast(({ wide }) => wide !== true) && 'max-md:pr-5',
  );

/** Rows of the same kind. The first cell is the row's heading and holds its link. */
export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              className={classNames(look(columns, column), 'py-2.5 font-medium')}
            >
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="relative transition-colors hover:bg-sunken">
            {columns.map((column, index) =>
              index === 0 ? (
                <th
                  key={column.name}
                  scope="row"
                  className={classNames(look(columns, column), 'min-w-32 font-medium md:min-w-44')}
                >
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.name} className={look(columns, column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
