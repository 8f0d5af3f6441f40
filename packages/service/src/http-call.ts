import type { Refusal } from '@countersign/protocol/dialect';
import type { Route } from '@countersign/protocol/route';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Context } from 'hono';
import { z } from 'zod';
import { nearest, shownName } from './nearest.ts';
import type { Env } from './http-answer.ts';
import { type BadInput, isStorableText, parseInput, readBytes, readJson } from './http-input.ts';

/** A request to the letter, for a handler that checks its sender's signature. Nothing of it is believed so far. */
export type SignedRequest = { readonly bytes: Uint8Array; readonly headers: Headers };

/** The parts of a request that an authenticator may see. */
export type Identifying = {
  readonly headers: Headers;
  /** JSON of any shape. */
  readonly body: unknown;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** The connection showed a certificate of our client CA. */
  readonly certified: boolean;
};

export type Authenticate = Readonly<
  Record<string, (request: Identifying) => Promise<Result<unknown, Refusal<string>>>>
>;

/** The argument of a handler, whatever its route. */
export type AnyCall = {
  body: unknown;
  query: unknown;
  params: Record<string, string>;
  caller: unknown;
  headers: Headers;
  address: string;
  gone: AbortSignal;
};
type ReadQuery = (query: URLSearchParams) => Result<unknown, BadInput>;

/** The checks that come before any rule of a handler, in their documented order. */
export async function readCall(
  c: Context<Env>,
  route: Route,
  authenticate: Authenticate,
  readQuery: ReadQuery,
): Promise<Result<AnyCall, BadInput | Refusal<string>>> {
  const { headers } = c.req.raw;
  const bytes = route.method === 'GET' ? ok(new Uint8Array()) : await readBytes(c.req.raw);
  if (!bytes.ok) return bytes;
  const json = route.auth === 'signature' ? ok(undefined) : readJson(bytes.value, headers);
  if (!json.ok) return json;
  const shown = shownBy(c);
  const caller = await identify(route, authenticate, { ...shown, bytes: bytes.value, body: json.value });
  if (!caller.ok) return caller;
  const query = readQuery(new URL(c.req.url).searchParams);
  if (!query.ok) return query;
  const body = route.body === undefined ? ok(undefined) : parseInput(route.body, json.value);
  if (!body.ok) return body;
  const { params } = shown;
  if (!Object.values(params).every(isStorableText))
    return fail({ fault: 'invalid', msg: 'path: must be Unicode text' });
  const address = addressOf(c);
  return ok({
    body: body.value,
    query: query.value,
    params,
    caller: caller.value,
    headers,
    address,
    get gone() {
      return c.req.raw.signal;
    },
  });
}

/** Returns what a request reveals of its sender, apart from its body. */
export const shownBy = (c: Context<Env>) => ({
  headers: c.req.raw.headers,
  params: c.req.param() as Record<string, string>,
  certified: c.env?.incoming?.socket.authorized === true,
});

export async function identify(
  route: Route,
  authenticate: Authenticate,
  { bytes, ...shown }: Omit<Identifying, 'route'> & { readonly bytes: Uint8Array },
): Promise<Result<unknown, Refusal<string>>> {
  if (route.auth === 'none') return ok(undefined);
  if (route.auth === 'signature') return ok({ bytes, headers: shown.headers });
  const authenticator = authenticate[route.auth];
  if (authenticator === undefined) throw new Error(`nobody knows callers by ${route.auth}`);
  return authenticator({ ...shown, route });
}

/**
 * Reads a query as strictly as its schema: a parameter that it does not have is refused, never ignored, because a misspelled filter
 * would find everything, and so is one that is given twice. A query holds texts only. Those that the schema wants as integers are
 * read as such; other texts stay, as a wrong type.
 */
export function queryReader(schema: z.ZodObject): ReadQuery {
  const known = Object.keys(schema.shape);
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const integers = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return typeof property === 'object' && property.type === 'integer';
  });
  return (query) => {
    const problem = whatIsUnknown(query, known);
    if (problem !== null) return fail({ fault: 'invalid', msg: `query: ${problem}` });
    const values: Record<string, unknown> = Object.fromEntries(query);
    for (const name of integers) {
      const text = query.get(name);
      if (text !== null && /^-?\d{1,20}$/.test(text)) values[name] = Number(text);
    }
    return parseInput(schema, values);
  };
}

function whatIsUnknown(query: URLSearchParams, known: readonly string[]): string | null {
  for (const name of query.keys()) {
    if (!known.includes(name)) return unknownParameter(name, known);
    const times = query.getAll(name).length;
    if (times > 1) return `${name} is given ${times} times`;
  }
  return null;
}

function unknownParameter(name: string, known: readonly string[]): string {
  const isNot = `there is no parameter "${shownName(name)}"`;
  if (known.length === 0) return `${isNot}: there are none here`;
  const alike = nearest(name, known);
  const asked = alike === null ? '.' : `; did you mean "${alike}"?`;
  return `${isNot}${asked} The parameters are ${known.join(', ')}.`;
}

export const addressOf = (c: Context<Env>): string => c.env?.incoming?.socket.remoteAddress ?? 'in-process';
