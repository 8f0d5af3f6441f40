import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { askFor, openMerchant, settlement, shopAt } from '../../test/http-merchant.ts';

const open: { readonly stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});

async function gatewayTo(origin: string) {
  const gateway = await shopAt(origin, {}, { inputSchema: { type: 'object' } });
  open.push(gateway);
  return gateway;
}

/** A gateway whose service answers with these bytes, to the letter. */
async function answering(text: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(text.replaceAll('\n', '\r\n')));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push({ stop: async () => void server.close() });
  return gatewayTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const ok = [{ type: 'text', text: 'ok' }];
const plain = 'HTTP/1.1 200 OK\ncontent-type: text/plain\n';

test.each<[string, string, string, unknown]>([
  [
    'hints before it',
    `HTTP/1.1 103 Early Hints\nlink: </a>\n\n${plain}content-length: 2\n\nok`,
    'SUCCESS',
    ok,
  ],
  ['no content', 'HTTP/1.1 204 No Content\n\n', 'SUCCESS', []],
  ['a part of it', 'HTTP/1.1 206 Partial\ncontent-type: text/plain\ncontent-length: 2\n\nok', 'SUCCESS', ok],
  ['no length, by an old server', 'HTTP/1.0 200 OK\ncontent-type: text/plain\n\nok', 'SUCCESS', ok],
  ['chunks', `${plain}transfer-encoding: chunked\n\n2\nok\n0\n\n`, 'SUCCESS', ok],
  ['less than it promised', `${plain}content-length: 9\n\nok`, 'DOWNSTREAM_TOOL_ERROR', null],
  ['two lengths', `${plain}content-length: 2\ncontent-length: 3\n\nokk`, 'DOWNSTREAM_UNAVAILABLE', null],
  ['a status that nobody knows', 'HTTP/1.1 999 Odd\ncontent-length: 2\n\nok', 'DOWNSTREAM_TOOL_ERROR', ok],
  [
    'another protocol',
    'HTTP/1.1 101 Switching\nupgrade: x\nconnection: upgrade\n\n',
    'DOWNSTREAM_UNAVAILABLE',
    null,
  ],
  [
    'a price in what comes before it',
    `HTTP/1.1 103 Early Hints\npayment-required: e30=\n\n${plain}content-length: 2\n\nok`,
    'SUCCESS',
    ok,
  ],
])(
  'an answer with %s is told as what it is [gateway.http-services.answers]',
  async (_, text, code, content) => {
    const gateway = await answering(text);
    expect(await gateway.call()).toMatchObject({
      code,
      detail: { paymentMade: false, downstreamContent: content },
    });
  },
);

test.each<[number, string]>([
  [204, 'SUCCESS'],
  [302, 'DOWNSTREAM_TOOL_ERROR'],
  [500, 'DOWNSTREAM_TOOL_ERROR'],
])(
  'HTTP %i that tells of a settlement was paid, and is not asked again [gateway.http-services.one-payment]',
  async (status, code) => {
    const merchant = await openMerchant((request, response) => {
      if (request.paid === null) askFor(response);
      else response.writeHead(status, { 'payment-response': settlement, location: '/other' }).end();
    });
    open.push(merchant);
    const gateway = await gatewayTo(merchant.origin);
    expect(await gateway.call()).toMatchObject({ code, detail: { paymentMade: true } });
    expect(merchant.seen).toHaveLength(2);
  },
);
