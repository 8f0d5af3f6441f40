import { fail, ok, type Result } from '@countersign/protocol/result';
import { parse } from 'smol-toml';

/** Parses TOML. */
export function readToml(text: string): Result<Record<string, unknown>, string> {
  try {
    return ok(parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: true }));
  } catch {
    return fail('it is not valid TOML');
  }
}

/** The text with our table at its end: a header begins a table of its own, whatever stands before. */
export function withTable(text: string, entry: Readonly<Record<string, unknown>>): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + tableOf(entry).replaceAll('\n', eol);
}

/** Takes our header and those below it, each with its keys up to the next header, and the blank line before. Comments behind the keys stay. */
export function withoutTable(text: string): string {
  const kept: string[] = [];
  let comments: string[] = [];
  let isOurs = false;
  for (const { line, isHeader } of linesOf(text)) {
    if (isHeader) {
      kept.push(...comments);
      comments = [];
      isOurs = ownHeader.test(line);
      if (isOurs && kept.at(-1)?.trim() === '') kept.pop();
    }
    if (!isOurs) kept.push(line);
    else if (/^\s*(?:#|$)/.test(line)) comments.push(line);
    else comments = [];
  }
  return [...kept, ...comments].join('');
}

/** A line of a text of several lines is no header, whatever it looks like. */
function linesOf(text: string): { line: string; isHeader: boolean }[] {
  let quote: string | undefined;
  return text.split(/(?<=\n)/).map((line) => {
    const isInside = quote !== undefined;
    const found = quote ?? /^\s*[^\s#].*?("""|''')/.exec(line)?.[1];
    const isTurned = found !== undefined && line.split(found).length % 2 === 0;
    if (isTurned) quote = isInside ? undefined : found;
    return { line, isHeader: !isInside && /^\s*\[/.test(line) };
  });
}

const key = (name: string): string => `\\s*["']?${name}["']?\\s*`;
const ownHeader = new RegExp(
  `^\\s*\\[${key('mcp_servers')}\\.${key('countersign')}(?:\\.[^\\]]*)?\\]\\s*(?:#.*)?$`,
);

/** The table as `connect` writes it. */
export const tableOf = (entry: Readonly<Record<string, unknown>>): string =>
  [
    '[mcp_servers.countersign]',
    ...Object.entries(entry).map(([name, value]) => `${name} = ${valueOf(value)}`),
    '',
  ].join('\n');

/** JSON's strings are TOML's. */
const valueOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{ ${Object.entries(value)
        .map(([name, inner]) => `${JSON.stringify(name)} = ${JSON.stringify(inner)}`)
        .join(', ')} }`
    : JSON.stringify(value);
