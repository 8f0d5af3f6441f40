import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CollectedSpan, type Collector, startCollector } from '../../packages/service/test/collector.ts';
import { callMessage, post } from '../gateway/fixtures/http.ts';
import { until } from '../gateway/fixtures/until.ts';
import { type Owner, startWorld, type World } from '../gateway/fixtures/world.ts';

let collector: Collector;
let world: World;
let owner: Owner;

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'TELLTALE' } };

beforeAll(async () => {
  collector = await startCollector();
  world = await startWorld(exporting(collector.url));
  owner = await world.newOwner();
});
afterAll(async () => {
  await world?.stop();
  collector?.stop();
});

const spansOf = (traceId: string) => collector.spans().filter((span) => span.traceId === traceId);

const namesIn = (kind: CollectedSpan['kind'], spans: readonly CollectedSpan[]) =>
  new Set(spans.filter((span) => span.kind === kind).map(({ name }) => name));

const exporting = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url });

test('one paid call is one trace through all services, and every span of it but the first has its parent there [system.service.opentelemetry] [system.service.opentelemetry.no-secrets]', async () => {
  const gateway = await world.gatewayProcess(owner, null, exporting(collector.url));
  const { code, traceId } = await gateway.agent.call(quote);
  expect(code).toBe('SUCCESS');
  await gateway.stop();
  const spans = await until(
    async () => spansOf(traceId),
    (all) => ['POST /settle', 'POST /api/transactions'].every((name) => namesIn('server', all).has(name)),
  );

  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const parentOf = ({ parentSpanId = '' }: CollectedSpan) => byId.get(parentSpanId);
  expect(spans.filter((span) => parentOf(span) === undefined)).toMatchObject([
    {
      service: 'countersign-gateway',
      name: 'tools/call call_service_tool',
      kind: 'server',
      failed: false,
      attributes: {
        'countersign.service.id': 'quotes',
        'countersign.tool.name': 'get_quote',
        'countersign.code': 'SUCCESS',
        'countersign.payment.made': true,
        'countersign.payment.amount': '0.01',
        'countersign.payment.currency': 'USDC',
      },
    },
  ]);
  const edges = spans.map((span) => [parentOf(span), span].map((end) => `${end?.service} ${end?.name}`));
  expect(edges).toEqual(
    expect.arrayContaining([
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway check compliance'],
      ['countersign-gateway check compliance', 'countersign-gateway POST /api/kyc/check'],
      ['countersign-gateway POST /api/kyc/check', 'countersign-dashboard POST /api/kyc/check'],
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway check assurance'],
      ['countersign-gateway check assurance', 'countersign-gateway POST /api/mandates/intent/vc'],
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway reserve and sign'],
      ['countersign-gateway reserve and sign', 'countersign-gateway POST /api/mandates/intent/hold'],
      [
        'countersign-gateway POST /api/mandates/intent/hold',
        'countersign-dashboard POST /api/mandates/intent/hold',
      ],
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway tools/call get_quote'],
      ['countersign-gateway tools/call get_quote', 'countersign-sample-services tools/call get_quote'],
      ['countersign-sample-services tools/call get_quote', 'countersign-facilitator POST /settle'],
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway confirm settlement'],
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway keep receipt and report'],
      ['countersign-gateway tools/call call_service_tool', 'countersign-gateway POST /api/transactions'],
      ['countersign-gateway POST /api/transactions', 'countersign-dashboard POST /api/transactions'],
    ]),
  );

  const { privateKey } = owner.wallet;
  for (const secret of ['TELLTALE', owner.apiKey, privateKey, privateKey.slice(2), owner.token, 'signature'])
    expect(collector.received()).not.toContain(secret);
});

test('every service logs the call under its trace id, with or without an exporter [system.service.trace]', async () => {
  const gateway = await world.gatewayProcess(owner, null, { LOG_LEVEL: 'info' });
  const { traceId } = await gateway.agent.call(quote);
  await gateway.stop();
  const ofTrace = (line: object) => 'traceId' in line && line.traceId === traceId;

  const { lastLines } = await gateway.child.exited;
  const logged = lastLines.map((line) => JSON.parse(line) as object);
  expect(logged.filter(ofTrace)).toMatchObject([{ msg: 'call', code: 'SUCCESS' }]);
  const routes = (await world.logOf('dashboard')).filter(ofTrace).map(({ route }) => route);
  expect(routes).toEqual(
    expect.arrayContaining(['/api/kyc/check', '/api/mandates/intent/hold', '/api/transactions']),
  );
  expect((await world.logOf('sample-services')).filter(ofTrace)).toMatchObject([
    { tool: 'get_quote', isError: true },
    { tool: 'get_quote', isError: false },
  ]);
  expect((await world.logOf('facilitator')).filter(ofTrace)).toMatchObject([
    { msg: 'verified' },
    { msg: 'settled' },
  ]);
});

test('a trace of the agent’s own is linked, not continued', async () => {
  const gateway = await world.gatewayProcess(owner, null, exporting(collector.url));
  const agents = { traceId: 'a1'.repeat(16), spanId: 'b2'.repeat(8) };
  const message = callMessage(
    1,
    { serviceId: 'quotes', toolName: 'ping' },
    { traceparent: `00-${agents.traceId}-${agents.spanId}-01` },
  );
  expect((await post(gateway.url, message)).status).toBe(200);
  await gateway.stop();
  expect(spansOf(agents.traceId)).toEqual([]);
  expect(collector.spans()).toContainEqual(
    expect.objectContaining({
      name: 'tools/call call_service_tool',
      links: [expect.objectContaining(agents)],
    }),
  );
});

test('without the variable nothing is exported, whatever the other variables of OpenTelemetry say [system.service.opentelemetry]', async () => {
  const gateway = await world.gatewayProcess(owner, null, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_TRACES_EXPORTER: 'otlp',
  });
  const { traceId } = await gateway.agent.call(quote);
  await gateway.stop();
  const spans = await until(
    async () => spansOf(traceId),
    (all) => namesIn('server', all).has('POST /api/transactions'),
  );
  expect(new Set(spans.map(({ service }) => service))).not.toContain('countersign-gateway');
});

test('a collector that is away or never answers changes no answer and holds up no stop [system.service.opentelemetry.harmless]', async () => {
  const hanging = await startCollector({ hangs: true });
  for (const url of ['http://127.0.0.1:1', hanging.url]) {
    const gateway = await world.gatewayProcess(owner, null, exporting(url));
    expect(await gateway.agent.call(quote)).toMatchObject({ code: 'SUCCESS' });
    const began = performance.now();
    await gateway.stop();
    // A second for what is left to send; the rest is room for a busy machine.
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(await gateway.child.exited).toMatchObject({ code: 0 });
  }
  expect(hanging.received()).toContain('call_service_tool');
  hanging.stop();
});
