import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Marks text that stands for a value which RFC 8785 has no form for. */
const rawKey = 'countersign:json';

/**
 * The RFC 8785 text of a value, whatever it is. What RFC 8785 refuses (a lone surrogate in a merchant's text) is
 * quoted as plain JSON text instead: a receipt must be made of any input, most of all of a hostile one.
 */
export function canonicalText(value: unknown): string {
  if (isMarked(value)) return quoted(value);
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch {
    // Said below.
  }
  return quoted(value);
}

/** Reads what `canonicalText` wrote. */
export const readCanonical = (value: unknown): unknown => {
  const raw = isMarked(value) ? value[rawKey] : undefined;
  return typeof raw === 'string' ? (JSON.parse(raw) as unknown) : value;
};

/** SHA-256 of a text's UTF-8 bytes, hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `JSON.stringify` escapes what has no UTF-8 form, so its result is text that RFC 8785 takes. */
const quoted = (value: unknown): string => `{"${rawKey}":${JSON.stringify(JSON.stringify(value ?? null))}}`;

const isMarked = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && rawKey in value;
