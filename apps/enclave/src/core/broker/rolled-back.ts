/**
 * Whether an error (SQLSTATE) of a database says that nothing of a statement was done: PostgreSQL rolls a statement back that fails. Not where
 * the connection or the server was lost, which may be after the commit, nor where the statement itself may have committed before.
 */
export const isRolledBack = (sql: string, code: string): boolean =>
  /^[0-9A-Z]{5}$/.test(code) && !saysUnclear.test(code) && !mayCommit.test(withoutLead(sql));

/** Class 08 (connection), statement_completion_unknown, admin_shutdown, crash_shutdown and cannot_connect_now. */
const saysUnclear = /^(08...|40003|57P0[123])$/;

/** Procedures and blocks may commit in their midst; of a comment that does not end nobody knows what follows. */
const mayCommit = /^(call|do)(?![\w$\u0080-\uffff])|^\/\*/i;

/** Without the blanks, semicolons and comments that it begins with; comments may hold comments. */
function withoutLead(sql: string): string {
  let rest = sql.replace(/^[\s;]+/, '');
  while (rest.startsWith('--') || rest.startsWith('/*')) {
    const end = rest.startsWith('--') ? endOfLine(rest) : endOfComment(rest);
    if (end === null) return rest;
    rest = rest.slice(end).replace(/^[\s;]+/, '');
  }
  return rest;
}

const endOfLine = (text: string): number => /[\n\r]|$/.exec(text)?.index ?? text.length;

function endOfComment(text: string): number | null {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return index + 2;
  }
  return null;
}
