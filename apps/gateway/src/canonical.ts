import { hash } from 'node:crypto';

/** Marks text that stands for a value which RFC 8785 has no form for. */
const rawKey = 'countersign:json';

/**
 * The RFC 8785 text of a value, whatever it is. What RFC 8785 refuses (a lone surrogate in a merchant's text) is
 * quoted as plain JSON text instead: a receipt must be made of any input, most of all of a hostile one.
 * Written for the paid call, which needs it some twenty times; verifying leans on the npm package instead, so that the
 * two check each other.
 */
export function canonicalText(value: unknown): string {
  if (isMarked(value)) return quoted(value);
  return write(value) ?? quoted(value);
}

/** Reads what `canonicalText` wrote. */
export const readCanonical = (value: unknown): unknown => {
  const raw = isMarked(value) ? value[rawKey] : undefined;
  return typeof raw === 'string' ? (JSON.parse(raw) as unknown) : value;
};

/** SHA-256 of a text's UTF-8 bytes, hex. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Null where RFC 8785 has no form. Values are JSON, or plain objects of ours in which `undefined` means absent. */
function write(value: unknown): string | null {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : null;
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return writeArray(value);
  return typeof value === 'object' ? writeObject(value as Record<string, unknown>) : null;
}

function writeArray(items: readonly unknown[]): string | null {
  let text = '';
  for (const item of items) {
    const written = write(item);
    if (written === null) return null;
    text += text === '' ? written : `,${written}`;
  }
  return `[${text}]`;
}

function writeObject(object: Readonly<Record<string, unknown>>): string | null {
  let text = '';
  // The order of UTF-16 code units is what RFC 8785 wants and what `sort` does.
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    const [name, written] = [writeString(key), write(value)];
    if (name === null || written === null) return null;
    text += text === '' ? `${name}:${written}` : `,${name}:${written}`;
  }
  return `{${text}}`;
}

/** Most texts of a receipt need no escapes. */
const isPlain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const loneSurrogate = /\p{Surrogate}/u;

const writeString = (text: string): string | null => {
  if (isPlain.test(text)) return `"${text}"`;
  return loneSurrogate.test(text) ? null : JSON.stringify(text);
};

/** `JSON.stringify` escapes what has no UTF-8 form, so its result is text that RFC 8785 takes. */
const quoted = (value: unknown): string => `{"${rawKey}":${JSON.stringify(JSON.stringify(value ?? null))}}`;

const isMarked = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && rawKey in value;
