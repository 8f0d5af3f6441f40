import { randomUUID } from 'node:crypto';
import { type DashboardCode, dashboardCodes } from '@countersign/protocol/dashboard/codes';
import type { BodyOf, DataInputOf, QueryOf, Route, RouteTable } from '@countersign/protocol/route';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  isStorableText,
  parseInput,
  readBytes,
  readJson,
  type Refusal,
  type TransportRefusal,
} from './http-input.ts';
import type { Logger } from './logger.ts';
import type { HttpMetrics } from './metrics.ts';
import { describeApi } from './openapi.ts';
import type { Site } from './site.ts';
import { inSpan, type Span, type SpanEnd, type Tracer } from './trace.ts';

/** What a handler answers: `ok(data)`, with headers if it has any to set, or a refusal. */
export type Answer<T> = Result<T, Refusal> & { readonly headers?: Readonly<Record<string, string>> };

/** A request to the letter, for a handler that checks its sender's signature. Nothing of it is believed so far. */
export type SignedRequest = { readonly bytes: Uint8Array; readonly headers: Headers };

/** The other success: no envelope, but bytes that come as they are made. */
export type Streamed = {
  readonly ok: true;
  readonly stream: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
};

/** Who calls, by the way in which the route wants it proven. */
export type Callers<ApiKey, Session> = {
  readonly none: undefined;
  readonly 'api-key': ApiKey;
  readonly session: Session;
  readonly signature: SignedRequest;
};

export type Call<R extends Route, C extends Callers<unknown, unknown>> = {
  readonly body: BodyOf<R>;
  readonly query: QueryOf<R>;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: C[R['auth']];
};

/** One function for each route of a table. Refusals are values; what is thrown becomes a 500 without words. */
export type Handlers<T extends RouteTable, C extends Callers<unknown, unknown>> = {
  readonly [K in keyof T]: (call: Call<T[K], C>) => Promise<Answer<DataInputOf<T[K]>> | Streamed>;
};

export type HttpOptions<T extends RouteTable, C extends Callers<unknown, unknown>> = {
  readonly title: string;
  readonly table: T;
  readonly handlers: Handlers<T, C>;
  readonly authenticate: {
    /** `apiKey` is whatever stood in the body, or undefined. */
    readonly apiKey: (apiKey: unknown) => Promise<Result<C['api-key'], Refusal>>;
    readonly session: (headers: Headers, method: Route['method']) => Promise<Result<C['session'], Refusal>>;
  };
  /** Seconds that this address has to wait before it may call, or null. `route` is null for an unknown path. */
  readonly admit: (address: string, route: string | null) => number | null;
  /** What `/ready` tells; `ready: false` travels with HTTP status 503. */
  readonly ready: () => Promise<{ readonly ready: boolean; readonly [detail: string]: unknown }>;
  readonly metrics: HttpMetrics;
  readonly tracer: Tracer;
  readonly log: Logger;
  /** Pages beside the API: asked only about paths that are no endpoint. */
  readonly site?: Site | null;
};

/** Names of the request's own facts, set by `observe` before anything else runs. */
type Env = {
  Bindings: { incoming?: { socket: { remoteAddress?: string | undefined } } };
  Variables: { route: string; requestId: string; caller: Span };
};

/**
 * Serves a route table. Every answer carries the envelope and `x-request-id`. Checks come in this order: rate,
 * size and JSON syntax, key or session, body and query, then the handler.
 */
export function createHttpApp<T extends RouteTable, C extends Callers<unknown, unknown>>(
  options: HttpOptions<T, C>,
): Hono<Env> {
  const app = new Hono<Env>();
  app.use('*', (c, next) => observe(c, next, options));
  app.onError((error, c) => {
    options.log.error({ err: error, requestId: c.get('requestId') }, 'unforeseen');
    return refuse(c, { code: 'SYSTEM_ERROR', msg: 'system error' });
  });

  serveOperations(app, options);
  for (const [name, route] of Object.entries<Route>(options.table)) {
    const handler = options.handlers[name] as unknown as AnyHandler;
    const run = prepare(route, handler, options.authenticate);
    app.on(route.method, route.path, async (c) => {
      c.set('route', route.path);
      const span = c.get('caller').child(`${route.method} ${route.path}`, 'server', {
        'http.request.method': route.method,
        'http.route': route.path,
      });
      return inSpan(span, async () => admitted(c, name, options) ?? run(c), endOf);
    });
  }
  // After all routes: a path that is known gets here only with another method.
  for (const [path, methods] of methodsByPath(options.table)) {
    app.all(path, (c) => admitted(c, null, options) ?? wrongMethod(c, methods));
  }
  app.notFound((c) => admitted(c, null, options) ?? sitePage(c, options.site) ?? noSuchEndpoint(c));
  return app;
}

function endOf({ status }: Response): SpanEnd {
  const attributes = { 'http.response.status_code': status };
  return status < 500 ? { attributes } : { attributes, error: String(status) };
}

type AnyCall = { body: unknown; query: unknown; params: Record<string, string>; caller: unknown };
type AnyHandler = (call: AnyCall) => Promise<Answer<unknown> | Streamed>;
type Authenticate = HttpOptions<RouteTable, Callers<unknown, unknown>>['authenticate'];

function prepare(route: Route, handler: AnyHandler, authenticate: Authenticate) {
  const readQuery = route.query === undefined ? () => ok(undefined) : queryReader(route.query);
  return async (c: Context<Env>): Promise<Response> => {
    const call = await readCall(c, route, authenticate, readQuery);
    if (!call.ok) return refuse(c, call.error);
    const answer = await handler(call.value);
    for (const [name, value] of Object.entries(answer.headers ?? {})) c.header(name, value);
    if (!answer.ok) return refuse(c, answer.error);
    if ('stream' in answer) return c.body(answer.stream);
    return envelope(c, route.created ? 201 : 200, 'SUCCESS', 'success', answer.value);
  };
}

type ReadQuery = (query: Record<string, string>) => Result<unknown, Refusal>;

/** The checks that come before any rule of a handler, in their documented order. */
async function readCall(
  c: Context<Env>,
  route: Route,
  authenticate: Authenticate,
  readQuery: ReadQuery,
): Promise<Result<AnyCall, TransportRefusal>> {
  const { headers } = c.req.raw;
  const bytes = route.method === 'GET' ? ok(new Uint8Array()) : await readBytes(c.req.raw);
  if (!bytes.ok) return bytes;
  const json = route.auth === 'signature' ? ok(undefined) : readJson(bytes.value, headers);
  if (!json.ok) return json;
  const caller = await identify(route, authenticate, { bytes: bytes.value, headers }, json.value);
  if (!caller.ok) return caller;
  const body = route.body === undefined ? ok(undefined) : parseInput(route.body, json.value);
  if (!body.ok) return body;
  const query = readQuery(c.req.query());
  if (!query.ok) return query;
  const params = c.req.param() as Record<string, string>;
  if (!Object.values(params).every(isStorableText))
    return refusal('INVALID_PARAM', 'path: must be Unicode text');
  return ok({ body: body.value, query: query.value, params, caller: caller.value });
}

async function identify(
  route: Route,
  authenticate: Authenticate,
  request: SignedRequest,
  body: unknown,
): Promise<Result<unknown, Refusal>> {
  switch (route.auth) {
    case 'none':
      return ok(undefined);
    case 'api-key':
      return authenticate.apiKey(fieldOf(body, 'apiKey'));
    case 'session':
      return authenticate.session(request.headers, route.method);
    case 'signature':
      return ok(request);
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** A query holds texts only. Those that the schema wants as integers are read as such; other texts stay, as a wrong type. */
function queryReader(schema: z.ZodObject) {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const integers = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return typeof property === 'object' && property.type === 'integer';
  });
  return (query: Record<string, string>) => {
    const values: Record<string, unknown> = { ...query };
    for (const name of integers) {
      const text = query[name];
      if (text !== undefined && /^-?\d{1,20}$/.test(text)) values[name] = Number(text);
    }
    return parseInput(schema, values);
  };
}

/** Gives every answer its request id, and every request its line in the log and its place in the metrics. */
async function observe(
  c: Context<Env>,
  next: () => Promise<void>,
  options: { log: Logger; metrics: HttpMetrics; tracer: Tracer },
): Promise<void> {
  const started = performance.now();
  const requestId = readRequestId(c.req.header('x-request-id'));
  c.set('route', 'unknown');
  c.set('requestId', requestId);
  const caller = options.tracer.join(c.req.header('traceparent'));
  c.set('caller', caller);
  c.header('x-request-id', requestId);
  c.header('cache-control', 'no-store');
  c.header('x-content-type-options', 'nosniff');
  await next();
  const seconds = (performance.now() - started) / 1000;
  // The route's pattern, never the path or query as sent: a caller may put a secret there.
  const facts = { method: knownMethod(c.req.method), route: c.get('route'), status: c.res.status };
  options.metrics.observe(facts, seconds);
  const { traceId } = caller;
  options.log.info({ ...facts, requestId, traceId, ms: Math.round(seconds * 1000) }, 'request');
}

const readRequestId = (sent: string | undefined): string =>
  sent !== undefined && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const knownMethod = (method: string): string => (methods.has(method) ? method : 'other');

function admitted(
  c: Context<Env>,
  name: string | null,
  options: Pick<HttpOptions<RouteTable, Callers<unknown, unknown>>, 'admit'>,
) {
  const seconds = options.admit(c.env?.incoming?.socket.remoteAddress ?? 'in-process', name);
  if (seconds === null) return null;
  c.header('retry-after', String(seconds));
  return refuse(c, { code: 'RATE_LIMITED', msg: `too many requests: wait ${seconds} s` });
}

function serveOperations<T extends RouteTable, C extends Callers<unknown, unknown>>(
  app: Hono<Env>,
  options: HttpOptions<T, C>,
): void {
  const document = JSON.stringify(describeApi(options.title, options.table));
  const paths = ['/openapi.json', '/metrics', '/health', '/ready'];
  for (const path of paths) {
    app.use(path, async (c, next) => {
      c.set('route', path);
      await next();
    });
  }
  app.get('/openapi.json', (c) => c.body(document, 200, { 'content-type': 'application/json' }));
  app.get('/metrics', async (c) =>
    c.body(await options.metrics.text(), 200, { 'content-type': options.metrics.contentType }),
  );
  app.get('/health', (c) => envelope(c, 200, 'SUCCESS', 'success', { status: 'up' }));
  app.get('/ready', async (c) => {
    const state = await options.ready();
    return state.ready
      ? envelope(c, 200, 'SUCCESS', 'success', state)
      : envelope(c, 503, 'SYSTEM_ERROR', 'not ready', state);
  });
  for (const path of paths) app.all(path, (c) => wrongMethod(c, ['GET']));
}

function sitePage(c: Context<Env>, site: Site | null | undefined): Response | null {
  const page = site?.(c.req.raw) ?? null;
  if (page === null) return null;
  c.set('route', 'site');
  page.headers.set('x-request-id', c.get('requestId'));
  return page;
}

const noSuchEndpoint = (c: Context<Env>): Response =>
  refuse(c, { code: 'BUSINESS_NOT_FOUND', msg: 'no such endpoint' });

function methodsByPath(table: RouteTable): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, method } of Object.values(table)) found.set(path, [...(found.get(path) ?? []), method]);
  return found;
}

function wrongMethod(c: Context<Env>, allowed: readonly string[]): Response {
  c.header('allow', allowed.join(', '));
  return refuse(c, { code: 'PARAM_ERROR', http: 405, msg: `method must be ${allowed.join(' or ')}` });
}

const refuse = (c: Context<Env>, refusal: TransportRefusal): Response =>
  envelope(
    c,
    refusal.http ?? dashboardCodes[refusal.code].http,
    refusal.code,
    refusal.msg,
    refusal.data ?? null,
  );

type Status = 200 | 201 | 405 | 413 | 415 | 503 | (typeof dashboardCodes)[DashboardCode]['http'];

const envelope = (
  c: Context<Env>,
  status: Status,
  code: DashboardCode,
  msg: string,
  data: unknown,
): Response => c.json({ code: dashboardCodes[code].code, msg, data }, status);

/** A refusal, short enough to stand in a `return`. */
export const refusal = (code: DashboardCode, msg: string, data?: unknown) =>
  fail<Refusal>(data === undefined ? { code, msg } : { code, msg, data });
