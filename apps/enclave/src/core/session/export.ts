import type { z } from 'zod';
import type { exportFormat } from '@countersign/protocol/vault/sandbox';
import type { PageData } from '../browser/browser.ts';

/** The data of a page as text, in each format that `export` knows. */
export const exported: Readonly<Record<z.output<typeof exportFormat>, (data: PageData) => string>> = {
  json: (data) => JSON.stringify(data),
  csv: ({ tables, text }) =>
    tables.length === 0
      ? csvOf(text.split('\n').map((line) => [line]))
      : tables.map(({ rows }) => csvOf(rows)).join('\r\n'),
  text: ({ text }) => text,
};

/** RFC 4180. Several tables follow each other, an empty line between them. */
const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');

const csvField = (field: string): string =>
  /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
