import type { Program } from 'acorn';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';

import { BoundedParser } from './bounded-parser.ts';

/** Begins the name that stands for a placeholder in the syntax tree, wherever it was written: as code or within a text. */
const marker = 'countersign$placeholder$';
const markers = /countersign\$placeholder\$(\d+)\$/;

/** The tree, and the text that it is of; or why there is none. */
export type Parsed =
  | {
      readonly program: Program;
      readonly written: string;
      /** The field of each placeholder, in the order in which they stand. */
      readonly fields: readonly string[];
      /** Of the first placeholder. */
      readonly line: number;
    }
  | { readonly kind: 'unparsable' | 'placeholder'; readonly line: number };

/** Reads the body of an async function. What is nested too deeply to be read is `unparsable`. */
export function parseScript(source: string): Parsed {
  const template = parseTemplate(source);
  if (!template.ok || (source.includes(marker) && template.value.length > 1))
    return { kind: 'placeholder', line: 1 };
  const fields: string[] = [];
  const written = template.value
    .map((part) => ('text' in part ? part.text : `${marker}${fields.push(part.field) - 1}$`))
    .join('');
  const line = fields.length === 0 ? 1 : written.slice(0, written.indexOf(marker)).split('\n').length;
  try {
    const program = BoundedParser.parse(written, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowHashBang: false,
      locations: true,
    });
    return { program, written, fields, line };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { kind: 'unparsable', line: lineOf(error) };
  }
}

/** Text between placeholders, and which placeholder: each number is its place among all of the script. */
export const splitAtMarkers = (text: string): (string | number)[] =>
  text
    .split(markers)
    .map((part, i) => (i % 2 === 0 ? part : Number(part)))
    .filter((part) => part !== '');

/** The placeholder that a name is; null for any other name. */
export function placeholderNamed(name: string): number | null {
  const [only, ...rest] = splitAtMarkers(name);
  return typeof only === 'number' && rest.length === 0 ? only : null;
}

const lineOf = (error: Error): number => ('loc' in error ? (error.loc as { line: number }).line : 1);
