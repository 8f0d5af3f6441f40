const objects =
  'table|database|schema|index|view|user|role|login|function|procedure|trigger|sequence|extension|type|policy|domain|tablespace|server|event|package|keyspace|collection|column|constraint|publication|subscription';
/**
 * `drop shipping` and `create account` are what people look for: these verbs count with an object of SQL within 200 characters, or with
 * what nobody writes into a search field, a comment or many blanks.
 */
const defines = `(?:drop|create|alter)(?:\\s(?=[^;]{0,200}\\b(?:${objects})\\b)|\\s{0,9}(?:/\\*|--|\\s{9}))`;
const grants = 'grant\\s(?=[^;]{0,200}\\s(?:on|to)\\s)';
const change = new RegExp(
  `delete\\s+from|${defines}|${grants}|truncate\\s|(?:insert|replace|merge)\\s+into|update\\s+\\S+\\s+set|call\\s+\\S+\\(|exec(?:ute)?\\s+\\S+\\(`,
  'iy',
);
/** Or within a statement that begins as a question. */
const withChanges = /\(\s{0,20}(?:delete\s+from|insert\s+into|update\s+\S+\s+set)\s/i;

/** Whether SQL does more than select, as a statement of its own, behind comments too. Linear. */
export const changesRecords = (sql: string): boolean =>
  beginsChange(sql) || (/^\s*with\s/i.test(sql) && withChanges.test(sql));

function beginsChange(sql: string): boolean {
  // Where a statement may begin: a `;` may stand in a text or a comment, too.
  const begins = new Uint8Array(sql.length + 3);
  begins[0] = 1;
  const [lineEnd, commentEnd] = [finder(sql, '\n'), finder(sql, '*/')];
  for (let i = 0; i < sql.length; i++) {
    if (sql[i] === ';') begins[i + 1] = 1;
    if (begins[i] !== 1) continue;
    if (/\s/.test(sql[i] ?? '')) begins[i + 1] = 1;
    else if (sql.startsWith('--', i)) begins[lineEnd(i + 2)] = 1;
    else if (sql.startsWith('/*', i)) begins[commentEnd(i + 2)] = 1;
    else {
      change.lastIndex = i;
      if (change.test(sql)) return true;
    }
  }
  return false;
}

/** Where the next of them ends; asked for places that grow, it looks at nothing twice. */
function finder(text: string, what: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(what, from);
    if (found < 0) found = text.length;
    return Math.min(found + what.length, text.length + 2);
  };
}
