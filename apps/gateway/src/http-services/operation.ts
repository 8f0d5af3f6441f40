import { type ArgumentFault, isPlainName } from '../downstream/arguments.ts';
import { hasSteps } from './path-steps.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** Where one argument goes. `json`: always as JSON text. */
export type Parameter = {
  readonly argument: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly form: 'exploded' | 'joined' | 'deep' | 'json';
};

/** How a tool call is made as an HTTP request. */
export type Operation = {
  readonly method: Method;
  /** From the root of the host, with `{name}` where a path parameter stands. */
  readonly path: string;
  /** The fixed query: empty, or including its `?`. */
  readonly search: string;
  readonly parameters: readonly Parameter[];
  /** The argument that is the JSON body; null: none is. */
  readonly bodyArgument: string | null;
  /** Where arguments go that are not parameters. */
  readonly others: 'query' | 'body' | 'none';
};

/** A request but for what is told with every one. */
export type Prepared = {
  readonly method: Method;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The request of a call. No argument reaches beyond its own place: not into another parameter, another path or another
 * header. What would is a fault.
 */
export function prepare(operation: Operation, args: Arguments): Prepared | ArgumentFault {
  const { method, search, parameters, bodyArgument } = operation;
  const pieces: Pieces = { path: operation.path, query: [], headers: {} };
  for (const parameter of parameters) {
    const value = own(args, parameter.argument);
    if (value === undefined || value === null) continue;
    if (!place(pieces, parameter, value)) return faultAt(parameter.argument, 'misfit');
  }
  const fault = faultInPath(pieces.path);
  if (fault !== null) return fault;
  const known = new Set(parameters.map(({ argument }) => argument));
  const others = Object.entries(args).filter(([key]) => !known.has(key) && key !== bodyArgument);
  const inQuery = operation.others === 'query' ? others : [];
  const twice = inQuery.map(([name]) => name).find(fixedIn(search));
  if (twice !== undefined) return faultAt(twice, 'unknown');
  for (const [name, value] of inQuery) pieces.query.push(...pairs(name, 'exploded', value));
  const query = [search.slice(1), ...pieces.query.map(encodePair)].filter((part) => part !== '').join('&');
  const body = bodyOf(operation, args, Object.fromEntries(others));
  return {
    method,
    path: query === '' ? pieces.path : `${pieces.path}?${query}`,
    headers: { ...pieces.headers, ...(body !== null && { 'content-type': 'application/json' }) },
    body,
  };
}

/** Returns what is wrong with a path after its parameters were filled in. */
function faultInPath(path: string): ArgumentFault | null {
  const missing = /\{([^{}]*)\}/.exec(path)?.[1];
  if (missing !== undefined) return faultAt(missing, 'missing');
  return hasSteps(path) ? { where: '', kind: 'misfit' } : null;
}

/** Arguments are the agent's own: what every object has is none. */
const own = (args: Arguments, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined);

/**
 * Returns whether a name is fixed by the owner's query. It must not occur twice, since the service would
 * choose which one counts. `a` and `a[b]` are one name.
 */
function fixedIn(search: string): (name: string) => boolean {
  const baseOf = (name: string): string => name.split('[', 1)[0] ?? '';
  const fixed = new Set([...new URLSearchParams(search).keys()].map(baseOf));
  return (name) => fixed.has(baseOf(name));
}

export const isFault = (prepared: Prepared | ArgumentFault): prepared is ArgumentFault => 'where' in prepared;

type Pair = readonly [name: string, value: string];
type Pieces = { path: string; readonly query: Pair[]; readonly headers: Record<string, string> };

/** Returns whether the value may stand there. */
function place(pieces: Pieces, { name, in: where, form }: Parameter, value: unknown): boolean {
  if (where === 'query') {
    pieces.query.push(...pairs(name, form, value));
    return true;
  }
  const text = joined(form, value);
  if (where === 'header') {
    pieces.headers[name] = text;
    return isHeaderValue(text);
  }
  // A function, for `$&` in a replacement text is no text.
  pieces.path = pieces.path.replaceAll(`{${name}}`, () => encode(text));
  return isPathPart(text);
}

function bodyOf({ bodyArgument, others }: Operation, args: Arguments, rest: Arguments): string | null {
  if (bodyArgument !== null) {
    const body = own(args, bodyArgument);
    return body === undefined ? null : JSON.stringify(body);
  }
  return others === 'body' ? JSON.stringify(rest) : null;
}

function pairs(name: string, form: Parameter['form'], value: unknown): readonly Pair[] {
  if (value === undefined || value === null) return [];
  if (form === 'deep' && isObject(value))
    return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, textOf(inner)]);
  if (form === 'exploded' && Array.isArray(value)) return value.map((item) => [name, textOf(item)]);
  return [[name, joined(form, value)]];
}

const joined = (form: Parameter['form'], value: unknown): string =>
  form !== 'json' && Array.isArray(value)
    ? value.map((item) => textOf(item)).join(',')
    : textOf(value, form === 'json');

/** An object has no other text than its JSON. */
const textOf = (value: unknown, asJson = false): string =>
  typeof value === 'string' && !asJson ? value : JSON.stringify(value);

const encodePair = ([name, value]: Pair): string => `${encode(name)}=${encode(value)}`;

/** RFC 3986: what is left are its unreserved characters. Half a surrogate pair becomes U+FFFD. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Returns whether the text is a valid header value (RFC 9110). It has no line break, so that no header can
 * follow.
 */
const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

/**
 * Encoded, a slash stays in its place; but many a server decodes first and then reads `..` as one step up, so no part
 * between slashes may be one.
 */
const isPathPart = (text: string): boolean => text !== '' && !/\p{Cc}/u.test(text) && !hasSteps(text);

/** The name may be another party's: one that could be a sentence is not repeated. */
const faultAt = (argument: string, kind: ArgumentFault['kind']): ArgumentFault =>
  isPlainName(argument) ? { where: `/${argument}`, kind } : { where: '', kind: 'misfit' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name for a tool out of other text: letters, digits, `_`, `.` and `-`, 64 of them at most. */
export const toolName = (text: string): string =>
  text
    .slice(0, 256)
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
