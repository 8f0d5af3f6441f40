import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { keccak256, toBytes } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { askFor, base64, openMerchant, type Seen, shopAt } from '../../test/http-merchant.ts';
import { ask, challenge, charge, headerFor, receiptText, requestText } from '../../test/mpp.ts';
import { merchant, owner, required, stranger } from '../../test/samples.ts';
import { whyNotOurs } from './challenged-elsewhere.ts';

const open: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});
const kept = async <T extends { stop: () => Promise<void> }>(made: Promise<T>): Promise<T> => {
  const each = await made;
  open.push(each);
  return each;
};

type Answer = (response: ServerResponse, request: Seen) => void;

const sell: Answer = (response) =>
  void response
    .writeHead(200, { 'payment-receipt': receiptText(), 'content-type': 'text/plain' })
    .end('sold');

/** A shop that asks and sells as it is told, and a gateway that reads challenges and calls it. */
async function shop(asks: Answer, paid: Answer = sell, env: Record<string, string> = {}, more: object = {}) {
  const service = await kept(
    openMerchant((request, response) => (request.paid === null ? asks : paid)(response, request)),
  );
  const settings = { PAYMENT_SCHEMES: 'exact,mpp', ...env };
  const gateway = await kept(shopAt(service.origin, settings, { inputSchema: { type: 'object' }, ...more }));
  const payments = () => service.seen.filter(({ paid: header }) => header !== null);
  return { ...service, gateway, payments };
}

const credentialIn = ({ payment = '' }: Seen) => {
  expect(payment).toMatch(/^Payment [A-Za-z0-9_-]+$/);
  return JSON.parse(Buffer.from(payment.slice('Payment '.length), 'base64url').toString());
};

test('a challenge is paid by the authorization that it names, and is sent back as it came [gateway.mpp.pays]', async () => {
  const asked = challenge({ opaque: 'b3BhcXVl', description: 'A "thing"' });
  const { gateway, payments } = await shop(ask(headerFor({ ...asked, description: 'A \\"thing\\"' })));
  expect(await gateway.call()).toMatchObject({
    code: 'SUCCESS',
    detail: {
      paymentMade: true,
      paymentResponse: { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:84532' },
      paymentContext: { network: 'eip155:84532', amount: '10000', payTo: merchant.address },
      downstreamContent: [{ type: 'text', text: 'sold' }],
    },
  });
  const [paid, ...more] = payments();
  expect(more).toEqual([]);
  expect(paid?.paid).toBe('authorization');
  const { challenge: echoed, payload, source } = credentialIn(paid as Seen);
  expect(echoed).toEqual(asked);
  expect(source).toBe(`did:pkh:eip155:84532:${owner.address}`);
  expect(payload).toMatchObject({
    type: 'authorization',
    from: owner.address,
    to: merchant.address,
    value: '10000',
    validAfter: '0',
    nonce: keccak256(toBytes(`${asked.id}${asked.realm}`)),
  });
  expect(Number(payload.validBefore)).toBeLessThanOrEqual(Math.floor(Date.parse(asked.expires) / 1000));
});

test.each([
  ['its own port in the realm', (origin: string) => headerFor(challenge({ realm: new URL(origin).host }))],
  ['another wallet’s method beside it', () => headerFor(challenge({ method: 'tempo' }), challenge())],
  ['a session beside it', () => headerFor(challenge({ intent: 'session' }), challenge())],
  ['another scheme before it', () => `Bearer realm="shop", ${headerFor(challenge())}, Basic abc==`],
  ['an end beyond what is signed', () => headerFor(challenge({ expires: '2036-01-01T00:00:00Z' }))],
  [
    'the digest of what was sent',
    () => headerFor(challenge({ digest: `sha-256=:${createHash('sha256').update('').digest('base64')}:` })),
  ],
])('a challenge with %s is paid [gateway.mpp.pays]', async (_, header) => {
  const { gateway, payments, origin } = await shop((response) => ask(header(origin))(response));
  expect(await gateway.call()).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(payments()).toHaveLength(1);
});

test('a payment goes in Payment-Authorization where the challenge wants that [gateway.mpp.header]', async () => {
  const { gateway, payments } = await shop(ask(headerFor(challenge({ header: 'Payment-Authorization' }))));
  expect(await gateway.call()).toMatchObject({ code: 'SUCCESS' });
  expect(payments().map(({ paid }) => paid)).toEqual(['payment-authorization']);
});

const asks = (value: unknown) => headerFor(challenge({ request: requestText(value) }));
const notCanonical = Buffer.from(JSON.stringify({ ...charge(), amount: '1' }).replace('{', '{ ')).toString(
  'base64url',
);
const twice = Buffer.from(JSON.stringify(charge()).replace('{', '{"amount":"1",')).toString('base64url');

test.each<[string, string, string, RegExp]>([
  ['no Payment scheme', 'Bearer realm="shop"', 'PAYMENT_REQUIREMENT_INVALID', /no sense/],
  [
    'a header that is broken off',
    `${headerFor(challenge())}, x="`,
    'PAYMENT_REQUIREMENT_INVALID',
    /no sense/,
  ],
  ['a parameter twice', `${headerFor(challenge())}, id="other"`, 'PAYMENT_REQUIREMENT_INVALID', /no sense/],
  ['no id', headerFor(challenge({ id: undefined })), 'PAYMENT_REQUIREMENT_INVALID', /no sense/],
  [
    'seventeen challenges',
    headerFor(...Array.from({ length: 17 }, () => challenge({ method: 'tempo' }))),
    'PAYMENT_REQUIREMENT_INVALID',
    /no sense|malformed/,
  ],
  ['another method alone', headerFor(challenge({ method: 'stripe' })), 'PAYMENT_UNSUPPORTED', /no charge by/],
  ['another intent', headerFor(challenge({ intent: 'session' })), 'PAYMENT_UNSUPPORTED', /no charge by/],
  ['a method in capitals', headerFor(challenge({ method: 'EVM' })), 'PAYMENT_UNSUPPORTED', /no charge by/],
  [
    'two charges',
    headerFor(challenge(), challenge({ id: 'b', request: requestText(charge({ amount: '1' })) })),
    'PAYMENT_UNSUPPORTED',
    /several charges/,
  ],
  [
    'a request that is no JSON',
    headerFor(challenge({ request: 'AAAA' })),
    'PAYMENT_REQUIREMENT_INVALID',
    /request/,
  ],
  [
    'a request with two readings',
    headerFor(challenge({ request: twice })),
    'PAYMENT_REQUIREMENT_INVALID',
    /request/,
  ],
  [
    'a request that is not RFC 8785',
    headerFor(challenge({ request: notCanonical })),
    'PAYMENT_REQUIREMENT_INVALID',
    /request/,
  ],
  ['an amount with a point', asks(charge({ amount: '0.01' })), 'PAYMENT_REQUIREMENT_INVALID', /request/],
  ['an amount below nothing', asks(charge({ amount: '-1' })), 'PAYMENT_REQUIREMENT_INVALID', /request/],
  ['an amount that is a number', asks(charge({ amount: 10000 })), 'PAYMENT_REQUIREMENT_INVALID', /request/],
  ['nothing to pay', asks(charge({ amount: '0' })), 'PAYMENT_UNSUPPORTED', /zero/],
  [
    'more than may be paid',
    asks(charge({ amount: '100000001' })),
    'PAYMENT_UNSUPPORTED',
    /PAYMENT_MAX_AMOUNT/,
  ],
  ['a currency by name', asks(charge({ currency: 'USDC' })), 'PAYMENT_REQUIREMENT_INVALID', /address/],
  ['another token', asks(charge({ currency: stranger.address })), 'PAYMENT_UNSUPPORTED', /PAYMENT_ASSETS/],
  ['another chain', asks(charge({}, { chainId: 8453 })), 'PAYMENT_UNSUPPORTED', /PAYMENT_NETWORKS/],
  ['other decimals', asks(charge({}, { decimals: 18 })), 'PAYMENT_UNSUPPORTED', /decimals/],
  ['a payee that is the payer', asks(charge({ recipient: owner.address })), 'PAYMENT_UNSUPPORTED', /payer/],
  [
    'several payees',
    asks(charge({}, { splits: [{ amount: '1', recipient: stranger.address }] })),
    'PAYMENT_UNSUPPORTED',
    /split/,
  ],
  ['Permit2 alone', asks(charge({}, { credentialTypes: ['permit2'] })), 'PAYMENT_UNSUPPORTED', /EIP-3009/],
  ['no word of how', asks(charge({}, { credentialTypes: undefined })), 'PAYMENT_UNSUPPORTED', /EIP-3009/],
  ['no end', headerFor(challenge({ expires: undefined })), 'PAYMENT_REQUIREMENT_INVALID', /no end/],
  [
    'an end that is no time',
    headerFor(challenge({ expires: 'soon' })),
    'PAYMENT_REQUIREMENT_INVALID',
    /no end/,
  ],
  [
    'an end in the past',
    headerFor(challenge({ expires: '2020-01-01T00:00:00Z' })),
    'PAYMENT_UNSUPPORTED',
    /10 seconds/,
  ],
  [
    'another host’s realm',
    headerFor(challenge({ realm: 'other.example' })),
    'PAYMENT_REQUIREMENT_INVALID',
    /OFFER_ORIGINS/,
  ],
  [
    'the digest of another request',
    headerFor(challenge({ digest: 'sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF0=' })),
    'PAYMENT_REQUIREMENT_INVALID',
    /another request/,
  ],
  ['a header of its choice', headerFor(challenge({ header: 'Host' })), 'PAYMENT_UNSUPPORTED', /header/],
])(
  'a challenge with %s is a code, and nothing is paid [gateway.mpp.refused]',
  async (_, header, code, why) => {
    const { gateway, payments } = await shop(ask(header), sell, {}, { method: 'POST' });
    const answer = await gateway.call({ a: 'b' });
    expect(answer).toMatchObject({ code, detail: { paymentMade: false } });
    expect(answer.message).toMatch(why);
    expect(payments()).toEqual([]);
  },
);

test('the price of a challenge that was seen is listed, as one of x402 is [gateway.mpp.pays]', async () => {
  const { gateway } = await shop(ask(headerFor(challenge())));
  await gateway.call();
  expect(await gateway.services.list({})).toMatchObject([
    { tools: [{ name: 'buy', paid: true, price: '0.01', currency: 'USDC', priceFrom: 'seen' }] },
  ]);
});

test('a payee that nobody has admitted is screened as any other is, and gets nothing [gateway.mpp.judged]', async () => {
  const { gateway, payments } = await shop(ask(asks(charge({ recipient: stranger.address }))));
  expect(await gateway.call()).toMatchObject({
    code: 'PAYEE_KYC_NOT_APPROVED',
    detail: { paymentMade: false },
  });
  expect(payments()).toEqual([]);
});

test('what comes back is for the payee that was judged, whoever is named the second time [gateway.mpp.judged]', async () => {
  const other = ask(
    asks(charge({ recipient: stranger.address })),
    {},
    JSON.stringify({ type: 'https://paymentauth.org/problems/invalid-challenge' }),
  );
  const { gateway, payments } = await shop(ask(headerFor(challenge())), other);
  expect(await gateway.call()).toMatchObject({ code: 'PAYMENT_REJECTED', detail: { paymentMade: false } });
  expect(payments()).toHaveLength(1);
  expect(credentialIn(payments()[0] as Seen).payload.to).toBe(merchant.address);
});

test.each([
  ['x402 and a challenge that say the same', headerFor(challenge()), 'SUCCESS', ['payment-signature']],
  ['another payee', asks(charge({ recipient: stranger.address })), 'PAYMENT_REQUIREMENT_INVALID', []],
  ['another amount', asks(charge({ amount: '1' })), 'PAYMENT_REQUIREMENT_INVALID', []],
  ['another token', asks(charge({ currency: stranger.address })), 'PAYMENT_REQUIREMENT_INVALID', []],
  ['another chain', asks(charge({}, { chainId: 8453 })), 'PAYMENT_REQUIREMENT_INVALID', []],
  ['a challenge that makes no sense', 'Payment id="x"', 'PAYMENT_REQUIREMENT_INVALID', []],
  [
    'a challenge for another wallet',
    headerFor(challenge({ method: 'tempo' })),
    'SUCCESS',
    ['payment-signature'],
  ],
])(
  'beside a price of x402 a challenge changes nothing, or ends it: %s [gateway.mpp.beside-x402]',
  async (_, header, code, paid) => {
    const { gateway, payments } = await shop(
      (response) => {
        response.setHeader('www-authenticate', header);
        askFor(response);
      },
      (response) =>
        void response
          .writeHead(200, {
            'payment-response': base64({
              success: true,
              transaction: `0x${'ab'.repeat(32)}`,
              network: 'eip155:84532',
            }),
          })
          .end('{}'),
    );
    expect(await gateway.call()).toMatchObject({ code });
    expect(payments().map((each) => each.paid)).toEqual(paid);
  },
);

test('without mpp in PAYMENT_SCHEMES no challenge is looked at [gateway.mpp.opt-in]', async () => {
  const { gateway, payments } = await shop(ask(headerFor(challenge())), sell, { PAYMENT_SCHEMES: 'exact' });
  expect(await gateway.call()).toMatchObject({ code: 'PAYMENT_REQUIREMENT_INVALID' });
  expect(payments()).toEqual([]);
});

test('a broken price of x402 is not mended by the challenge beside it [gateway.mpp.beside-x402]', async () => {
  const body = JSON.stringify({ ...required(), accepts: [] });
  const { gateway, payments } = await shop(ask(headerFor(challenge()), {}, body));
  expect(await gateway.call()).toMatchObject({ code: 'PAYMENT_REQUIREMENT_INVALID' });
  expect(payments()).toEqual([]);
});

const told =
  (header: string): Answer =>
  (response) =>
    void response.writeHead(200, { 'payment-receipt': header }).end('{}');
const problem = (name: string): Answer =>
  ask(
    headerFor(challenge({ id: 'next' })),
    {},
    JSON.stringify({ type: `https://paymentauth.org/problems/${name}` }),
  );

test.each<[string, Answer, string]>([
  ['a receipt', told(receiptText()), 'SUCCESS'],
  ['no receipt', (response) => void response.writeHead(200).end('{}'), 'PAYMENT_OUTCOME_UNKNOWN'],
  [
    'a receipt of x402',
    (r) => void r.writeHead(200, { 'payment-response': receiptText() }).end(),
    'PAYMENT_OUTCOME_UNKNOWN',
  ],
  ['a receipt of another method', told(receiptText({ method: 'tempo' })), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['a receipt of another challenge', told(receiptText({ challengeId: 'b' })), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['a receipt without a transaction', told(receiptText({ reference: 'soon' })), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['a receipt that is none', told('%%%'), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['that the credential was not read', problem('malformed-credential'), 'PAYMENT_REJECTED'],
  // The official server says so of a settlement that failed too, and it may yet be mined.
  ['that verification failed', problem('verification-failed'), 'PAYMENT_OUTCOME_UNKNOWN'],
  [
    'that verification failed, beside a price of x402',
    ask(
      headerFor(challenge({ id: 'next' })),
      { 'payment-required': base64(required()) },
      JSON.stringify({ type: 'https://paymentauth.org/problems/verification-failed' }),
    ),
    'PAYMENT_OUTCOME_UNKNOWN',
  ],
  ['a price of x402 alone', (response) => askFor(response), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['a challenge and not why', ask(headerFor(challenge({ id: 'next' }))), 'PAYMENT_OUTCOME_UNKNOWN'],
])(
  'a payment that is answered by %s comes to a code, and is sent once [gateway.mpp.receipt]',
  async (_, paid, code) => {
    const { gateway, payments } = await shop(ask(headerFor(challenge())), paid);
    expect(await gateway.call()).toMatchObject({ code });
    expect(payments()).toHaveLength(1);
  },
);

test('a realm is that of another host only where the owner has named it [gateway.mpp.realm]', async () => {
  const asks = ask(headerFor(challenge({ realm: 'shop.example' })));
  const unnamed = await shop(asks);
  expect(await unnamed.gateway.call()).toMatchObject({ code: 'PAYMENT_REQUIREMENT_INVALID' });
  expect(unnamed.payments()).toEqual([]);
  const named = await shop(asks, sell, { OFFER_ORIGINS: 'shop=https://shop.example' });
  expect(await named.gateway.call()).toMatchObject({ code: 'SUCCESS' });
});

test.each([
  ['authorization', undefined, 'header-taken'],
  ['Authorization', 'Authorization', 'header-taken'],
  ['authorization', 'Payment-Authorization', null],
  // The enclave lets no `authorization` of a caller through, so nothing that is signed for it would arrive.
  ['x-api-key', undefined, 'header-taken'],
  ['x-api-key', 'AUTHORIZATION', 'header-taken'],
  ['x-api-key', 'Payment-Authorization', null],
  ['payment-authorization', 'Payment-Authorization', 'header-taken'],
  [null, undefined, null],
])(
  'beside a credential in %s, a payment in %s goes only where it arrives [gateway.mpp.header]',
  (taken, header, why) => {
    const asked = { challenges: [challenge({ header })], receivedAt: new Date().toISOString() };
    const called = {
      hosts: ['127.0.0.1:4000'],
      body: null,
      credential: taken === null ? null : { headers: { [taken]: 'k' } },
    };
    expect(whyNotOurs(JSON.parse(JSON.stringify(asked)), called)).toBe(why);
  },
);

test('a challenge of another intent, for whatever header or realm, refuses no charge beside it [gateway.mpp.header]', () => {
  const charged = challenge({ header: 'Payment-Authorization' });
  const session = challenge({ id: 'session', intent: 'session', realm: 'elsewhere.example' });
  const called = {
    hosts: ['127.0.0.1:4000'],
    body: null,
    credential: { headers: { authorization: 'k' } },
  };
  const whyNot = (...challenges: object[]) =>
    whyNotOurs(JSON.parse(JSON.stringify({ challenges, receivedAt: new Date().toISOString() })), called);
  expect(whyNot(charged, session)).toBeNull();
  // The control: as a charge it would be refused.
  expect(whyNot(charged, challenge({ id: 'session', realm: 'elsewhere.example' }))).toBe('another-realm');
});
