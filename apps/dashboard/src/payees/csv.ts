/** All rows of a CSV file, blank ones too (RFC 4180; lines may end with LF alone); null where a quote is not closed or stands amid a field. */
export function readCsv(text: string): readonly (readonly string[])[] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const field = text[at] === '"' ? quoted : bare;
    field.lastIndex = at;
    const found = field.exec(text);
    if (found === null) return null;
    row.push((found[1] ?? '').replaceAll('""', '"'));
    at = field.lastIndex;
    if (found[2] === ',' && at < text.length) continue;
    if (found[2] === ',') row.push('');
    rows.push(row);
    row = [];
  }
  return rows;
}

const quoted = /"((?:[^"]|"")*)"(,|\r?\n|$)/y;
const bare = /([^",\r\n]*)(,|\r?\n|$)/y;
