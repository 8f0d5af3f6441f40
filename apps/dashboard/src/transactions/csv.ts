import type { Queryable } from '@countersign/service/sql';
import type { Cursor } from './cursor.ts';
import { readWholePage, type TransactionRow, type WholeTransactionRow } from './page.ts';
import type { Selection } from './selection.ts';

const columns = [
  'id',
  'createdAt',
  'serviceName',
  'serviceResult',
  'chain',
  'txHash',
  'amount',
  'amountExact',
  'tokenSymbol',
  'payer',
  'payee',
  'payerKycResult',
  'payerKytResult',
  'payerKytRiskLevel',
  'payeeKycResult',
  'payeeKytResult',
  'payeeKytRiskLevel',
  'reportedBy',
  'verified',
] as const satisfies readonly (keyof TransactionRow)[];

/** What gateways note, under the names that it has here. */
const noted = { tool: 'toolName', agent: 'agent', reason: 'reason' } as const;

const names = [...columns, 'mandate', ...Object.keys(noted)];

/** So many records are in memory at once, however long the file gets. */
const recordsAtOnce = 1000;

/** Without it spreadsheets take UTF-8 for something else. */
export const byteOrderMark = '\ufeff';

/** A selection as CSV (RFC 4180), newest first, a piece at a time: a line of names, then one for each record. */
export async function* csvOf(db: Queryable, selection: Selection): AsyncGenerator<Uint8Array, void> {
  let head = `${byteOrderMark}${names.join(',')}\r\n`;
  for (let after: Cursor | null | undefined = null; after !== undefined; ) {
    const records: readonly WholeTransactionRow[] = await readWholePage(db, selection, {
      after,
      offset: 0,
      limit: recordsAtOnce,
    });
    yield utf8.encode(head + records.map(csvLine).join(''));
    head = '';
    after = records.length < recordsAtOnce ? undefined : records.at(-1);
  }
}

const utf8 = new TextEncoder();

/** A record as one line, with its end. */
function csvLine(record: WholeTransactionRow): string {
  const known = columns.map((name) => record[name]);
  const noticed = Object.values(noted).map((name) => record[name]);
  return `${[...known, record.intentMandateId, ...noticed].map(csvField).join(',')}\r\n`;
}

/**
 * How a formula begins: ASCII or full-width, behind whatever a spreadsheet trims or does not show. What begins with a tab
 * or a line break is one too, because some take it for the next cell.
 */
const formula =
  /^(?:[\t\r\n]|[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

/** Others wrote these texts. One that a spreadsheet would take for a formula gets an apostrophe, which makes it text. */
export function csvField(value: string | number | Date | null): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Headers of a CSV that is downloaded: its name has the day. */
export const asFile = (name: string, now: Date) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}-${now.toISOString().slice(0, 10)}.csv"`,
});
