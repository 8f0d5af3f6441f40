import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { payeeFileFetcher, readPayeeFile } from '../src/payees/domain-file.ts';
import { newWallet } from './dashboard.ts';
import { startDocumentServer } from './oauth/document-server.ts';
import { fileOf, maxPayeeFileBytes, payeeFilePath, proofBy } from './payee-domains.ts';

const [domain, other] = ['shop.example', 'other.example'];
const good = fileOf(proofBy(newWallet(), { domain }));

let server: Awaited<ReturnType<typeof startDocumentServer>>;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeAll(async () => {
  server = await startDocumentServer((request, response) => answer(request, response), [domain, other]);
});
beforeEach(() => {
  answer = (_, response) => void response.writeHead(200).end(good);
});
afterAll(() => server?.stop());

/** A name server of ours: each question gets the next of these addresses, and then the last again. */
const resolvesTo =
  (...addresses: string[]): LookupFunction =>
  (_, { all }, callback) => {
    const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? '';
    if (all === true) callback(null, [{ address, family: 4 }]);
    else callback(null, address, 4);
  };

/** As it asks in the world, but that this machine's addresses are taken for public. */
const open = () => {
  const { ca, port } = server;
  return payeeFileFetcher({ allowPrivate: true, ca, port, lookup: resolvesTo('127.0.0.1') });
};
const read = () => readPayeeFile(open(), domain);
const moved = (location: string, from: string = payeeFilePath) => {
  answer = ({ url, headers }, response) =>
    url === from && headers.host?.startsWith(domain)
      ? void response.writeHead(302, { location }).end()
      : void response.writeHead(200).end(good);
};

test('the file is read from its one place, by TLS, for the name of the domain [dashboard.payees.domain.fetch]', async () => {
  expect(await read()).toHaveLength(1);
  expect(server.asked.at(-1)).toBe(payeeFilePath);
  const { ca: _, ...untrusted } = {
    ca: '',
    allowPrivate: true,
    port: server.port,
    lookup: resolvesTo('127.0.0.1'),
  };
  expect(await readPayeeFile(payeeFileFetcher(untrusted), domain)).toBe('UNREACHABLE');
  expect(await readPayeeFile(open(), 'third.example')).toBe('UNREACHABLE');
});

test('no domain leads to an address inside, nor does one that is public at the first look-up [dashboard.payees.domain.fetch]', async () => {
  const { ca, port } = server;
  const before = server.connections();
  for (const inside of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '0.0.0.0']) {
    const guarded = payeeFileFetcher({ ca, port, lookup: resolvesTo(inside) });
    expect([inside, await readPayeeFile(guarded, domain)]).toEqual([inside, 'UNREACHABLE']);
  }
  // A name that turns: a check before the connection would have seen the public address.
  const turning = resolvesTo('203.0.113.7', '127.0.0.1');
  turning(domain, {}, (_, address) => expect(address).toBe('203.0.113.7'));
  expect(await readPayeeFile(payeeFileFetcher({ ca, port, lookup: turning }), domain)).toBe('UNREACHABLE');
  expect(server.connections()).toBe(before);
  // The control: where it may, it goes there.
  expect(await read()).toHaveLength(1);
  expect(server.connections()).toBe(before + 1);
});

test('a redirect within the host is followed, three times at most [dashboard.payees.domain.fetch]', async () => {
  moved('/payee.json');
  expect(await read()).toHaveLength(1);
  moved(`https://${domain}/payee.json`);
  expect(await read()).toHaveLength(1);
  const before = server.asked.length;
  answer = (_, response) => void response.writeHead(302, { location: payeeFilePath }).end();
  expect(await read()).toBe('UNREACHABLE');
  expect(server.asked.length - before).toBe(4);
});

test.each([
  `https://${other}${payeeFilePath}`,
  `//${other}/payee.json`,
  `https://${domain}.${other}/`,
  `https://${domain}@${other}/`,
  `https://user:word@${domain}/payee.json`,
  `https://${domain}:8443/payee.json`,
  `http://${domain}/payee.json`,
  'https://169.254.169.254/',
  'file:///etc/passwd',
])('a redirect to %s is followed by nobody [dashboard.payees.domain.fetch]', async (location) => {
  moved(location);
  const before = server.asked.length;
  expect(await read()).toBe('REDIRECTED');
  expect(server.asked.slice(before)).toEqual([payeeFilePath]);
});

test('a file that is too large, never ends or breaks off is none, and one of the largest size is [dashboard.payees.domain.fetch]', async () => {
  const padded = (bytes: number) => good + ' '.repeat(bytes - Buffer.byteLength(good));
  answer = (_, response) => void response.writeHead(200).end(padded(maxPayeeFileBytes));
  expect(await read()).toHaveLength(1);
  answer = (_, response) => void response.writeHead(200).end(padded(maxPayeeFileBytes + 1));
  expect(await read()).toBe('UNREACHABLE');
  answer = (_, response) => void response.writeHead(200).write(good);
  expect(await read()).toBe('UNREACHABLE');
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100000' }).write(good);
    response.destroy();
  };
  expect(await read()).toBe('UNREACHABLE');
});

test.each([
  [404, 'NO_FILE'],
  [410, 'NO_FILE'],
  [401, 'UNREACHABLE'],
  [429, 'UNREACHABLE'],
  [500, 'UNREACHABLE'],
  [302, 'UNREACHABLE'],
])('an answer of %i is %s [dashboard.payees.domain.fetch]', async (status, verdict) => {
  answer = (_, response) => void response.writeHead(status).end(good);
  expect(await read()).toBe(verdict);
});
