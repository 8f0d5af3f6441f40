import type { HttpServer } from '@countersign/local/http-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { privateKeyToAccount } from 'viem/accounts';
import { challenged } from './fixtures/approval.ts';
import { type Handling, startMiddleman } from './fixtures/middleman.ts';
import { openShop } from './fixtures/paid-shop.ts';
import { sale } from './fixtures/sell-tool.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
const open: HttpServer[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});
afterAll(() => world?.stop());

const price = 10_000n;
const spent = async (owner: Owner): Promise<bigint> =>
  100_000_000n - (await world.balance(owner.wallet.address));

/** A gateway before a shop whose paid calls go through these hands. */
async function shopBehind(owner: Owner, handling: Handling, env: Readonly<Record<string, string>> = {}) {
  const shop = await openShop(world, { validSeconds: 60 });
  const middleman = await startMiddleman(() => shop.url, handling);
  open.push(middleman);
  return world.gateway(owner, { shop: `${middleman.url}/mcp` }, env);
}

const paymentIn = (body: string): unknown =>
  (JSON.parse(body) as { params: { _meta: Record<string, unknown> } }).params._meta['x402/payment'];

test('the same key resumes a payment of unknown outcome, though less than its price is left beside it [gateway.paying.retry.not-counted-twice] [gateway.paying.retry.same-payload]', async () => {
  const owner = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.015' } });
  const sent: unknown[] = [];
  const { agent } = await shopBehind(owner, async ({ ask, tell, response, body }) => {
    sent.push(paymentIn(body));
    if (sent.length === 1) response.destroy();
    else tell(await ask());
  });
  const call = { ...sale, idempotencyKey: 'lost-on-its-way' };
  expect(await agent.call(call)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  // Another call is held against what is left.
  expect(await agent.call(sale)).toMatchObject({ code: 'WALLET_APPROVAL_REQUIRED' });
  expect(await agent.call(call)).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, assuranceResult: { passed: true } },
  });
  expect(sent[1]).toEqual(sent[0]);
  expect(await spent(owner)).toBe(price);
});

test('an approved payment is resumed by its key though its approval is used up; without a key nothing false is said [gateway.paying.retry.used-approval] [gateway.paying.words]', async () => {
  const owner = await world.newOwner({ mandate: { perTxLimit: '0.005', totalBudget: '1' } });
  const sent: unknown[] = [];
  const { agent } = await shopBehind(owner, async ({ ask, tell, response, body }) => {
    sent.push(paymentIn(body));
    if (sent.length % 2 === 1) response.destroy();
    else tell(await ask());
  });
  const wallet = privateKeyToAccount(owner.wallet.privateKey);
  const approved = async () => ({ ...sale, paymentPayload: await challenged(agent, sale, wallet) });
  const keyed = { ...(await approved()), idempotencyKey: 'approved-and-lost' };
  expect(await agent.call(keyed)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(await agent.call(keyed)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(sent[1]).toEqual(sent[0]);
  expect(await spent(owner)).toBe(price);

  const plain = await approved();
  expect(await agent.call(plain)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  const again = await agent.call(plain);
  expect(again.code).toBe('APPROVAL_ALREADY_USED');
  expect(again.message).toContain('was used for an earlier payment');
  expect(again.message).not.toContain('Nothing was paid');
  expect(sent).toHaveLength(3);
});

test('a session that the service lost before the paid call is opened again, and the same payload sent at once, once [gateway.paying.session-lost]', async () => {
  const owner = await world.newOwner();
  const sent: unknown[] = [];
  const { agent } = await shopBehind(owner, async ({ ask, tell, response, body }) => {
    sent.push(paymentIn(body));
    if (sent.length === 1) response.writeHead(404).end();
    else tell(await ask());
  });
  expect(await agent.call(sale)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(await spent(owner)).toBe(price);
});

test('a service that has lost every session gets the payload twice and no more [gateway.paying.session-lost]', async () => {
  const owner = await world.newOwner();
  let sent = 0;
  const { agent } = await shopBehind(owner, async ({ response }) => {
    sent += 1;
    response.writeHead(404).end();
  });
  expect(await agent.call(sale)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(sent).toBe(2);
});

const eventStream = { 'content-type': 'text/event-stream' };

/** How a paid call can end without a result, and what is said of it. */
const losses: Readonly<Record<string, { readonly handling: Handling; readonly says: string }>> = {
  'an ended stream': {
    handling: async ({ ask, response }) => {
      await ask();
      response.writeHead(200, eventStream).end();
    },
    says: 'The service ended its answer without a result.',
  },
  'a too-large answer': {
    handling: async ({ ask, response }) => {
      await ask();
      response.on('error', () => {});
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(Buffer.alloc(17 * 1024 * 1024, 'x'));
    },
    says: 'The answer was larger than 16 MiB and was not read.',
  },
  'an HTTP error': {
    handling: async ({ ask, response }) => {
      await ask();
      response.writeHead(500).end();
    },
    says: 'The service answered with HTTP 500 and gave no result.',
  },
  'a tool error': {
    handling: async ({ ask, tell }) => {
      const told = await ask();
      const answer = JSON.parse(told.body.replace(/^[^{]*/, '')) as { result: { isError?: boolean } };
      answer.result.isError = true;
      tell({
        ...told,
        headers: new Headers({ 'content-type': 'application/json' }),
        body: JSON.stringify(answer),
      });
    },
    says: 'The tool itself answered with an error: detail.downstreamContent has it.',
  },
  'a lost connection': {
    handling: async ({ ask, response }) => {
      await ask();
      response.destroy();
    },
    says: 'The connection to the service was lost before it answered.',
  },
};

const keys = [{ idempotencyKey: 'words-with-a-key' }, {}] as const;

test.each(
  Object.entries(losses).flatMap(([what, loss]) =>
    keys.map((key) => ({ what, key, withKey: 'idempotencyKey' in key, ...loss })),
  ),
)(
  'after payment $what says what it is, and only a key (here: $withKey) makes calling again safe [gateway.paying.words]',
  async ({ handling, says, key, withKey }) => {
    const owner = await world.newOwner();
    const { agent } = await shopBehind(owner, handling);
    const { message, detail } = await agent.call({ ...sale, ...key });
    expect(message).toContain(says);
    expect(message).not.toContain('The tool failed');
    const { paymentMade, paymentContext } = detail;
    const validBefore = new Date(Number(paymentContext?.['validBefore']) * 1000).toISOString();
    const advice = paymentMade
      ? {
          true: 'This idempotencyKey never pays a second time.',
          false: 'Calling again would be a second payment.',
        }
      : {
          true: 'Calling again with this idempotencyKey is safe',
          false: `Do not call again before ${validBefore}`,
        };
    expect(message).toContain(advice[`${withKey}`]);
    expect(message).not.toContain(advice[`${!withKey}`]);
  },
);
