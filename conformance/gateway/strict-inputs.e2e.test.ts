import { newPrivateKey } from '@countersign/local/market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, mcpHeaders } from './fixtures/http.ts';
import { anyTool, type RawService, startRawService } from './fixtures/raw-service.ts';
import { type SharedGateway, startSharedGateway } from './fixtures/shared-process.ts';

let desk: RawService;
let gateway: SharedGateway;

beforeAll(async () => {
  const place = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
  desk = await startRawService({
    tools: () => ({ tools: [anyTool('echo'), anyTool('forecast', { inputSchema: place })] }),
  });
  gateway = await startSharedGateway({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `desk=${desk.url}`,
    LOG_LEVEL: 'error',
  });
  await gateway.agent.list();
});
afterAll(async () => {
  await gateway?.stop();
  await desk?.stop();
});

const echo = { serviceId: 'desk', toolName: 'echo' };

test.each([
  ['dry_run', true, 'dryRun'],
  ['args', { word: 'hi' }, 'arguments'],
  ['place', 'Berlin', 'arguments'],
  ['idempotency_key', 'a-key-of-my-own', 'idempotencyKey'],
])(
  'the field "%s" is refused, not ignored: nothing is sent, and the answer names the nearest one [gateway.input.unknown-field]',
  async (name, value, meant) => {
    const before = desk.calls.length;
    const answer = await gateway.agent.call({ ...echo, [name]: value });
    expect(answer).toMatchObject({ ok: false, stage: 'tool_execution', code: 'INVALID_ARGUMENTS' });
    expect(answer.message).toContain(`There is no field "${name}"; did you mean "${meant}"?`);
    expect(desk.calls).toHaveLength(before);
  },
);

test('nor is one that every object has ignored, and what belongs into paymentPayload is sent there [gateway.input.unknown-field]', async () => {
  const before = desk.calls.length;
  const sent = async (input: string) => {
    const params = `{"name":"call_service_tool","arguments":${input}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    return (await ask(gateway.url, { headers: mcpHeaders, body })).body;
  };
  const fields = JSON.stringify(echo).slice(0, -1);
  expect(await sent(`${fields},"__proto__":{"dryRun":true}}`)).toContain('There is no field \\"__proto__\\"');
  expect(await sent(`${fields},"approvalId":"apr_1"}`)).toContain('did you mean \\"paymentPayload\\"?');
  expect(desk.calls).toHaveLength(before);
});

test('an unknown field of list_gateway_services is named too, with the nearest known one [gateway.input.unknown-field]', async () => {
  await expect(
    gateway.agent.client.callTool({ name: 'list_gateway_services', arguments: { service_id: 'desk' } }),
  ).rejects.toThrow(/no field "service_id"; did you mean "serviceId"\?/);
});

test('null for an optional field is the same as no field [gateway.input.null-is-absent]', async () => {
  const nulls = { arguments: null, paymentPayload: null, idempotencyKey: null, dryRun: null };
  expect(await gateway.agent.call({ ...echo, ...nulls })).toMatchObject({
    code: 'SUCCESS',
    detail: { downstreamContent: [{ type: 'text', text: '{}' }] },
  });
  const result = await gateway.agent.client.callTool({
    name: 'list_gateway_services',
    arguments: { serviceId: null, query: null },
  });
  expect(result.structuredContent).toMatchObject({ services: [{ serviceId: 'desk' }] });
});

test('a property that the tool’s arguments lack is named [gateway.input.missing-property]', async () => {
  const answer = await gateway.agent.call({ ...echo, toolName: 'forecast', arguments: { plaice: 'Berlin' } });
  expect(answer.code).toBe('INVALID_ARGUMENTS');
  expect(answer.message).toContain('/place is missing.');
});
