import type { BodyInputOf, DataOf, QueryInputOf, Route, RouteTable } from '@countersign/protocol/route';
import { Pool } from 'undici';
import { askForText } from './exchange.ts';
import type { Attributes, Span, SpanEnd } from './trace.ts';

/**
 * What came of a call. `refused` is the server's own answer with a business code; `failed` means that no
 * trustworthy answer arrived, so nothing may be concluded from it.
 */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly data: T }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: number;
      readonly msg: string;
      readonly data: unknown;
    }
  | { readonly kind: 'failed'; readonly why: 'timeout' | 'unreachable' | 'malformed' };

export type CallOptions = {
  readonly token?: string | undefined;
  /** The work that this call is a part of: it gets a span of its own there. */
  readonly span?: Span | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
};

type Input<R extends Route> = (BodyInputOf<R> extends undefined ? object : { body: BodyInputOf<R> }) &
  (QueryInputOf<R> extends undefined ? object : { query: QueryInputOf<R> });

/** What never ends is not asked for an answer. */
type Endless = { readonly stream: true } | { readonly socket: true };
type Askable<T extends RouteTable> = { [K in keyof T]: T[K] extends Endless ? never : K }[keyof T];

export type Client<T extends RouteTable> = {
  readonly [K in Askable<T>]: (input: Input<T[K]> & CallOptions) => Promise<Answer<DataOf<T[K]>>>;
} & { readonly close: () => Promise<void> };

export type ClientOptions = {
  readonly baseUrl: URL;
  readonly timeoutMs: number;
  /** Sent as `apiKey` in the body of `api-key` routes. */
  readonly apiKey?: string;
  /** Largest answer that is read, in bytes; a larger one is `malformed`. */
  readonly maxAnswerBytes?: number;
};

/** A typed client of a route table. Never throws: every outcome is an `Answer`. */
export function createClient<T extends RouteTable>(table: T, options: ClientOptions): Client<T> {
  const pool = new Pool(options.baseUrl.origin, { connections: 128, pipelining: 1 });
  const prefix = options.baseUrl.pathname.replace(/\/$/, '');
  const methods: Record<string, unknown> = { close: () => pool.close() };
  for (const [name, route] of Object.entries<Route>(table)) {
    if (route.stream || route.socket) continue;
    const about = attributesOf(options.baseUrl, prefix, route);
    const work = `${route.method} ${route.path}`;
    methods[name] = async (input: AnyInput) => {
      const span = input.span?.child(work, 'client', about);
      const answer = await call(pool, prefix, route, options, input, span);
      span?.end(endOf(route, answer));
      return answer;
    };
  }
  return methods as Client<T>;
}

type AnyInput = CallOptions & { readonly body?: object; readonly query?: object };

/** As OpenTelemetry names them. A path is told as its pattern: what stands in its place is the caller's business. */
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

function endOf(route: Route, answer: Answer<unknown>): SpanEnd {
  if (answer.kind === 'failed') return { error: answer.why };
  const status = answer.kind === 'ok' ? successStatus(route) : answer.status;
  const attributes = { 'http.response.status_code': status };
  return status < 400 ? { attributes } : { attributes, error: String(status) };
}

async function call(
  pool: Pool,
  prefix: string,
  route: Route,
  options: ClientOptions,
  input: AnyInput,
  span: Span | undefined,
): Promise<Answer<never>> {
  const request = {
    method: route.method,
    path: prefix + fillPath(route.path, input.params) + queryText(input.query),
    headers: {
      'content-type': 'application/json',
      ...(input.token !== undefined && { authorization: `Bearer ${input.token}` }),
      ...(span !== undefined && { traceparent: span.traceparent }),
    },
    body: bodyText(route, options, input),
  };
  const { timeoutMs, maxAnswerBytes: maxBytes = 4 * 1024 * 1024 } = options;
  const answer = await askForText(pool, request, { timeoutMs, maxBytes });
  if (answer.kind === 'answer') return judge(route, answer.status, answer.text);
  return answer.why === 'too-large' ? malformed : { kind: 'failed', why: answer.why };
}

const malformed = { kind: 'failed', why: 'malformed' } as const;

function judge(route: Route, status: number, text: string): Answer<never> {
  const envelope = parseEnvelope(text);
  if (envelope === null) return malformed;
  if (status !== successStatus(route)) return { kind: 'refused', status, ...envelope };
  const data = route.data.safeParse(envelope.data);
  return envelope.code === successCode && data.success ? { kind: 'ok', data: data.data as never } : malformed;
}

const successCode = 80000000;
const successStatus = (route: Route): 200 | 201 => (route.created ? 201 : 200);

function parseEnvelope(text: string): { code: number; msg: string; data: unknown } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { code, msg, data } = value as Record<string, unknown>;
  return typeof code === 'number' && typeof msg === 'string' ? { code, msg, data } : null;
}

function bodyText(route: Route, options: ClientOptions, input: AnyInput): string | null {
  if (route.method === 'GET') return null;
  if (route.auth === 'api-key') return JSON.stringify({ apiKey: options.apiKey, ...input.body });
  return JSON.stringify(input.body ?? {});
}

const fillPath = (path: string, params: CallOptions['params'] = {}): string =>
  path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    : path;

function queryText(query: object | undefined): string {
  if (query === undefined) return '';
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) pairs.append(name, String(value));
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}
