import { paymentRequired } from '@countersign/local/merchant/payment-required';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRawService } from './fixtures/raw-service.ts';
import { startWorld, type World } from './fixtures/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

test('a paid call tells its own stages and passes on what the service tells, cleaned [gateway.call.progress] [gateway.call.progress-passed-on]', async () => {
  const about = {
    toolName: 'echo',
    description: '',
    price: '0.01',
    x402Version: 2,
    cart: 'cartMandate',
  } as const;
  const required = paymentRequired(world.merchant, about);
  const service = await startRawService({
    call: ({ id, params }, reply) => {
      const { progressToken, ...meta } = params?._meta ?? {};
      if (meta['x402/payment'] === undefined)
        return reply.result({ isError: true, content: [], structuredContent: required });
      const event = (body: object) =>
        reply.response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`);
      reply.response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [n, message] of ['packing', 'ship\u202Eping'].entries())
        event({ method: 'notifications/progress', params: { progressToken, progress: n + 1, message } });
      event({ id, result: { content: [{ type: 'text', text: 'no receipt' }] } });
      reply.response.end();
    },
  });
  const owner = await world.newOwner();
  const { agent } = await world.gateway(owner, { shop: service.url });
  const told: [number, string][] = [];
  const result = await agent.client.callTool(
    { name: 'call_service_tool', arguments: { serviceId: 'shop', toolName: 'echo' } },
    { onprogress: ({ progress, message }) => told.push([progress, message ?? '']) },
  );
  expect(result.structuredContent).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(told).toEqual([
    [0.001, 'checking both parties and the mandate'],
    [0.002, 'payment signed, waiting for the settlement'],
    [1, 'packing'],
    [2, 'shipping'],
  ]);
  await service.stop();
});
