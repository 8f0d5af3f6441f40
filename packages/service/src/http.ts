import type { Dialect, Refusal } from '@countersign/protocol/dialect';
import type { BodyOf, DataInputOf, QueryOf, Route, RouteTable } from '@countersign/protocol/route';
import { ok, type Result } from '@countersign/protocol/result';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Channel } from './channel.ts';
import { every } from './every.ts';
import { answerAndWipe, answerWhole, type Env, speak, type Speech, statusOf } from './http-answer.ts';
import {
  addressOf,
  type AnyCall,
  type Authenticate,
  identify,
  type Identifying,
  queryReader,
  readCall,
  shownBy,
  type SignedRequest,
} from './http-call.ts';
import { observer } from './http-observer.ts';
import type { Logger } from './logger.ts';
import type { HttpMetrics } from './metrics.ts';
import { describeApi } from './openapi.ts';
import type { Site } from './site.ts';
import { inSpan, type SpanEnd, type Tracer } from './trace.ts';

export type { Identifying, SignedRequest } from './http-call.ts';

/** A handler's answer: `ok(data)`, with headers if it sets any, or a refusal. */
export type Answer<T, Code extends string> = Result<T, Refusal<Code>> & {
  readonly headers?: Readonly<Record<string, string>>;
  /** Only for a route that is `accepted`: the work is not finished yet. */
  readonly status?: 202;
};

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
  readonly headers: Headers;
  /** The address that the request came from. */
  readonly address: string;
  /** Aborted when the caller hangs up; asked for before anything is awaited, or it may never be. */
  readonly gone?: AbortSignal | undefined;
};

/**
 * One function for each route of a table. A refusal is returned; an exception becomes a 500 without details.
 */
export type Handlers<T extends RouteTable, C extends BuiltIn, Code extends string> = {
  readonly [K in keyof T]: (
    call: Call<T[K], C>,
  ) => Promise<
    T[K] extends { socket: true } ? Opened | Answer<never, Code> : Answer<DataInputOf<T[K]>, Code> | Streamed
  >;
};

/** The success of a route that is a WebSocket: what to do with it. */
export type Opened = { readonly ok: true; readonly open: (channel: Channel) => void };

export type HttpOptions<T extends RouteTable, C extends BuiltIn, Code extends string> = {
  readonly title: string;
  readonly table: T & RouteTable<Code, keyof C & string>;
  readonly dialect: Dialect<Code, T[keyof T]['auth']>;
  readonly handlers: Handlers<T, C, Code>;
  /** One authenticator for each kind of authentication that routes ask for. */
  readonly authenticate: {
    readonly [Way in Exclude<keyof C, keyof BuiltIn>]: (
      request: Identifying,
    ) => Promise<Result<C[Way], Refusal<Code>>>;
  };
  /** Seconds that this address has to wait before it may call, or null. `route` is null for an unknown path. */
  readonly admit: (address: string, route: string | null) => number | null;
  /** The content of `/health` besides the fact that the process is up. */
  readonly health?: () => Readonly<Record<string, unknown>>;
  /** The content of `/ready`; `ready: false` is sent with HTTP status 503. */
  readonly ready: () => Promise<{ readonly ready: boolean; readonly [detail: string]: unknown }>;
  readonly metrics: HttpMetrics;
  readonly tracer: Tracer;
  readonly log: Logger;
  /** Headers of every answer besides its own, by what the request says of itself. */
  readonly extraHeaders?: (sent: Headers) => Readonly<Record<string, string>>;
  /** Pages beside the API: asked only about paths that are no endpoint. */
  readonly site?: Site | null;
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
  const observe = observer(options);
  app.use('*', observe);
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
      const work = async () => admitted(c, name, options, say) ?? run(c);
      return inSpan(span, work, (response) => endOf(statusOf(c, response)));
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

function endOf(status: number): SpanEnd {
  const attributes = { 'http.response.status_code': status };
  return status < 500 ? { attributes } : { attributes, error: String(status) };
}

/** Senders that sign are told by others where to send: what stands in their address is those others'. */
function queryReaderOf({ auth, query }: Route): ReturnType<typeof queryReader> {
  if (query === undefined && auth === 'signature') return () => ok(undefined);
  const read = queryReader(query ?? z.object({}));
  return query !== undefined
    ? read
    : (given) => {
        const none = read(given);
        return none.ok ? ok(undefined) : none;
      };
}

type AnyHandler = (call: AnyCall) => Promise<Answer<unknown, string> | Streamed | Opened>;
function prepare(route: Route, handler: AnyHandler, authenticate: Authenticate, say: Speech) {
  const readQuery = queryReaderOf(route);
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
      const shown = { bytes: new Uint8Array(), ...shownBy(c), body: {} };
      return toBeOpened(c, answer, () => identify(route, authenticate, shown));
    }
    Object.assign(c.get('headers'), answer.headers);
    if (!answer.ok) return say.refuse(c, answer.error);
    if ('stream' in answer) return answerRaw(c, answer.stream);
    return say.success(c, answer.status ?? (route.created ? 201 : 200), answer.value);
  };
}

/** Interval, in milliseconds, at which a WebSocket's caller is authenticated again. */
const recheckMs = 3_000;

type IdentifyAgain = () => Promise<Result<unknown, Refusal<string>>>;

/** The answer itself is not sent: it is a WebSocket then. */
function toBeOpened(c: Context<Env>, answer: Opened, again: IdentifyAgain): Response {
  if (c.env.upgrade !== undefined) c.env.upgrade.open = (channel) => openWhileKnown(channel, answer, again);
  return new Response(null, { status: 204 });
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

function answerRaw(c: Context<Env>, stream: Streamed['stream']): Response {
  if (stream instanceof Uint8Array) return answerAndWipe(c, stream);
  if (typeof stream === 'string') return answerWhole(c, 200, stream);
  return new Response(stream, { headers: c.get('headers') });
}

function admitted(
  c: Context<Env>,
  name: string | null,
  options: { readonly admit: (address: string, route: string | null) => number | null },
  say: Speech,
) {
  const seconds = options.admit(addressOf(c), name);
  if (seconds === null) return null;
  c.get('headers')['retry-after'] = String(seconds);
  return say.fault(c, 'rate-limited', `too many requests: wait ${seconds} s`);
}

function serveOperations<T extends RouteTable, C extends BuiltIn, Code extends string>(
  app: Hono<Env>,
  options: HttpOptions<T, C, Code>,
  say: Speech,
): void {
  // Made when somebody first asks: it takes longer than all else of a start.
  let document: string | undefined;
  const describe = () =>
    (document ??= JSON.stringify(describeApi(options.title, options.table, options.dialect)));
  const paths = ['/openapi.json', '/metrics', '/health', '/ready'];
  for (const path of paths) {
    app.use(path, async (c, next) => {
      c.set('route', path);
      await next();
    });
  }
  app.get('/openapi.json', (c) => answerWhole(c, 200, describe(), 'application/json'));
  app.get('/metrics', async (c) =>
    answerWhole(c, 200, await options.metrics.text(), options.metrics.contentType),
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
  c.get('headers')['allow'] = allowed.join(', ');
  return say.fault(c, 'wrong-method', `method must be ${allowed.join(' or ')}`);
}
