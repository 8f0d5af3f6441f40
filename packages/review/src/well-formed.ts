/**
 * The same value with each lone half of a surrogate pair replaced by U+FFFD, keys of objects too. INVARIANT: what is hashed or
 * recorded went through it; RFC 8785 has no text for half a character, and a page may cut one in two.
 */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((one: unknown) => wellFormed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.toWellFormed(), wellFormed<unknown>(one)]),
  );
}
