import { randomUUID } from 'node:crypto';
import { type Dialect, type Fault, faultStatus, type Refusal } from '@countersign/protocol/dialect';
import type { BodyOf, DataInputOf, QueryOf, Route, RouteTable } from '@countersign/protocol/route';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import type { Channel, Upgrade } from './channel.ts';
import { every } from './every.ts';
import { type BadInput, isStorableText, parseInput, readBytes, readJson } from './http-input.ts';
import type { Logger } from './logger.ts';
import type { HttpMetrics } from './metrics.ts';
import { describeApi } from './openapi.ts';
import type { Site } from './site.ts';
import { inSpan, type Span, type SpanEnd, type Tracer } from './trace.ts';

/** What a handler answers: `ok(data)`, with headers if it has any to set, or a refusal. */
export type Answer<T, Code extends string> = Result<T, Refusal<Code>> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** A request to the letter, for a handler that checks its sender's signature. Nothing of it is believed so far. */
export type SignedRequest = { readonly bytes: Uint8Array; readonly headers: Headers };

/** The other success: neither JSON nor envelope, but a text, or bytes that come as they are made. */
export type Streamed = {
  readonly ok: true;
  /** Bytes given as a whole are wiped once they are sent: they may be a secret. */
  readonly stream: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Who calls, by the way in which the route wants it proven. Two ways every API has; `Ways` are its own. */
export type Callers<Ways extends object> = Ways & BuiltIn;
type BuiltIn = { readonly none: undefined; readonly signature: SignedRequest };

export type Call<R extends Route, C extends BuiltIn> = {
  readonly body: BodyOf<R>;
  readonly query: QueryOf<R>;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: C[R['auth'] & keyof C];
  /** The address that the request came from. */
  readonly address: string;
};

/** One function for each route of a table. Refusals are values; what is thrown becomes a 500 without words. */
export type Handlers<T extends RouteTable, C extends BuiltIn, Code extends string> = {
  readonly [K in keyof T]: (
    call: Call<T[K], C>,
  ) => Promise<
    T[K] extends { socket: true } ? Opened | Answer<never, Code> : Answer<DataInputOf<T[K]>, Code> | Streamed
  >;
};

/** The success of a route that is a WebSocket: what to do with it. */
export type Opened = { readonly ok: true; readonly open: (channel: Channel) => void };

/** What an authenticator may look at. */
export type Identifying = {
  readonly headers: Headers;
  /** JSON of any shape. */
  readonly body: unknown;
  readonly route: Route;
  /** The connection showed a certificate of our client CA. */
  readonly certified: boolean;
};

export type HttpOptions<T extends RouteTable, C extends BuiltIn, Code extends string> = {
  readonly title: string;
  readonly table: T & RouteTable<Code, keyof C & string>;
  readonly dialect: Dialect<Code, T[keyof T]['auth']>;
  readonly handlers: Handlers<T, C, Code>;
  /** One for each way in which routes want callers proven. */
  readonly authenticate: {
    readonly [Way in Exclude<keyof C, keyof BuiltIn>]: (
      request: Identifying,
    ) => Promise<Result<C[Way], Refusal<Code>>>;
  };
  /** Seconds that this address has to wait before it may call, or null. `route` is null for an unknown path. */
  readonly admit: (address: string, route: string | null) => number | null;
  /** What `/health` tells besides that the process is up. */
  readonly health?: () => Readonly<Record<string, unknown>>;
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
  Bindings: {
    incoming?: { socket: { remoteAddress?: string | undefined; authorized?: boolean } };
    outgoing?: { once: (event: 'close', then: () => void) => unknown };
    upgrade?: Upgrade;
  };
  Variables: { route: string; requestId: string; caller: Span };
};

/**
 * Serves a route table in its dialect. Every answer carries `x-request-id`. Checks come in this order: rate,
 * size and JSON syntax, who calls, body and query, then the handler.
 */
export function createHttpApp<T extends RouteTable, C extends BuiltIn, Code extends string>(
  options: HttpOptions<T, C, Code>,
): Hono<Env> {
  const app = new Hono<Env>();
  const say = speak(options.dialect);
  app.use('*', (c, next) => observe(c, next, options));
  app.onError((error, c) => {
    options.log.error({ err: error, requestId: c.get('requestId') }, 'unforeseen');
    return say.fault(c, 'unforeseen', 'system error');
  });

  serveOperations(app, options, say);
  for (const [name, route] of Object.entries<Route>(options.table)) {
    const handler = options.handlers[name] as unknown as AnyHandler;
    const run = prepare(route, handler, options.authenticate, say);
    app.on(route.method, route.path, async (c) => {
      c.set('route', route.path);
      const span = c.get('caller').child(`${route.method} ${route.path}`, 'server', {
        'http.request.method': route.method,
        'http.route': route.path,
      });
      return inSpan(span, async () => admitted(c, name, options, say) ?? run(c), endOf);
    });
  }
  // After all routes: a path that is known gets here only with another method.
  for (const [path, methods] of methodsByPath(options.table)) {
    app.all(path, (c) => admitted(c, null, options, say) ?? wrongMethod(c, methods, say));
  }
  app.notFound(
    (c) =>
      admitted(c, null, options, say) ??
      sitePage(c, options.site) ??
      say.fault(c, 'no-endpoint', 'no such endpoint'),
  );
  return app;
}

function endOf({ status }: Response): SpanEnd {
  const attributes = { 'http.response.status_code': status };
  return status < 500 ? { attributes } : { attributes, error: String(status) };
}

type AnyCall = {
  body: unknown;
  query: unknown;
  params: Record<string, string>;
  caller: unknown;
  address: string;
};
type AnyHandler = (call: AnyCall) => Promise<Answer<unknown, string> | Streamed | Opened>;
type Authenticate = Readonly<
  Record<string, (request: Identifying) => Promise<Result<unknown, Refusal<string>>>>
>;

/** The three things that an API says, in its dialect. */
function speak(dialect: Dialect<string, string>) {
  const refuse = (c: Context<Env>, refusal: Refusal<string>, status = dialect.status(refusal.code)) =>
    c.body(JSON.stringify(dialect.refusal(refusal)), status as ContentfulStatusCode, {
      'content-type': dialect.refusalType,
    });
  return {
    success: (c: Context<Env>, status: 200 | 201, data: unknown) => c.json(dialect.success(data), status),
    refuse,
    fault: (c: Context<Env>, fault: Fault, msg: string, data?: unknown) =>
      refuse(c, { code: dialect.faults[fault], msg, data }, faultStatus[fault]),
  };
}
type Speech = ReturnType<typeof speak>;

function prepare(route: Route, handler: AnyHandler, authenticate: Authenticate, say: Speech) {
  const readQuery = route.query === undefined ? () => ok(undefined) : queryReader(route.query);
  return async (c: Context<Env>): Promise<Response> => {
    const call = await readCall(c, route, authenticate, readQuery);
    if (!call.ok)
      return 'fault' in call.error
        ? say.fault(c, call.error.fault, call.error.msg)
        : say.refuse(c, call.error);
    if (route.socket && c.env?.upgrade === undefined)
      return say.fault(c, 'invalid', 'this is a WebSocket: ask with Upgrade: websocket');
    const answer = await handler(call.value);
    if ('open' in answer) {
      const shown = { bytes: new Uint8Array(), headers: c.req.raw.headers, certified: isCertified(c) };
      return toBeOpened(c, answer, () => identify(route, authenticate, shown, {}));
    }
    for (const [name, value] of Object.entries(answer.headers ?? {})) c.header(name, value);
    if (!answer.ok) return say.refuse(c, answer.error);
    if ('stream' in answer) return raw(c, answer.stream);
    return say.success(c, route.created ? 201 : 200, answer.value);
  };
}

/** How often it is looked whether the caller of a WebSocket may still be there, in milliseconds. */
const recheckMs = 3_000;

type IdentifyAgain = () => Promise<Result<unknown, Refusal<string>>>;

/** The answer itself is not sent: it is a WebSocket then. */
function toBeOpened(c: Context<Env>, answer: Opened, again: IdentifyAgain): Response {
  if (c.env.upgrade !== undefined) c.env.upgrade.open = (channel) => openWhileKnown(channel, answer, again);
  return c.body(null, 204);
}

function openWhileKnown(channel: Channel, { open }: Opened, identifyAgain: IdentifyAgain): void {
  const recheck = async () => {
    const caller = await identifyAgain();
    if (!caller.ok) channel.close(1008, caller.error.code);
  };
  // Who cannot be asked about now is asked about again.
  const stop = every(recheckMs, () => void recheck().catch(() => {}));
  channel.onEnd(stop);
  open(channel);
}

function raw(c: Context<Env>, stream: Streamed['stream']): Response {
  if (stream instanceof Uint8Array) c.env?.outgoing?.once('close', () => stream.fill(0));
  return c.body(stream);
}

type ReadQuery = (query: Record<string, string>) => Result<unknown, BadInput>;

/** The checks that come before any rule of a handler, in their documented order. */
async function readCall(
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
  const request = { bytes: bytes.value, headers, certified: isCertified(c) };
  const caller = await identify(route, authenticate, request, json.value);
  if (!caller.ok) return caller;
  const body = route.body === undefined ? ok(undefined) : parseInput(route.body, json.value);
  if (!body.ok) return body;
  const query = readQuery(c.req.query());
  if (!query.ok) return query;
  const params = c.req.param() as Record<string, string>;
  if (!Object.values(params).every(isStorableText))
    return fail({ fault: 'invalid', msg: 'path: must be Unicode text' });
  return ok({ body: body.value, query: query.value, params, caller: caller.value, address: addressOf(c) });
}

const isCertified = (c: Context<Env>): boolean => c.env?.incoming?.socket.authorized === true;

async function identify(
  route: Route,
  authenticate: Authenticate,
  { certified, ...request }: SignedRequest & { readonly certified: boolean },
  body: unknown,
): Promise<Result<unknown, Refusal<string>>> {
  if (route.auth === 'none') return ok(undefined);
  if (route.auth === 'signature') return ok(request);
  const authenticator = authenticate[route.auth];
  if (authenticator === undefined) throw new Error(`nobody knows callers by ${route.auth}`);
  return authenticator({ headers: request.headers, body, route, certified });
}

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
  const status = c.env?.upgrade?.open ? 101 : c.res.status;
  const facts = { method: knownMethod(c.req.method), route: c.get('route'), status };
  options.metrics.observe(facts, seconds);
  const { traceId } = caller;
  options.log.info({ ...facts, requestId, traceId, ms: Math.round(seconds * 1000) }, 'request');
}

const readRequestId = (sent: string | undefined): string =>
  sent !== undefined && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const knownMethod = (method: string): string => (methods.has(method) ? method : 'other');

const addressOf = (c: Context<Env>): string => c.env?.incoming?.socket.remoteAddress ?? 'in-process';

function admitted(
  c: Context<Env>,
  name: string | null,
  options: { readonly admit: (address: string, route: string | null) => number | null },
  say: Speech,
) {
  const seconds = options.admit(addressOf(c), name);
  if (seconds === null) return null;
  c.header('retry-after', String(seconds));
  return say.fault(c, 'rate-limited', `too many requests: wait ${seconds} s`);
}

function serveOperations<T extends RouteTable, C extends BuiltIn, Code extends string>(
  app: Hono<Env>,
  options: HttpOptions<T, C, Code>,
  say: Speech,
): void {
  const document = JSON.stringify(describeApi(options.title, options.table, options.dialect));
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
  app.get('/health', (c) => say.success(c, 200, { status: 'up', ...options.health?.() }));
  app.get('/ready', async (c) => {
    const state = await options.ready();
    return state.ready ? say.success(c, 200, state) : say.fault(c, 'not-ready', 'not ready', state);
  });
  for (const path of paths) app.all(path, (c) => wrongMethod(c, ['GET'], say));
}

function sitePage(c: Context<Env>, site: Site | null | undefined): Response | null {
  const page = site?.(c.req.raw) ?? null;
  if (page === null) return null;
  c.set('route', 'site');
  page.headers.set('x-request-id', c.get('requestId'));
  return page;
}

function methodsByPath(table: RouteTable): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, method } of Object.values(table)) found.set(path, [...(found.get(path) ?? []), method]);
  return found;
}

function wrongMethod(c: Context<Env>, allowed: readonly string[], say: Speech): Response {
  c.header('allow', allowed.join(', '));
  return say.fault(c, 'wrong-method', `method must be ${allowed.join(' or ')}`);
}
