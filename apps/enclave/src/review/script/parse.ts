import { type AnyNode, parse, type Program } from 'acorn';
import { simple } from 'acorn-walk';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';

/** Stands in the syntax tree for the JSON string literal that a placeholder becomes. */
const marker = (field: string): string => `countersign:credential:${field}`;
const markers = /^countersign:credential:/;

export const isCredential = (literal: unknown): boolean =>
  typeof literal === 'string' && markers.test(literal);

/** The tree; or why there is none: no function body, or a placeholder where no string literal can stand. */
export type Parsed =
  | { readonly program: Program }
  | { readonly refusal: 'unparsable' | 'placeholder'; readonly line: number };

export function parseScript(source: string): Parsed {
  const template = parseTemplate(source);
  if (!template.ok) return { refusal: 'placeholder', line: 1 };
  const written = template.value
    .map((part) => ('text' in part ? part.text : JSON.stringify(marker(part.field))))
    .join('');
  try {
    const program = parse(written, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowHashBang: false,
      locations: true,
    });
    const placeholders = template.value.filter((part) => 'field' in part).length;
    // In a comment, a longer string or a regular expression, its text could break out of where it stands.
    return placeholders === literalsOf(program) ? { program } : { refusal: 'placeholder', line: 1 };
  } catch (error) {
    return { refusal: 'unparsable', line: lineOf(error) };
  }
}

function literalsOf(program: Program): number {
  let found = 0;
  simple(program as AnyNode, {
    Literal(node) {
      if (isCredential(node.value)) found++;
    },
  });
  return found;
}

const lineOf = (error: unknown): number =>
  error instanceof SyntaxError && 'loc' in error ? (error.loc as { line: number }).line : 1;
