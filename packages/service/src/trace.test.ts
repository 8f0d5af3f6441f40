import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from '../test/collector.ts';
import { createLogger } from './logger.ts';
import { openTracer } from './open-tracer.ts';
import { inSpan, parseTraceparent, rootOf, silentTracer, writeTraceparent } from './trace.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const parent = `00-${traceId}-${spanId}-01`;
const log = createLogger('test', 'silent');

test('a traceparent is read as W3C Trace Context has it, and nothing else is', () => {
  expect(parseTraceparent(parent)).toEqual({ traceId, spanId, sampled: true });
  expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, sampled: false });
  // A later version may say more.
  expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, sampled: true });
  for (const broken of [
    undefined,
    7,
    '',
    `00-${traceId}`,
    parent.toUpperCase(),
    `${parent}-more`,
    `ff${parent.slice(2)}`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    ` ${parent}`,
  ])
    expect(parseTraceparent(broken)).toBeNull();
});

test('without an exporter a trace is carried on as it came, and one is made up where none came', () => {
  const joined = silentTracer.join(parent);
  expect(joined.child('work', 'server')).toMatchObject({ traceId, traceparent: parent });

  const begun = silentTracer.begin(traceId, 'call', {});
  expect(begun).toMatchObject({ traceId, traceparent: rootOf(traceId) });

  const made = silentTracer.join('nonsense');
  expect(parseTraceparent(made.traceparent)?.traceId).toBe(made.traceId);
  expect(silentTracer.join(undefined).traceId).not.toBe(made.traceId);
});

test('OpenTelemetry is reached through one module only, and that one only when traces are exported [system.service.opentelemetry]', async () => {
  const sources = readdirSync(import.meta.dirname).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const importers = (how: RegExp) =>
    sources.filter((file) => how.test(readFileSync(join(import.meta.dirname, file), 'utf8')));
  expect(importers(/@opentelemetry\//)).toEqual(['open-telemetry.ts']);
  expect(importers(/from '\.\/open-telemetry\.ts'/)).toEqual([]);
  expect(importers(/import\('\.\/open-telemetry\.ts'\)/)).toEqual(['open-tracer.ts']);
  expect(await openTracer('test', false, log)).toBe(silentTracer);
});

let collector: Collector;

beforeEach(async () => {
  collector = await startCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
});
afterEach(() => {
  collector.stop();
  vi.unstubAllEnvs();
});

test('spans arrive with their parents, their names and how they ended', async () => {
  const tracer = await openTracer('test', true, log);
  const cause = writeTraceparent({ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), sampled: true });
  const root = tracer.begin(traceId, 'call', { 'a.number': 1, long: 'x'.repeat(1000) }, cause);
  await inSpan(
    root.child('work', 'internal'),
    async (span) => span.child('ask', 'client').end({ attributes: { status: 500 }, error: '500' }),
    () => ({ attributes: { outcome: 'done' } }),
  );
  const broken = inSpan(root.child('break', 'internal'), () => Promise.reject(new TypeError('secret')));
  await expect(broken).rejects.toThrow('secret');
  root.end();
  // Later, by whoever has only the trace id.
  tracer.join(rootOf(traceId)).child('report', 'client').end();
  await tracer.stop();

  const spans = Object.fromEntries(collector.spans().map((span) => [span.name, span]));
  expect(spans).toMatchObject({
    call: {
      service: 'countersign-test',
      traceId,
      kind: 'server',
      failed: false,
      attributes: { 'a.number': 1, long: 'x'.repeat(256) },
      links: [{ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }],
    },
    work: { parentSpanId: spans['call']?.spanId, kind: 'internal', attributes: { outcome: 'done' } },
    ask: { parentSpanId: spans['work']?.spanId, kind: 'client', failed: true, attributes: { status: 500 } },
    break: { failed: true, attributes: { 'error.type': 'TypeError' } },
    report: { traceId, parentSpanId: spans['call']?.spanId },
  });
  expect(spans['call']?.parentSpanId ?? '').toBe('');
  expect(collector.received()).not.toContain('secret');
});

test('the caller’s decision not to keep a trace holds; a caller without a trace begins one', async () => {
  vi.stubEnv('OTEL_SERVICE_NAME', 'shop-gateway');
  const tracer = await openTracer('test', true, log);
  const unkept = tracer.join(`00-${traceId}-${spanId}-00`).child('unkept', 'server');
  expect(unkept.traceparent).toMatch(/-00$/);
  unkept.end();
  const joined = tracer.join(undefined);
  const begun = joined.child('begun', 'server');
  begun.end();
  await tracer.stop();

  expect(collector.spans()).toMatchObject([
    { name: 'begun', service: 'shop-gateway', traceId: joined.traceId, links: [] },
  ]);
  expect(begun.traceId).toBe(joined.traceId);
});

test('a collector that is away or never answers holds up a stop for a second [system.service.opentelemetry.harmless]', async () => {
  const hanging = await startCollector({ hangs: true });
  for (const url of ['http://127.0.0.1:1', hanging.url]) {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
    const tracer = await openTracer('test', true, log);
    tracer.begin(traceId, 'call', {}).end();
    const began = performance.now();
    await tracer.stop();
    expect(performance.now() - began).toBeLessThan(2_000);
  }
  hanging.stop();
});

test('that the collector takes nothing is told once, by its status', async () => {
  const refusing = await startCollector({ status: 400 });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', refusing.url);
  const lines: string[] = [];
  const tracer = await openTracer('test', true, pino({ base: null }, { write: (line) => lines.push(line) }));
  // As many as are sent at once, and one more.
  for (let n = 0; n <= 512; n += 1) tracer.begin(traceId, 'call', {}).end();
  await tracer.stop();
  refusing.stop();
  expect(refusing.spans()).toHaveLength(513);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { why: 400, msg: 'traces cannot be delivered' },
  ]);
});
