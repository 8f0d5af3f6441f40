import { newPrivateKey } from '@countersign/local/market';
import { facilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { startMcpService } from '@countersign/local/merchant/mcp-service';
import { createMerchant } from '@countersign/local/merchant/merchant';
import { paymentRequired } from '@countersign/local/merchant/payment-required';
import type { Tool } from '@countersign/local/merchant/tool';
import { gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { createLogger } from '@countersign/service/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyTool, type RawService, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';
import { type SharedGateway, startSharedGateway } from './fixtures/shared-process.ts';

let desk: RawService;
let gateway: SharedGateway;
const merchant = createMerchant({
  id: 'shop',
  privateKey: newPrivateKey(),
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  facilitator: facilitatorClient('http://127.0.0.1:1'),
});
const price = paymentRequired(merchant, {
  toolName: 'paid',
  description: 'Costs money',
  price: '0.01',
  x402Version: 2,
  cart: 'cartMandate',
});
const stages = [
  'tool_execution',
  'compliance_check',
  'assurance_check',
  'payment_requested',
  'payment_required',
];
const place = {
  type: 'object',
  properties: {
    place: { type: 'string' },
    days: { type: 'array', items: { type: 'integer', minimum: 1 } },
    pattern: { type: 'string' },
  },
  required: ['place'],
  additionalProperties: false,
};
const content = [
  { type: 'text', text: 'words', annotations: { audience: ['user'], priority: 0.5 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
  { type: 'something-new', value: [1, null, { deep: true }] },
];
const tools = [
  anyTool('echo'),
  anyTool('rich'),
  anyTool('structured'),
  anyTool('empty'),
  anyTool('fails'),
  anyTool('paid'),
  anyTool('forecast', { inputSchema: place }),
  anyTool('async-schema', { inputSchema: { type: 'object', $async: true, required: ['never'] } }),
  anyTool('slow-pattern', {
    inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  }),
  anyTool('odd-schema', { inputSchema: { type: 'object', $ref: 'http://127.0.0.1:1/schema' } }),
];

beforeAll(async () => {
  desk = await startRawService({
    tools: () => ({ tools }),
    call: ({ params }, reply) => {
      const name = params?.name ?? '';
      if (name === 'rich') reply.result({ content });
      else if (name === 'structured') reply.result({ content: [], structuredContent: { answer: 42 } });
      else if (name === 'empty') reply.result({});
      else if (name === 'fails') reply.result({ content, isError: true });
      else if (name === 'paid') reply.result({ content: [], structuredContent: price, isError: true });
      else reply.text(JSON.stringify(params?.arguments));
    },
  });
  gateway = await startSharedGateway(env());
  await gateway.agent.list();
});
afterAll(async () => {
  await gateway?.stop();
  await desk?.stop();
});

const env = (more: Record<string, string> = {}) => ({
  EVM_PRIVATE_KEY: newPrivateKey(),
  DOWNSTREAM_MCP_URLS: `desk=${desk.url}`,
  PAYMENT_NETWORKS: 'eip155:84532',
  LOG_LEVEL: 'error',
  ...more,
});
const call = (toolName: string, args?: object, more: object = {}) =>
  gateway.agent.call({ serviceId: 'desk', toolName, ...(args && { arguments: args }), ...more });

/** The answer, and the calls that reached the service meanwhile. */
async function sent<T>(work: () => Promise<T>): Promise<{ answer: T; calls: number }> {
  const before = desk.calls.length;
  return { answer: await work(), calls: desk.calls.length - before };
}

test('a free call that works is SUCCESS, and every field of the envelope is there [gateway.code.success.free] [gateway.envelope.fields] [gateway.envelope.detail.call] [gateway.envelope.detail.payment-made]', async () => {
  expect(await call('echo', { word: 'hi' })).toEqual({
    ok: true,
    stage: 'tool_execution',
    code: 'SUCCESS',
    message: expect.any(String) as string,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string,
    detail: {
      serviceId: 'desk',
      toolName: 'echo',
      paymentMade: false,
      paymentResponse: null,
      complianceDecision: null,
      assuranceResult: null,
      payeeComplianceDecision: null,
      paymentContext: null,
      downstreamContent: [{ type: 'text', text: '{"word":"hi"}' }],
    },
  });
});

test('arguments are {} when none are given, and go to the tool as they are [gateway.call.input]', async () => {
  expect(await call('echo')).toMatchObject({ detail: { downstreamContent: [{ text: '{}' }] } });
  const odd = { '': null, ünï: ['\u0000', 1e300, -0.5], nested: { a: [[{}]] } };
  const { detail } = await call('echo', odd);
  const [{ text }] = detail.downstreamContent as [{ text: string }];
  expect(JSON.parse(text)).toEqual(odd);
});

/** In the envelope blocks of other kinds than text leave their place only. */
const inEnvelope = [
  content[0],
  { type: 'image', mimeType: 'image/png', contentIndex: 1 },
  { type: 'resource', resource: { uri: 'file:///a' }, contentIndex: 2 },
  content[3],
];

test('what the tool answered stands in downstreamContent [gateway.envelope.detail.downstream-content]', async () => {
  expect((await call('rich')).detail.downstreamContent).toEqual(inEnvelope);
  expect((await call('empty')).detail.downstreamContent).toEqual([]);
  expect((await call('structured')).detail).toMatchObject({
    downstreamContent: [],
    downstreamStructuredContent: { answer: 42 },
  });
  expect(await call('fails')).toMatchObject({
    ok: false,
    code: 'DOWNSTREAM_TOOL_ERROR',
    detail: { downstreamContent: inEnvelope },
  });
});

test('an unknown service is SERVICE_NOT_FOUND and nothing is sent [gateway.code.service-not-found]', async () => {
  for (const serviceId of ['nobody', '', '__proto__', 'DESK', 'x'.repeat(10_000)]) {
    const { answer, calls } = await sent(() => gateway.agent.call({ serviceId, toolName: 'echo' }));
    expect(answer).toMatchObject({ ok: false, stage: 'tool_execution', code: 'SERVICE_NOT_FOUND' });
    expect(calls).toBe(0);
  }
});

test('an unknown tool is TOOL_NOT_FOUND and nothing is sent [gateway.code.tool-not-found]', async () => {
  for (const toolName of ['nothing', '', 'constructor', 'Echo', 'echo ']) {
    const { answer, calls } = await sent(() => call(toolName));
    expect(answer).toMatchObject({ ok: false, stage: 'tool_execution', code: 'TOOL_NOT_FOUND' });
    expect(calls).toBe(0);
  }
});

test.each([
  [{}, '/place is missing.'],
  [{ place: 7 }, 'Look at /place.'],
  [{ place: 'x', days: [1, 'two'] }, 'Look at /days/1.'],
  [{ place: 'x', days: [0] }, 'Look at /days/0.'],
  [{ place: 'x', other: 1 }, '/other is not one of them.'],
])(
  'arguments %j do not fit the schema: INVALID_ARGUMENTS says "%s" and nothing is sent [gateway.code.invalid-arguments]',
  async (args, where) => {
    const { answer, calls } = await sent(() => call('forecast', args));
    expect(answer).toMatchObject({ ok: false, stage: 'tool_execution', code: 'INVALID_ARGUMENTS' });
    expect(answer.message).toContain(where);
    expect(calls).toBe(0);
  },
);

test('arguments that fit are sent, also one that is called like a keyword of JSON Schema', async () => {
  expect(await call('forecast', { place: 'x', days: [1, 2], pattern: '[' })).toMatchObject({
    code: 'SUCCESS',
  });
});

test('a schema that is a trap for whoever compiles it harms nobody: the tool judges', async () => {
  expect(await call('async-schema')).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  expect(await call('odd-schema', { a: 1 })).toMatchObject({ code: 'SUCCESS' });
  const began = performance.now();
  expect(await call('slow-pattern', { a: `${'a'.repeat(40)}!` })).toMatchObject({ code: 'SUCCESS' });
  expect(performance.now() - began).toBeLessThan(2000);
  expect(await call('echo')).toMatchObject({ code: 'SUCCESS' });
});

test.each([
  [{}, 'serviceId'],
  [{ serviceId: 7, toolName: 'echo' }, 'serviceId'],
  [{ serviceId: 'desk' }, 'toolName'],
  [{ serviceId: 'desk', toolName: 'echo', arguments: 'text' }, 'arguments'],
  [{ serviceId: 'desk', toolName: 'echo', arguments: ['list'] }, 'arguments'],
  [{ serviceId: 'desk', toolName: 'echo', idempotencyKey: 'short' }, 'idempotencyKey'],
  [{ serviceId: 'desk', toolName: 'echo', idempotencyKey: 'x'.repeat(129) }, 'idempotencyKey'],
  [{ serviceId: 'desk', toolName: 'echo', dryRun: 'yes' }, 'dryRun'],
])(
  'input %j is an INVALID_ARGUMENTS envelope that names %s, and nothing is sent [gateway.envelope.every-result] [gateway.call.idempotency-key-length]',
  async (input, field) => {
    const { answer, calls } = await sent(() => gateway.agent.call(input));
    expect(answer).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
    expect(answer.message).toContain(`"${field}"`);
    expect(calls).toBe(0);
  },
);

test.each([null, 'text', 7, [], { approvalId: {} }, { approvalId: 'x', signature: '0x' }])(
  'a paymentPayload of %j for a free tool is no reason to fail [gateway.call.payment-payload-loose]',
  async (paymentPayload) => {
    const envelope = await call('echo', {}, { paymentPayload });
    expect(['SUCCESS', 'PAYMENT_PAYLOAD_INVALID']).toContain(envelope.code);
  },
);

test('an envelope stands in structuredContent and again as JSON text; isError tells a failure; all fits the declared schema [gateway.call.structured-and-text] [gateway.call.is-error] [gateway.call.output-schema] [gateway.envelope.every-result] [gateway.envelope.stage] [gateway.envelope.timestamp] [gateway.envelope.trace-id]', async () => {
  const { client } = gateway.agent;
  const { tools: own } = await client.listTools();
  expect(own.find(({ name }) => name === 'call_service_tool')?.outputSchema).toMatchObject({
    type: 'object',
    properties: { ok: { type: 'boolean' }, stage: { enum: stages } },
  });
  const traces = new Set<string>();
  for (const toolName of ['echo', 'nothing', 'fails', 'paid']) {
    const input = { name: 'call_service_tool', arguments: { serviceId: 'desk', toolName } };
    const result = await client.callTool(input);
    const envelope = gatewayEnvelope.parse(result.structuredContent);
    const [block, ...rest] = result.content as { type: string; text: string }[];
    expect(JSON.parse(block?.text ?? '')).toEqual(result.structuredContent);
    expect(rest).toEqual(toolName === 'fails' ? [content[1], content[2]] : []);
    expect(result.isError === true).toBe(!envelope.ok);
    expect(Math.abs(Date.parse(envelope.timestamp) - Date.now())).toBeLessThan(60_000);
    traces.add(envelope.traceId);
  }
  expect(traces.size).toBe(4);
});

test('every code comes with a message of ours that says what to do, the same for every service [gateway.envelope.message-is-ours]', async () => {
  const { message } = await call('fails');
  expect(message).toBe((await call('fails')).message);
  expect(message).not.toContain('words');
  expect((await call('nothing')).message).toContain('list_gateway_services');
});

const configurations: [string, Record<string, string>][] = [
  ['neither address nor key', {}],
  ['an address alone', { COMPLIANCE_BASE_URL: 'http://127.0.0.1:1' }],
  ['a key alone', { COMPLIANCE_API_KEY: 'key' }],
  ['an empty key', { COMPLIANCE_BASE_URL: 'http://127.0.0.1:1', COMPLIANCE_API_KEY: '' }],
];
test.each(configurations)(
  'with %s of a dashboard free tools work, and every payment is refused unsigned [gateway.start.without-compliance] [gateway.compliance.fail-close] [gateway.code.compliance-not-configured] [gateway.config.compliance-base-url] [gateway.config.compliance-api-key] [gateway.downstream.no-automatic-payment]',
  async (_, dashboard) => {
    const one = await startSharedGateway(env(dashboard));
    try {
      const before = desk.calls.length;
      expect(await one.agent.call({ serviceId: 'desk', toolName: 'echo' })).toMatchObject({
        code: 'SUCCESS',
      });
      const answer = await one.agent.call({ serviceId: 'desk', toolName: 'paid' });
      expect(answer).toMatchObject({
        ok: false,
        stage: 'compliance_check',
        code: 'COMPLIANCE_NOT_CONFIGURED',
        detail: {
          paymentMade: false,
          complianceDecision: { passed: false, reasonCode: 'COMPLIANCE_NOT_CONFIGURED' },
          payeeComplianceDecision: { passed: false, reasonCode: 'COMPLIANCE_NOT_CONFIGURED' },
          paymentContext: { amountDecimal: '0.01', currency: 'USDC', payTo: merchant.address },
        },
      });
      expect(desk.calls.slice(before)).toHaveLength(2);
      expect(JSON.stringify(desk.calls)).not.toContain('x402/payment');
      expect(await one.agent.call({ serviceId: 'desk', toolName: 'echo' })).toMatchObject({
        code: 'SUCCESS',
      });
    } finally {
      await one.stop();
    }
  },
);

test('a free tool of a stateful service over SSE is called like any other', async () => {
  const seen: unknown[] = [];
  const tool: Tool = {
    definition: { name: 'note', inputSchema: { type: 'object' } },
    call: async (args) => {
      seen.push(args);
      return { content: [{ type: 'text', text: 'noted' }] };
    },
  };
  const log = createLogger('test', 'silent');
  const service = await startMcpService({ name: 'notes', port: 0, transport: 'sse', tools: [tool], log });
  const one = await startSharedGateway(env({ DOWNSTREAM_MCP_URLS: service.url }));
  await until(
    () => one.agent.list(),
    ([notes]) => notes?.status === 'connected',
  );
  expect(await one.agent.call({ serviceId: 'notes', toolName: 'note', arguments: { a: 1 } })).toMatchObject({
    code: 'SUCCESS',
    detail: { downstreamContent: [{ type: 'text', text: 'noted' }] },
  });
  expect(seen).toEqual([{ a: 1 }]);
  await one.stop();
  await service.stop();
});
