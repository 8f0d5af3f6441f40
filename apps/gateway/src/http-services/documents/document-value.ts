import { parseDocument } from 'yaml';

/** Characters of YAML, which takes some two hundred times its size of memory to parse. */
export const maxYamlChars = 2 * 1024 * 1024;
/** Characters of the JSON that a document in YAML stands for: its aliases are written out. */
const maxWrittenOut = 4 * 1024 * 1024;
/** An alias within aliases counts as often as all of them come to. */
const maxAliases = 10_000;

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What a text in JSON or YAML is, as the JSON that it stands for; undefined for any other. Of YAML 1.2 all but tags of its own, several
 * documents and a key that comes twice; `<<` merges. A hostile text may take any time and memory: this runs where both are bounded.
 */
export const valueIn = (text: string): unknown => jsonIn(text) ?? yamlIn(text);

function yamlIn(text: string): unknown {
  if (text.length > maxYamlChars) return undefined;
  try {
    const read = parseDocument(text, {
      schema: 'core',
      merge: true,
      prettyErrors: false,
      logLevel: 'error',
    });
    if (read.errors.length > 0 || read.warnings.length > 0) return undefined;
    const value: unknown = read.toJS({ maxAliasCount: maxAliases });
    return writtenOut(value, new Map()) > maxWrittenOut ? undefined : jsonIn(JSON.stringify(value));
  } catch {
    // Nested too deep for a stack, or an alias without an anchor.
    return undefined;
  }
}

/**
 * Returns a lower bound of the length of a value's JSON; Infinity for a cyclic value. Each value is measured
 * once.
 */
function writtenOut(value: unknown, known: Map<object, number>): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Infinity);
  let length = 2;
  for (const [key, inner] of Object.entries(value)) length += key.length + writtenOut(inner, known) + 1;
  known.set(value, length);
  return length;
}
