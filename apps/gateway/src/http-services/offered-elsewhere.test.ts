import { afterEach, expect, test } from 'vitest';
import { askFor, openMerchant, sell, shopAt } from '../../test/http-merchant.ts';
import { offered, offerOf, signed } from '../../test/offers.ts';

const open: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});

/** A call of `/buy` at a service whose price and genuine offer are for what `resourceAt` says, of its own origin. */
async function buyFor(resourceAt: (origin: string) => string, env: Record<string, string> = {}) {
  const service = await openMerchant(({ paid }, response) => {
    if (paid === null) askFor(response, requirement);
    else sell(response);
  });
  const resourceUrl = resourceAt(service.origin);
  const offer = await signed(offerOf({ resourceUrl }));
  const requirement = { ...offered([offer]), resource: { url: resourceUrl } };
  const gateway = await shopAt(service.origin, env, { inputSchema: { type: 'object' } });
  open.push(service, gateway);
  const answer = await gateway.call();
  return { answer, payments: service.seen.filter(({ paid }) => paid !== null).length };
}

const proxied = { OFFER_ORIGINS: 'shop=https://shop.example' };

test.each<[what: string, resourceAt: (origin: string) => string, env?: Record<string, string>]>([
  ['its own address', (origin) => `${origin}/buy`],
  ['its own address and a query', (origin) => `${origin}/buy?item=1`],
  ['its own address as TLS has it', (origin) => `${origin.replace('http', 'https')}/buy`],
  ['an origin that the owner named', () => 'https://shop.example/buy', proxied],
  ['its own, where the owner named one more', (origin) => `${origin}/buy`, proxied],
])('an offer for %s is paid [gateway.offer.elsewhere]', async (_, resourceAt, env) => {
  const { answer, payments } = await buyFor(resourceAt, env);
  expect(answer).toMatchObject({ code: 'SUCCESS', detail: { paymentContext: { judged: 'offer' } } });
  expect(payments).toBe(1);
});

test.each<[what: string, resourceAt: (origin: string) => string, env?: Record<string, string>]>([
  ['other goods of another merchant', () => 'https://victim-shop.example/ebook'],
  ['the same path of another merchant', () => 'https://victim-shop.example/buy'],
  ['its host at another port', () => 'http://127.0.0.1:1/buy'],
  ['another path of its own', (origin) => `${origin}/ebook`],
  ['a path below the one that was called', (origin) => `${origin}/buy/more`],
  ['its own host as a user name', (origin) => `${origin}@victim-shop.example/buy`],
  ['an MCP tool', () => 'mcp://tool/buy'],
  ['what is no address', () => 'buy'],
  ['another path of an origin that the owner named', () => 'https://shop.example/ebook', proxied],
  ['an origin that begins like it', () => 'https://shop.example.evil.example/buy', proxied],
])('a genuine offer for %s is not paid here [gateway.offer.elsewhere]', async (_, resourceAt, env) => {
  const { answer, payments } = await buyFor(resourceAt, env);
  expect(answer).toMatchObject({
    code: 'PAYMENT_REQUIREMENT_INVALID',
    message: expect.stringContaining('OFFER_ORIGINS'),
    detail: { paymentMade: false },
  });
  expect(payments).toBe(0);
});
