import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import {
  askFor,
  base64,
  gatewayWith,
  openMerchant,
  sell,
  type Seen,
  settlement,
  settlementOn,
  shopAt,
} from '../../test/http-merchant.ts';
import { call, merchant, required, requirement, stranger } from '../../test/samples.ts';

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

/** A shop that asks and sells as it is told, and a gateway that calls it. */
async function shop(
  ask: Answer,
  paid: Answer = (response) => sell(response),
  env: Record<string, string> = {},
) {
  const service = await kept(
    openMerchant((request, response) => (request.paid === null ? ask : paid)(response, request)),
  );
  const gateway = await kept(shopAt(service.origin, env, { inputSchema: { type: 'object' } }));
  const payments = () => service.seen.filter(({ paid: header }) => header !== null);
  return { ...service, gateway, payments };
}

const v1 = {
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      ...requirement,
      network: 'base-sepolia',
      maxAmountRequired: '10000',
      resource: 'http://shop.example/buy',
      description: 'A thing',
      mimeType: 'application/json',
    },
  ],
};
const inBody =
  (body: unknown): Answer =>
  (response) =>
    response.writeHead(402, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test.each<[string, Answer, string, string]>([
  ['v2, in the header', (response) => askFor(response), 'payment-signature', 'payment-response'],
  ['v2, in the body', inBody(required()), 'payment-signature', 'payment-response'],
  ['v1, in the body', inBody(v1), 'x-payment', 'x-payment-response'],
  [
    'v2 in the header and v1 in the body',
    (response) => response.writeHead(402, { 'payment-required': base64(required()) }).end(JSON.stringify(v1)),
    'payment-signature',
    'payment-response',
  ],
])(
  'a price told by %s is paid in its own version [gateway.http-services.pays]',
  async (_, ask, header, answered) => {
    const network = header === 'x-payment' ? 'base-sepolia' : 'eip155:84532';
    const settledIn: Answer = (response) =>
      response
        .writeHead(200, { [answered]: settlementOn(network), 'content-type': 'text/plain' })
        .end('sold');
    const { gateway, payments, seen } = await shop(ask, settledIn);
    expect(await gateway.call({ a: 'b' })).toMatchObject({
      code: 'SUCCESS',
      detail: { paymentMade: true, downstreamContent: [{ type: 'text', text: 'sold' }] },
    });
    expect(payments()).toEqual([{ url: '/buy?a=b', method: 'GET', paid: header, body: '' }]);
    expect(seen).toHaveLength(2);
  },
);

const nothing: Answer = (response) => response.writeHead(402).end();
const entry = required().accepts[0];
const first = (changes: object) => inBody(required(changes));

test.each<[string, Answer, string]>([
  ['a 402 without a price', nothing, 'PAYMENT_REQUIREMENT_INVALID'],
  [
    'a 402 that is a page',
    (r) => r.writeHead(402, { 'content-type': 'text/html' }).end('<p>pay</p>'),
    'PAYMENT_REQUIREMENT_INVALID',
  ],
  [
    'a header that is no base64 of JSON',
    (r) => r.writeHead(402, { 'payment-required': '%%%' }).end(JSON.stringify(required())),
    'PAYMENT_REQUIREMENT_INVALID',
  ],
  [
    'a header and a body of one version that differ',
    (r) =>
      r
        .writeHead(402, { 'payment-required': base64(required()) })
        .end(JSON.stringify(required({ amount: '1' }))),
    'PAYMENT_REQUIREMENT_INVALID',
  ],
  [
    'a header and a body that differ by a number too large for JSON',
    (r) =>
      r
        .writeHead(402, { 'payment-required': base64(required()) })
        .end(JSON.stringify({ ...required(), more: 0 }).replace('"more":0', '"more":1e999')),
    'PAYMENT_REQUIREMENT_INVALID',
  ],
  [
    'ten schemes, of which the first is another',
    inBody({
      ...required(),
      accepts: [{ ...entry, scheme: 'upto' }, ...Array.from({ length: 9 }, () => entry)],
    }),
    'PAYMENT_UNSUPPORTED',
  ],
  [
    'seventeen schemes',
    inBody({ ...required(), accepts: Array.from({ length: 17 }, () => entry) }),
    'PAYMENT_REQUIREMENT_INVALID',
  ],
  ['another token', first({ asset: stranger.address }), 'PAYMENT_UNSUPPORTED'],
  ['an amount in 18 decimals', first({ amount: '10000000000000000' }), 'PAYMENT_UNSUPPORTED'],
  ['an amount with a point', first({ amount: '0.01' }), 'PAYMENT_REQUIREMENT_INVALID'],
  ['a payee that nobody admitted', first({ payTo: stranger.address }), 'PAYEE_KYC_NOT_APPROVED'],
])('%s is refused, and nothing is paid [gateway.http-services.bad-demands]', async (_, ask, code) => {
  const { gateway, payments } = await shop(ask);
  expect(await gateway.call()).toMatchObject({ code, detail: { paymentMade: false } });
  expect(payments()).toEqual([]);
});

test('a payee other than the one that discovery named is judged as who it is [gateway.http-services.bad-demands]', async () => {
  let payTo: string = merchant.address;
  const service = await kept(
    openMerchant((request, response) =>
      request.paid === null ? askFor(response, required({ payTo })) : sell(response),
    ),
  );
  const gateway = await kept(shopAt(service.origin));
  expect(await gateway.call()).toMatchObject({ code: 'SUCCESS' });
  payTo = stranger.address;
  expect(await gateway.call()).toMatchObject({ code: 'PAYEE_KYC_NOT_APPROVED' });
  expect(service.seen.filter(({ paid }) => paid !== null)).toHaveLength(1);
});

const again: Answer = (response) => askFor(response, required({ amount: '999999' }));
const failed: Answer = (response) =>
  response
    .writeHead(402, {
      'payment-response': base64({ success: false, errorReason: 'insufficient_funds', transaction: '' }),
    })
    .end();

test.each<[string, Answer, string]>([
  ['asks again, and for more', again, 'PAYMENT_REJECTED'],
  ['says that the settlement failed', failed, 'SETTLEMENT_FAILED'],
  ['answers 402 without a word', nothing, 'PAYMENT_OUTCOME_UNKNOWN'],
  ['is not well', (r) => r.writeHead(503).end('down'), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['answers without saying what became of the payment', (r) => r.end('sold'), 'PAYMENT_OUTCOME_UNKNOWN'],
  ['hangs up', (r) => r.destroy(), 'PAYMENT_OUTCOME_UNKNOWN'],
  [
    'sends the payment to another path',
    (r) => r.writeHead(307, { location: '/other' }).end(),
    'PAYMENT_OUTCOME_UNKNOWN',
  ],
])(
  'a service that takes the payment and %s gets it once [gateway.http-services.one-payment]',
  async (_, paid, code) => {
    const { gateway, payments } = await shop((response) => askFor(response), paid);
    expect(await gateway.call()).toMatchObject({ code });
    expect(payments()).toHaveLength(1);
  },
);

test('a tool that fails after it was paid is an error that was paid for [gateway.http-services.one-payment]', async () => {
  const broken: Answer = (response) =>
    response.writeHead(500, { 'payment-response': settlement }).end('x'.repeat(100_000));
  const { gateway } = await shop((response) => askFor(response), broken);
  const answer = await gateway.call();
  expect(answer).toMatchObject({
    code: 'DOWNSTREAM_TOOL_ERROR',
    detail: { paymentMade: true, downstreamMeta: { httpStatus: 500 } },
  });
  expect(JSON.stringify(answer.detail.downstreamContent).length).toBeLessThan(4100);
});

test('a redirect within the host is followed before the payment, which goes where the price was told [gateway.http-services.redirects]', async () => {
  const { gateway, payments } = await shop((response, { url }) =>
    url === '/buy?a=1' ? response.writeHead(308, { location: '/v2/buy?a=1' }).end() : askFor(response),
  );
  expect(await gateway.call({ a: 1 })).toMatchObject({ code: 'SUCCESS' });
  expect(payments()).toMatchObject([{ url: '/v2/buy?a=1' }]);
});

test('a payment goes to the request that asked for it, also after the service was connected anew [gateway.http-services.one-payment]', async () => {
  const service = await kept(
    openMerchant(({ url, paid }, response) => {
      if (paid !== null) sell(response);
      else if (url === '/buy?a=1') response.writeHead(308, { location: '/v2/buy?a=1' }).end();
      else if (url === '/v2/buy?a=1') askFor(response);
      else response.destroy();
    }),
  );
  const { services } = await kept(shopAt(service.origin, {}, { inputSchema: { type: 'object' } }));
  const about = (args: object) => call({ serviceId: 'shop', toolName: 'buy', arguments: { ...args } });
  const [bought, broken, unasked] = [about({ a: 1 }), about({ b: 1 }), about({ a: 1 })];
  for (const each of [bought, broken, unasked]) expect(await services.check(each)).toBeNull();
  expect(await services.call(bought)).toMatchObject({ kind: 'payment-required' });
  expect(await services.call(broken)).toMatchObject({ kind: 'unavailable' });
  expect(await services.callPaid(bought, { x402Version: 2 })).toMatchObject({ kind: 'result' });
  expect(await services.callPaid(unasked, { x402Version: 2 })).toMatchObject({ kind: 'unavailable' });
  expect(service.seen.filter(({ paid }) => paid !== null)).toMatchObject([{ url: '/v2/buy?a=1' }]);
});

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost:ELSEWHERE/',
  '//127.0.0.1:ELSEWHERE/',
  'https://127.0.0.1:SAME/',
  'file:///etc/passwd',
  'http://127.0.0.1:SAME@127.0.0.1:ELSEWHERE/',
])(
  'a redirect to %s is followed by nobody, paid or not [gateway.http-services.redirects]',
  async (location) => {
    const elsewhere = await kept(openMerchant((_, response) => response.end('secret')));
    const portOf = (origin: string) => new URL(origin).port;
    const send: Answer = (response) => {
      const here = String(response.socket?.localPort);
      const target = location.replace('SAME', here).replace('ELSEWHERE', portOf(elsewhere.origin));
      response.writeHead(307, { location: target }).end();
    };
    const unpaid = await shop(send);
    expect(await unpaid.gateway.call()).toMatchObject({
      code: 'DOWNSTREAM_UNAVAILABLE',
      detail: { downstreamFailure: { reason: 'redirect', httpStatus: 307 }, downstreamContent: null },
    });
    const paid = await shop((response) => askFor(response), send);
    expect(await paid.gateway.call()).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
    expect([unpaid.seen.length, paid.seen.length, paid.payments().length]).toEqual([1, 2, 1]);
    expect(elsewhere.seen).toEqual([]);
  },
);

/** Writes for as long as somebody reads. */
const endless = (response: ServerResponse, piece: Buffer): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
const megabyte = Buffer.alloc(1024 * 1024, 'x');

test('a 402 of any size costs little: its header counts, and without one it is no price [gateway.http-services.limits]', async () => {
  let written = 0;
  const flood =
    (headers: Record<string, string>): Answer =>
    (response) => {
      response.writeHead(402, headers);
      response.socket?.once('close', (): void => void (written += response.socket?.bytesWritten ?? 0));
      endless(response, megabyte);
    };
  const silent = await shop(flood({}));
  expect(await silent.gateway.call()).toMatchObject({ code: 'PAYMENT_REQUIREMENT_INVALID' });
  const honest = await shop(flood({ 'payment-required': base64(required()) }));
  expect(await honest.gateway.call()).toMatchObject({ code: 'SUCCESS' });
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

test('an endless answer ends at 16 MiB; one that was paid for is kept as far as it came [gateway.http-services.limits]', async () => {
  const flood =
    (headers: Record<string, string>): Answer =>
    (response) => {
      response.writeHead(200, headers);
      endless(response, megabyte);
    };
  const json = await shop(flood({ 'content-type': 'application/json' }));
  expect(await json.gateway.call()).toMatchObject({
    code: 'DOWNSTREAM_TOOL_ERROR',
    detail: { downstreamContent: null },
  });
  const paid = await shop(
    (response) => askFor(response),
    flood({ 'content-type': 'text/plain', 'payment-response': settlement }),
  );
  const answer = await paid.gateway.call();
  expect(answer).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true, downstreamMeta: { truncated: true } },
  });
  const [block] = answer.detail.downstreamContent as [{ text: string }];
  expect(block.text).toHaveLength(16 * 1024 * 1024);
});

test('a stream of events is collected until it ends or is late, paid or not [gateway.http-services.limits]', async () => {
  const ticker =
    (headers: Record<string, string>): Answer =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      response.write('data: 1\n\n');
    };
  const times = { DOWNSTREAM_TIMEOUT_MS: '300', PAYMENT_TIMEOUT_MS: '300' };
  const free = await shop(ticker({}), undefined, times);
  const cut = {
    downstreamContent: [{ type: 'text', text: 'data: 1\n\n' }],
    downstreamMeta: { truncated: true },
  };
  expect(await free.gateway.call()).toMatchObject({ code: 'SUCCESS', detail: cut });
  const paid = await shop((response) => askFor(response), ticker({ 'payment-response': settlement }), times);
  expect(await paid.gateway.call()).toMatchObject({ code: 'SUCCESS', detail: { ...cut, paymentMade: true } });
  const whole = await shop((response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: 1\n\n'),
  );
  const { detail } = await whole.gateway.call();
  expect(detail.downstreamMeta).toBeUndefined();
});

test.each<[string, string, Buffer, object]>([
  [
    'JSON',
    'application/problem+json; charset=utf-8',
    Buffer.from('{"ü":1}'),
    { type: 'text', text: '{"ü":1}' },
  ],
  [
    'text of another charset',
    'text/plain; charset=iso-8859-1',
    Buffer.from([0xfc]),
    { type: 'text', text: 'ü' },
  ],
  ['an image', 'image/png', Buffer.from([137, 80]), { type: 'image', mimeType: 'image/png', data: 'iVA=' }],
  ['sound', 'audio/mpeg', Buffer.from([1]), { type: 'audio', mimeType: 'audio/mpeg', data: 'AQ==' }],
  [
    'anything else',
    'application/pdf',
    Buffer.from([0, 1]),
    { type: 'resource', resource: { mimeType: 'application/pdf', blob: 'AAE=' } },
  ],
  [
    'a type that makes no sense',
    'x; y',
    Buffer.from([0]),
    { type: 'resource', resource: { mimeType: 'application/octet-stream', blob: 'AA==' } },
  ],
])('%s is a block of its kind [gateway.http-services.answers]', async (_, type, body, block) => {
  const { gateway } = await shop((response) => response.writeHead(200, { 'content-type': type }).end(body));
  expect(await gateway.call({ key: 'secret' })).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: false, downstreamContent: [block] },
  });
});

test.each<[number, string, object]>([
  [
    404,
    'DOWNSTREAM_TOOL_ERROR',
    { downstreamMeta: { httpStatus: 404 }, downstreamContent: [{ type: 'text', text: 'no' }] },
  ],
  [401, 'DOWNSTREAM_TOOL_ERROR', { downstreamMeta: { httpStatus: 401 } }],
  [429, 'DOWNSTREAM_UNAVAILABLE', { downstreamFailure: { reason: 'rate_limited', retryAfter: 7 } }],
  [
    503,
    'DOWNSTREAM_UNAVAILABLE',
    { downstreamFailure: { reason: 'http_error', httpStatus: 503, retryAfter: 7 }, downstreamContent: null },
  ],
  [409, 'DOWNSTREAM_TOOL_ERROR', { downstreamMeta: { httpStatus: 409, retryAfter: 7 } }],
])('HTTP %i is %s [gateway.http-services.answers]', async (status, code, detail) => {
  const { gateway } = await shop((response) =>
    response.writeHead(status, { 'content-type': 'text/plain', 'retry-after': '7' }).end('no\u200b'),
  );
  expect(await gateway.call()).toMatchObject({ code, detail });
});

const inAnHour = () => new Date(Date.now() + 3_600_000);

test.each<[string, () => string | string[], number | undefined]>([
  ['a date', () => inAnHour().toUTCString(), 3600],
  [
    'a date of RFC 850',
    () =>
      inAnHour()
        .toUTCString()
        .replace(/^\w+, (\d+) (\w+) \d\d(\d\d)/, 'Sunday, $1-$2-$3'),
    3600,
  ],
  ['a date that has passed', () => 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['two values', () => ['7', '8'], undefined],
  ['a fraction', () => '1.5', undefined],
  ['less than nothing', () => '-5', undefined],
  ['a text', () => 'Sundays, when the shop at 8 GMT', undefined],
  ['more digits than a century has seconds', () => '9'.repeat(20), undefined],
])(
  'Retry-After with %s is seconds or nothing [gateway.http-services.retry-after]',
  async (_, header, seconds) => {
    const { gateway } = await shop((response) =>
      response.writeHead(503, { 'retry-after': header() as string }).end(),
    );
    const { code, detail } = await gateway.call();
    expect(code).toBe('DOWNSTREAM_UNAVAILABLE');
    const { retryAfter } = detail.downstreamFailure as { retryAfter?: number };
    // To ten minutes: a slow machine may be late.
    expect(retryAfter && Math.round(retryAfter / 600) * 600).toBe(seconds);
  },
);

test('a service that asks for patience after it was paid is told with how much, and that money may have moved [gateway.http-services.retry-after]', async () => {
  for (const status of [429, 503]) {
    const { gateway, payments } = await shop(
      (response) => askFor(response),
      (response) => response.writeHead(status, { 'retry-after': '7' }).end(),
    );
    expect(await gateway.call()).toMatchObject({
      code: 'PAYMENT_OUTCOME_UNKNOWN',
      detail: { downstreamFailure: { httpStatus: status, retryAfter: 7 } },
    });
    expect(payments()).toHaveLength(1);
  }
});

test('what is compressed unasked is not unpacked [gateway.http-services.limits]', async () => {
  const { gateway } = await shop((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('bomb'),
  );
  expect(await gateway.call()).toMatchObject({
    code: 'DOWNSTREAM_TOOL_ERROR',
    message: expect.stringContaining('compressed'),
    detail: { downstreamContent: null },
  });
});

test('arguments that would leave their place are refused and nothing is sent [gateway.http-services.arguments-stay-in-place]', async () => {
  const service = await kept(openMerchant((_, response) => response.end('ok')));
  const gateway = await kept(
    gatewayWith({
      shop: { endpoint: `${service.origin}/items/{id}?key=1`, name: 'buy', inputSchema: { type: 'object' } },
    }),
  );
  for (const id of ['../admin', '..', 'a\r\nHost: evil', '%2e%2e', '..\\admin'])
    expect(await gateway.call({ id })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  expect(service.seen).toEqual([]);
  expect(await gateway.call({ id: 'a/b?c#d', 'x&key': '2&key=3' })).toMatchObject({ code: 'SUCCESS' });
  expect(service.seen).toMatchObject([{ url: '/items/a%2Fb%3Fc%23d?key=1&x%26key=2%26key%3D3' }]);
});

test('a header that comes twice is none: no price, no settlement, no encoding that is known [gateway.http-services.bad-demands]', async () => {
  const twice =
    (status: number, name: string, value: string): Answer =>
    (response) =>
      response.writeHead(status, { [name]: [value, value] }).end('x');
  const asking = await shop(twice(402, 'payment-required', base64(required())));
  expect(await asking.gateway.call()).toMatchObject({ code: 'PAYMENT_REQUIREMENT_INVALID' });
  const paid = await shop((response) => askFor(response), twice(200, 'payment-response', settlement));
  expect(await paid.gateway.call()).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  const encoded = await shop(twice(200, 'content-encoding', 'gzip'));
  expect(await encoded.gateway.call()).toMatchObject({ code: 'DOWNSTREAM_TOOL_ERROR' });
});

test('of an error of any size its first words are told [gateway.http-services.answers]', async () => {
  const { gateway } = await shop((response) => {
    response.writeHead(404, { 'content-type': 'text/plain' });
    endless(response, megabyte);
  });
  const { code, detail } = await gateway.call();
  expect([code, detail.downstreamMeta]).toEqual(['DOWNSTREAM_TOOL_ERROR', { httpStatus: 404 }]);
  const [block] = detail.downstreamContent as [{ text: string }];
  expect(block.text).toHaveLength(4000);
});
