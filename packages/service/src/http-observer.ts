import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { type Env, statusOf } from './http-answer.ts';
import type { Logger } from './logger.ts';
import type { HttpMetrics } from './metrics.ts';
import type { Tracer } from './trace.ts';

/** Gives every answer its request id, and every request its line in the log and its place in the metrics. */
export function observer({ log, metrics, tracer, extraHeaders }: Observing) {
  // What such a line says is ours: no look for secrets in it, which costs more than the line.
  const lines = log.child({}, { redact: [] });
  return async (c: Context<Env>, next: () => Promise<void>): Promise<void> => {
    const started = performance.now();
    const requestId = readRequestId(c.req.header('x-request-id'));
    c.set('route', 'unknown');
    c.set('requestId', requestId);
    const caller = tracer.join(c.req.header('traceparent'));
    c.set('caller', caller);
    c.set('headers', {
      'x-request-id': requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...extraHeaders?.(c.req.raw.headers),
    });
    await next();
    const seconds = (performance.now() - started) / 1000;
    // The route's pattern, never the path or query as sent: a caller may put a secret there.
    const status = c.env?.upgrade?.open ? 101 : statusOf(c, c.res);
    const facts = { method: knownMethod(c.req.method), route: c.get('route'), status };
    metrics.observe(facts, seconds);
    const { traceId } = caller;
    lines.info({ ...facts, requestId, traceId, ms: Math.round(seconds * 1000) }, 'request');
  };
}

type Observing = {
  readonly log: Logger;
  readonly metrics: HttpMetrics;
  readonly tracer: Tracer;
  readonly extraHeaders?: (sent: Headers) => Readonly<Record<string, string>>;
};

const readRequestId = (sent: string | undefined): string =>
  sent !== undefined && /^[\w.-]{1,64}$/.test(sent) ? sent : randomUUID();

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const knownMethod = (method: string): string => (methods.has(method) ? method : 'other');
