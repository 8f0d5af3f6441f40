import { newPrivateKey } from '@countersign/local/market';
import { startMcpService } from '@countersign/local/merchant/mcp-service';
import type { Tool } from '@countersign/local/merchant/tool';
import { gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { createLogger } from '@countersign/service/logger';
import { type CallToolResult, McpError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRawService } from './fixtures/raw-service.ts';
import { type SharedGateway, startSharedGateway } from './fixtures/shared-process.ts';

const picture = 'iVBORw0KGgoA'.repeat(20);
const blocks: CallToolResult['content'] = [
  { type: 'image', data: picture, mimeType: 'image/png', annotations: { audience: ['user'] } },
  { type: 'audio', data: picture, mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
  { type: 'resource_link', uri: 'https://example.com/report', name: 'report' },
];
const answers: Readonly<Record<string, () => CallToolResult>> = {
  rich: () => ({ content: [{ type: 'text', text: 'see below' }, ...blocks] }),
  data: () => ({
    content: [{ type: 'text', text: 'it is 42' }],
    structuredContent: { answer: 42, list: [1, null] },
    _meta: { 'example/page': 2 },
  }),
  refuses: () => {
    throw new McpError(-32010, 'the vault is closed', { opensAt: '09:00' });
  },
};

let gateway: SharedGateway;
const open: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const tools = Object.entries(answers).map(
    ([name, answer]): Tool => ({
      definition: { name, inputSchema: { type: 'object' } },
      call: async () => answer(),
    }),
  );
  const log = createLogger('test', 'silent');
  const services = await Promise.all(
    (['streamable-http', 'sse'] as const).map((transport) =>
      startMcpService({ name: transport, port: 0, transport, tools, log }),
    ),
  );
  const odd = await startRawService({
    call: (_, reply) =>
      reply.result({
        content: [
          { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations: null, _meta: null },
          { type: 'image', data: 7 },
          { type: 'hologram', data: 'AAAA' },
          'no block',
        ],
      }),
  });
  gateway = await startSharedGateway({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: [...services.map(({ url }, n) => `desk${n}=${url}`), `odd=${odd.url}`].join(','),
    LOG_LEVEL: 'error',
  });
  open.push(gateway.stop, odd.stop, ...services.map(({ stop }) => stop));
  await gateway.agent.list();
});
afterAll(async () => {
  for (const close of open) await close();
});

async function call(serviceId: string, toolName: string, onprogress?: () => void) {
  const input = { name: 'call_service_tool', arguments: { serviceId, toolName } };
  const result = await gateway.agent.client.callTool(input, onprogress && { onprogress });
  return { result, envelope: gatewayEnvelope.parse(result.structuredContent) };
}

test.each(['desk0', 'desk1'])(
  'images, audio, resources and links of %s follow the envelope as what they are, each once [gateway.call.content-blocks]',
  async (serviceId) => {
    const { result, envelope } = await call(serviceId, 'rich');
    const [text, ...rest] = result.content as { type: string; text: string }[];
    expect(rest).toEqual(blocks);
    expect(JSON.stringify(result).split(picture)).toHaveLength(3);
    expect(JSON.parse(text?.text ?? '')).toEqual(envelope);
    expect(envelope.detail.downstreamContent).toEqual([
      { type: 'text', text: 'see below' },
      { type: 'image', mimeType: 'image/png', annotations: { audience: ['user'] }, contentIndex: 1 },
      { type: 'audio', mimeType: 'audio/wav', contentIndex: 2 },
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain' }, contentIndex: 3 },
      { type: 'resource_link', uri: 'https://example.com/report', name: 'report', contentIndex: 4 },
    ]);
  },
);

test('a block that no client could read costs the answer nothing: it stays in the envelope [gateway.call.content-blocks]', async () => {
  const { result, envelope } = await call('odd', 'echo');
  expect((result.content as unknown[]).slice(1)).toEqual([
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ]);
  expect(envelope).toMatchObject({
    code: 'SUCCESS',
    detail: {
      downstreamContent: [
        { type: 'image', mimeType: 'image/png', contentIndex: 1 },
        { type: 'image', data: 7 },
        { type: 'hologram', data: 'AAAA' },
        'no block',
      ],
    },
  });
});

test.each(['desk0', 'desk1'])(
  'structured content and _meta of %s stay structured [gateway.envelope.detail.downstream-structured]',
  async (serviceId) => {
    const { detail } = (await call(serviceId, 'data')).envelope;
    expect(detail).toMatchObject({
      downstreamContent: [{ type: 'text', text: 'it is 42' }],
      downstreamStructuredContent: { answer: 42, list: [1, null] },
      downstreamMeta: { 'example/page': 2 },
    });
    const plain = (await call(serviceId, 'rich')).envelope.detail;
    expect(plain).not.toHaveProperty('downstreamStructuredContent');
    expect(plain).not.toHaveProperty('downstreamMeta');
  },
);

test.each(['desk0', 'desk1'])(
  'a JSON-RPC error of a tool of %s keeps code, message and data, also with progress; its words stand nowhere else [gateway.envelope.detail.downstream-error] [gateway.envelope.message-is-ours]',
  async (serviceId) => {
    for (const onprogress of [undefined, () => {}]) {
      const { envelope } = await call(serviceId, 'refuses', onprogress);
      expect(envelope).toMatchObject({ ok: false, code: 'DOWNSTREAM_TOOL_ERROR' });
      expect(envelope.detail.downstreamError).toEqual({
        code: -32010,
        message: expect.stringContaining('the vault is closed') as string,
        data: { opensAt: '09:00' },
      });
      expect(envelope.message).not.toContain('vault');
    }
  },
);
