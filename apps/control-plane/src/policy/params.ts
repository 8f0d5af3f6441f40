import { fail, ok, type Result } from '@countersign/protocol/result';

/** A JSON value that Cedar can represent. */
export type CedarValue =
  | boolean
  | number
  | string
  | readonly CedarValue[]
  | { readonly [name: string]: CedarValue };

/** Members by which JSON says to Cedar that something else is meant. */
const escapes = ['__entity', '__extn', '__expr'];
const deepest = 32;

/**
 * Params as a policy reads them: whole numbers are `Long`, fractions of at most four digits `decimal`. A refusal says
 * which member no policy can read as it is meant, so that none is ever read by half.
 */
export const readParams = (params: unknown): Result<CedarValue, string> => read(params, 'params', 0);

function read(value: unknown, path: string, depth: number): Result<CedarValue, string> {
  if (depth > deepest) return fail(`${path}: is nested deeper than ${deepest} levels`);
  if (typeof value === 'string' || typeof value === 'boolean') return ok(value);
  if (typeof value === 'number') return readNumber(value, path);
  if (Array.isArray(value))
    return readAll(value.entries(), ([place, item]) => read(item, `${path}.${place}`, depth + 1));
  if (typeof value === 'object' && value !== null) return readObject(value, path, depth);
  return fail(`${path}: must not be null: omit the member`);
}

function readNumber(value: number, path: string): Result<CedarValue, string> {
  if (Number.isSafeInteger(value)) return ok(value);
  const text = String(value);
  if (/^-?\d{1,15}\.\d{1,4}$/.test(text)) return ok({ __extn: { fn: 'decimal', arg: text } });
  return fail(`${path}: must be a whole number within 2^53, or have at most four digits after the point`);
}

function readObject(value: object, path: string, depth: number): Result<CedarValue, string> {
  const forbidden = escapes.find((name) => Object.hasOwn(value, name));
  if (forbidden !== undefined) return fail(`${path}: must not have a member named ${forbidden}`);
  const entries = readAll(Object.entries(value), ([name, member]) => {
    const inner = read(member, `${path}.${name}`, depth + 1);
    return inner.ok ? ok([name, inner.value] as const) : inner;
  });
  return entries.ok ? ok(Object.fromEntries(entries.value)) : entries;
}

/** All values, or the first refusal. */
function readAll<I, T>(items: Iterable<I>, one: (item: I) => Result<T, string>): Result<T[], string> {
  const values: T[] = [];
  for (const item of items) {
    const value = one(item);
    if (!value.ok) return value;
    values.push(value.value);
  }
  return ok(values);
}
