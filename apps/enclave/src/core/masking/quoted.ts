/** The closing character for each opening one. */
const closings = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['\u201c', '\u201d'],
  ['\u201d', '\u201d'],
  ['\u201e', '\u201c\u201d'],
  ['\u2018', '\u2019'],
  ['\u201a', '\u2018\u2019'],
  ['\u00ab', '\u00bb'],
  ['\u00bb', '\u00ab'],
  ['\u2039', '\u203a'],
  ['\u300c', '\u300d'],
  ['\u300e', '\u300f'],
]);

/** The escapes of a quotation mark inside quotes: CSV and SQL double it, shells close, escape and reopen. */
const doubled = new Map(
  ['"', "'", '`'].map((quote) => [quote, [quote, `\\${quote}${quote}`, `"${quote}"${quote}`]]),
);

/** Longer ones are no words, with signs that are doubled. In characters. */
const longest = 192;

/**
 * What stands in quotes or brackets, as whoever reads such a list has it: a quote that is doubled, after a backslash or given apart is
 * the sign itself. Linear in the text.
 */
export function quotedIn(text: string): string[] {
  const found: string[] = [];
  const readings = text.includes('\\') ? [false, true] : [false];
  for (let i = 0; i < text.length; i++) {
    const closing = closings.get(text.charAt(i));
    // One of several begins with the first.
    if (closing === undefined || text[i - 1] === text[i]) continue;
    if (closing === text[i] && isApostrophe(text, i)) continue;
    for (const hasEscapes of readings) {
      const inner = innerAt(text, i + 1, closing, hasEscapes);
      if (inner !== null) found.push(inner);
    }
  }
  return found;
}

const isApostrophe = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at - 1));

/** Null where it does not end, or late. */
function innerAt(text: string, from: number, closing: string, hasEscapes: boolean): string | null {
  let [inner, begin] = ['', from];
  const end = Math.min(text.length, from + longest);
  for (let i = from; i < end; i++) {
    const sign = text.charAt(i);
    if (hasEscapes && sign === '\\') {
      inner += text.slice(begin, i);
      begin = ++i;
    } else if (closing.includes(sign)) {
      const more = doubled.get(sign)?.find((way) => text.startsWith(way, i + 1))?.length ?? 0;
      if (more === 0) return inner + text.slice(begin, i);
      inner += text.slice(begin, i + 1);
      i += more;
      begin = i + 1;
    }
  }
  return null;
}
