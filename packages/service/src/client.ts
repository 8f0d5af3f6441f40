import { isSuccess, type Outcome, readOutcome, requestOf } from '@countersign/protocol/call';
import type { Dialect } from '@countersign/protocol/dialect';
import type {
  BodyInputOf,
  DataOf,
  ParamsOf,
  QueryInputOf,
  Route,
  RouteTable,
} from '@countersign/protocol/route';
import { Pool } from 'undici';
import { askForText } from './exchange.ts';
import type { Attributes, Span, SpanEnd } from './trace.ts';

/**
 * What came of a call. `refused` is the server's own answer with a code of its API; `failed` means that no
 * trustworthy answer arrived, so nothing may be concluded from it. `asked` is the endpoint: `GET /api/v1/tokens`.
 */
export type Answer<T, Code extends string> = Outcome<T, Code> & { readonly asked: string };

export type CallOptions = {
  readonly token?: string | undefined;
  /** The work that this call is a part of: it gets a span of its own there. */
  readonly span?: Span | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the call at once: `failed`, `aborted`. Whether it was carried out is then unknown. */
  readonly signal?: AbortSignal | undefined;
};

type Params<R extends Route> = [ParamsOf<R>] extends [never]
  ? object
  : { readonly params: Readonly<Record<ParamsOf<R>, string>> };
/** May be left out where everything in it may be. */
type Part<Name extends string, T> = T extends undefined
  ? object
  : object extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T };
/** `params`, `body` and `query`, as far as a route has them. */
export type InputOf<R extends Route> = Params<R> &
  Part<'body', BodyInputOf<R>> &
  Part<'query', QueryInputOf<R>>;

/** Routes that never end, so that no single answer is awaited. */
type Endless = { readonly stream: true } | { readonly socket: true };
type Askable<T extends RouteTable> = { [K in keyof T]: T[K] extends Endless ? never : K }[keyof T];
type Given<R extends Route> = R extends { readonly text: string } ? string : DataOf<R>;

export type Ask<R extends Route, Code extends string> = (
  input: InputOf<R> & CallOptions,
) => Promise<Answer<Given<R>, Code>>;

export type Client<T extends RouteTable, Code extends string> = {
  readonly [K in Askable<T>]: Ask<T[K], Code>;
} & { readonly close: () => Promise<void> };

export type ClientOptions = {
  readonly baseUrl: URL;
  readonly timeoutMs: number;
  /** Sent as `apiKey` in the body of `api-key` routes. */
  readonly apiKey?: string;
  /** Whose certificates are believed in place of the public authorities', and the own certificate; PEM. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Largest answer that is read, in bytes; a larger one is `malformed`. */
  readonly maxAnswerBytes?: number;
};

/** A typed client of a route table, in the dialect of its API. Never throws: every outcome is an `Answer`. */
export function createClient<T extends RouteTable, Code extends string>(
  table: T,
  dialect: Dialect<Code, never>,
  options: ClientOptions,
): Client<T, Code> {
  const pool = new Pool(options.baseUrl.origin, {
    connections: 128,
    pipelining: 1,
    connect: { ...options.tls },
  });
  const prefix = options.baseUrl.pathname.replace(/\/$/, '');
  const methods: Record<string, unknown> = { close: () => pool.close() };
  for (const [name, route] of Object.entries<Route>(table)) {
    if (route.stream || route.socket) continue;
    const about = attributesOf(options.baseUrl, prefix, route);
    const asked = `${route.method} ${route.path}`;
    methods[name] = async (input: AnyInput) => {
      const span = input.span?.child(asked, 'client', about);
      const { status, outcome } = await call(pool, prefix, { route, dialect, options }, input, span);
      span?.end(endOf(route, status, outcome));
      return { ...outcome, asked };
    };
  }
  return methods as Client<T, Code>;
}

type AnyInput = CallOptions & {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly query?: object;
};

/**
 * Returns the attributes in OpenTelemetry's names. The path is given as its pattern, since the values in it
 * belong to the caller.
 */
const attributesOf = (
  { origin, protocol, hostname, port }: URL,
  prefix: string,
  { method, path }: Route,
): Attributes => ({
  'http.request.method': method,
  'url.full': origin + prefix + path,
  'url.template': prefix + path,
  'server.address': hostname,
  'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
});

function endOf(route: Route, status: number, outcome: Outcome<unknown, string>): SpanEnd {
  if (outcome.kind === 'failed') return { error: outcome.why };
  const attributes = { 'http.response.status_code': status };
  return isSuccess(route, status) ? { attributes } : { attributes, error: String(status) };
}

type Asking = {
  readonly route: Route;
  readonly dialect: Dialect<string, never>;
  readonly options: ClientOptions;
};

async function call(
  pool: Pool,
  prefix: string,
  { route, dialect, options }: Asking,
  input: AnyInput,
  span: Span | undefined,
): Promise<{ status: number; outcome: Outcome<unknown, string> }> {
  const { path, body } = requestOf(route, input, options.apiKey);
  const request = {
    method: route.method,
    path: prefix + path,
    headers: {
      'content-type': 'application/json',
      ...(input.token !== undefined && { authorization: `Bearer ${input.token}` }),
      ...(span !== undefined && { traceparent: span.traceparent }),
      ...input.headers,
    },
    body,
  };
  const { timeoutMs, maxAnswerBytes: maxBytes = 4 * 1024 * 1024 } = options;
  const answer = await askForText(pool, request, { timeoutMs, maxBytes, signal: input.signal });
  if (answer.kind === 'answer')
    return { status: answer.status, outcome: readOutcome(dialect, route, answer.status, answer.text) };
  const why = answer.why === 'too-large' ? 'malformed' : answer.why;
  return { status: 0, outcome: { kind: 'failed', why } };
}
