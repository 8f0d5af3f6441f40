import type { TransactionSum } from '@countersign/protocol/dashboard/transaction';
import { byteOrderMark, csvField } from './csv.ts';

const columns = [
  'month',
  'wallet',
  'counterparty',
  'tokenSymbol',
  'transactions',
  'amount',
  'atomicAmount',
] as const satisfies readonly (keyof TransactionSum)[];

/** Totals as CSV (RFC 4180), in their order: a line of names, then one for each. */
export const csvOfSums = (sums: readonly TransactionSum[]): string =>
  byteOrderMark +
  [columns.join(','), ...sums.map((sum) => columns.map((name) => csvField(sum[name])).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');
