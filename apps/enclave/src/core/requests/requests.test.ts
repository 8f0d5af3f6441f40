import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import { anyAddress, addressRule } from '../../egress/addresses.ts';
import { dialer } from '../../egress/dial.ts';
import { type RunningCore, startOnSocket } from '../../../test/core-on-socket.ts';
import { bindingOf, sealed } from '../../../test/credentials.ts';
import { trust } from '../broker/reach.ts';
import { requestHandlers } from './commands.ts';
import { Turns } from './turns.ts';
import { createServer as createTcpServer } from 'node:net';

const secret = 'sk_live_4aB2+9cD8/eF7x';
type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

let core: RunningCore;
let origin: string;
let answer: Answer;
let seen: { url: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', () => {
    const body = Buffer.concat(pieces).toString();
    seen.push({ url: request.url, headers: request.headers, body });
    answer(response, request, body);
  });
});
const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const [toAny, toPublic] = [dialer(anyAddress, resolve), dialer(addressRule([]), resolve)];
let isPrivateNamed = true;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  core = await startOnSocket({
    out: {
      dial: ({ host, port }) => (isPrivateNamed ? toAny : toPublic)(host, port),
      secureContext: trust(null),
    },
  });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await core.stop();
});

type Asked = CommandRequest<'credential.request'>;

async function request(
  send: Partial<Asked['send']> = {},
  about: { plaintext?: object; type?: Binding['type']; allowedUrls?: string[]; requestId?: string } = {},
) {
  seen = [];
  const { plaintext = { key: secret }, type = 'api_key' } = about;
  const { binding, envelope } = await sealed(core.client, {
    binding: bindingOf({ type }),
    plaintext: Buffer.from(JSON.stringify(plaintext)),
  });
  const came = await core.client.call('credential.request', {
    requestId: about.requestId ?? randomUUID(),
    binding,
    envelope,
    allowedUrls: about.allowedUrls ?? [origin],
    actor: 'user:ada token:t',
    send: {
      method: 'POST',
      url: `${origin}/v1/things?a=b`,
      credential_headers: { authorization: 'Bearer {{CREDENTIAL.key}}' },
      timeout_ms: 20_000,
      ...send,
    },
  });
  if (!came.ok) throw new Error(came.error.code);
  const { reply, body } = came.value;
  const audit = await core.client.call('audit.query', {
    filter: { tenantId: binding.tenantId, credentialId: binding.credentialId },
    limit: 10,
    offset: 0,
  });
  const events = audit.ok ? audit.value.reply.items : [];
  return { ...reply, body, text: body.toString(), events };
}

const say =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }): Answer =>
  (response) =>
    response.writeHead(200, headers).end(body);

test('the credential stands in the header that its template names, once its opening is on record [vault.request.sends] [vault.request.told]', async () => {
  answer = say('{"ok":true}');
  const {
    answer: heard,
    text,
    events,
    auditId,
  } = await request({
    headers: { accept: 'application/json', 'x-more': 'plain' },
    body: '{"q":1}',
  });
  expect(heard).toMatchObject({ status: 200, cut: null });
  expect(text).toBe('{"ok":true}');
  expect(seen).toEqual([
    {
      url: '/v1/things?a=b',
      body: '{"q":1}',
      headers: expect.objectContaining({
        authorization: `Bearer ${secret}`,
        accept: 'application/json',
        'x-more': 'plain',
        host: new URL(origin).host,
      }),
    },
  ]);
  const opened = events.find(({ eventType }) => eventType === 'credential_access');
  expect(opened).toMatchObject({ auditId, detail: { reason: `request POST ${origin}` } });
  expect(events.find(({ eventType }) => eventType === 'request_ended')?.detail).toEqual({
    method: 'POST',
    origin,
    path: '/v1/things',
    headers: ['accept', 'x-more'],
    credentialHeaders: ['authorization'],
    bodySha256: createHash('sha256').update('{"q":1}').digest('hex'),
    outcome: 'answered',
    status: 200,
  });
});

test('several headers and several fields are filled, each in its own place [vault.request.sends]', async () => {
  answer = say('{}');
  await request(
    {
      credential_headers: {
        'x-id': '{{CREDENTIAL.key}}',
        'x-both': '{{CREDENTIAL.secret}}:{{CREDENTIAL.key}}',
      },
    },
    { plaintext: { key: 'first1key2is3made4', secret: 'second1secret2of3another4length' } },
  );
  expect(seen[0]?.headers).toMatchObject({
    'x-id': 'first1key2is3made4',
    'x-both': 'second1secret2of3another4length:first1key2is3made4',
  });
});

test('a placeholder means nothing in the path, the body or a header of the caller [vault.request.templates]', async () => {
  answer = say('{}');
  const placeholder = '{{CREDENTIAL.key}}';
  await request({
    url: `${origin}/v1/${encodeURIComponent(placeholder)}?q=${encodeURIComponent(placeholder)}`,
    headers: { 'x-caller': placeholder },
    body: JSON.stringify({ placeholder }),
  });
  const [one] = seen;
  expect(one?.headers['x-caller']).toBe(placeholder);
  expect(one?.headers.authorization).toBe(`Bearer ${secret}`);
  expect(one?.body).toBe(JSON.stringify({ placeholder }));
  expect(JSON.stringify([one?.url, one?.body, one?.headers['x-caller']])).not.toContain('sk_live');
});

const percent = encodeURIComponent(secret);
test.each<[string, string | Buffer, string]>([
  ['JSON', JSON.stringify({ said: secret }), 'application/json'],
  [
    'JSON with escapes',
    `{"said":"${secret.replaceAll('/', '\\/').replaceAll('k', '\\u006b')}"}`,
    'application/json',
  ],
  ['base64', `x ${Buffer.from(`Bearer ${secret}`).toString('base64')} y`, 'text/plain'],
  ['percent-encoding', percent, 'text/plain'],
  ['hex', Buffer.from(secret).toString('hex'), 'text/html'],
  ['UTF-16', Buffer.from(`said ${secret}`, 'utf16le'), 'text/plain; charset=utf-16le'],
  ['bytes that are called an image and are text', secret, 'image/png'],
  ['ASCII that is called UTF-16', `said ${secret} `, 'text/plain; charset=utf-16le'],
  [
    'percent-encoding in an image',
    Buffer.concat([Buffer.from([255, 0, 255]), Buffer.from(percent)]),
    'image/png',
  ],
  ['an image', Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(secret)]), 'image/png'],
  [
    'base64 in an image',
    Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(Buffer.from(`a${secret}b`).toString('base64'))]),
    'image/png',
  ],
  [
    'an image that has it in wide letters',
    Buffer.concat([Buffer.from([255, 254]), Buffer.from(secret, 'utf16le')]),
    'image/png',
  ],
])(
  'a service that repeats the credential as %s does not bring it to the caller [vault.request.masked]',
  async (_, body, type) => {
    answer = say(body, { 'content-type': type, 'x-echo': secret, 'x-also': percent });
    const { answer: heard, body: got, events } = await request();
    // Control: the service had it.
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    const all = [
      JSON.stringify(heard),
      got.toString('latin1'),
      got.toString('utf16le'),
      // Of text in a wrong charset: back to the bytes that were sent.
      Buffer.from(got.toString(), 'utf16le').toString('latin1'),
      got.toString('latin1').replaceAll('\0', ''),
    ];
    for (const form of [
      secret,
      percent,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, 16),
    ])
      for (const text of all) expect(text).not.toContain(form);
    expect(Buffer.from(got.toString().replace(/^x | y$/g, ''), 'base64').toString('latin1')).not.toContain(
      'live',
    );
    expect(JSON.stringify(events)).not.toContain('sk_live');
  },
);

test('bytes that hold nothing of it come as they are [vault.request.masked]', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7919) % 256));
  answer = say(bytes, { 'content-type': 'image/png' });
  expect((await request()).body.equals(bytes)).toBe(true);
});

test('of a text that is cut within the credential not one sign of that is told [vault.request.masked]', async () => {
  const begin = 'a '.repeat(40_000);
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(`${begin}${secret.slice(0, -3)}`, () => response.destroy());
  };
  const { answer: heard, text } = await request();
  expect(heard).toMatchObject({ cut: 'broken' });
  expect(text.startsWith('a a a')).toBe(true);
  expect(text).not.toContain('sk');
});

test('what is larger than is kept is cut, and what is packed is not told [vault.request.bounds]', async () => {
  answer = say('b '.repeat(3 * 1024 * 1024), { 'content-type': 'text/plain' });
  const large = await request();
  expect(large.answer).toMatchObject({ cut: 'too-large' });
  expect(large.body.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  answer = say('packed', { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
  const packed = await request();
  expect(packed.answer).toMatchObject({ headers: { 'content-encoding': 'gzip' } });
  expect(packed.text).toBe('');
});

test('a redirect is an answer: its address hears nothing [vault.request.redirects]', async () => {
  answer = (response) =>
    response.writeHead(307, { location: `${origin.replace('127.0.0.1', 'localhost')}/other` }).end();
  const { answer: heard } = await request();
  expect(heard).toMatchObject({ status: 307 });
  expect(seen).toHaveLength(1);
});

test.each<[string, string[], string]>([
  ['names no address', [], '/v1/things'],
  ['names another host', ['https://other.example'], '/v1/things'],
  ['names another path', ['/own/*'], '/v1/things'],
  ['names another path, from which one steps out', ['/own/*'], '/own/..%2fv1/things'],
])(
  'a credential that %s is not opened, and that is on record [vault.request.allowed-urls]',
  async (_, patterns, path) => {
    const allowedUrls = patterns.map((pattern) => (pattern.startsWith('/') ? origin + pattern : pattern));
    const {
      answer: heard,
      problem,
      events,
      auditId,
    } = await request({ url: origin + path }, { allowedUrls });
    expect({ heard, problem }).toEqual({ heard: null, problem: 'outside_allowed_urls' });
    expect(seen).toEqual([]);
    expect(events).toMatchObject([
      { auditId, eventType: 'policy_rejected', detail: { rule: 'request.outside-allowed-urls' } },
    ]);
  },
);

test.each<[string, Parameters<typeof request>[1], Partial<Asked['send']>]>([
  ['is too short to be masked', { plaintext: { key: 'abc' } }, {}],
  ['would begin another header', { plaintext: { key: 'a1b2c3d4e5f6g7h8\r\nx-other: 1' } }, {}],
  ['is not there', {}, { credential_headers: { authorization: '{{CREDENTIAL.secret}}' } }],
])('a credential whose value %s is not sent [vault.request.unusable]', async (_, about, send) => {
  expect(await request(send, about)).toMatchObject({ answer: null, problem: 'credential_unusable' });
  expect(seen).toEqual([]);
});

test('a service at a private address is not asked unless the enclave says so [vault.request.private]', async () => {
  isPrivateNamed = false;
  const { problem, events } = await request().finally(() => {
    isPrivateNamed = true;
  });
  expect(problem).toBe('private_address');
  expect(events).toMatchObject([
    { eventType: 'request_ended', detail: { outcome: 'private_address', path: '/v1/things' } },
  ]);
});

test('a service that ends the connection, or is silent until the time is up, gives no answer [vault.request.bounds]', async () => {
  answer = (response) => response.destroy();
  expect(await request()).toMatchObject({ answer: null, problem: 'no_answer' });
  answer = () => {};
  expect(await request({ timeout_ms: 2_000 })).toMatchObject({ answer: null, problem: 'no_answer' });
});

test.each<[string, Parameters<typeof request>[1], object]>([
  [
    'a password',
    { type: 'username_password', plaintext: { username: 'ada', password: secret } },
    { authorization: '{{CREDENTIAL.password}}' },
  ],
  ['a short key', { plaintext: { key: 'hunter2hunter' } }, { authorization: '{{CREDENTIAL.key}}' }],
  [
    'a key in words',
    { plaintext: { key: 'correct-horse-battery-staple' } },
    { authorization: '{{CREDENTIAL.key}}' },
  ],
  [
    'a weak secret beside its key',
    { plaintext: { key: secret, secret: 'spring-2026' } },
    { authorization: '{{CREDENTIAL.key}}' },
  ],
])(
  '%s is not sent, and that is on record: the mask would tell who guesses [vault.request.machines]',
  async (_, about, credential_headers) => {
    // A service that repeats what the caller guesses.
    answer = say('{"guess":"hunter2hunter"}');
    const {
      answer: heard,
      problem,
      events,
    } = await request({ credential_headers: credential_headers as Record<string, string> }, about);
    expect({ heard, problem }).toEqual({ heard: null, problem: 'credential_guessable' });
    expect(seen).toEqual([]);
    const refusals = events.filter(({ eventType }) => eventType === 'policy_rejected');
    expect(refusals).toMatchObject([
      { detail: { rule: 'request.not-made-by-machines', path: '/v1/things' } },
    ]);
  },
);

test('an answer with more than 64 KiB of headers is none [vault.request.bounds]', async () => {
  const withHeader = (length: number): Answer => say('{}', { 'x-long': 'a b'.repeat(length / 3) });
  answer = withHeader(48 * 1024);
  expect((await request()).answer).toMatchObject({ status: 200 });
  answer = withHeader(72 * 1024);
  expect(await request()).toMatchObject({ answer: null, problem: 'no_answer' });
});

test('a tenant has eight requests under way, and one ends when its caller hangs up [vault.request.bounds]', async () => {
  let heldBack = 0;
  let closed = 0;
  const allHeld = new Promise<void>((resolve) => {
    answer = (response) => {
      response.once('close', () => (closed += 1));
      if ((heldBack += 1) === 8) resolve();
    };
  });
  const ids = Array.from({ length: 8 }, () => randomUUID());
  const under = ids.map((requestId) => request({}, { requestId }));
  await allHeld;
  expect(await request()).toMatchObject({ answer: null, problem: 'busy' });
  for (const requestId of ids) await core.client.call('credential.endRequest', { requestId });
  for (const one of under) expect(await one).toMatchObject({ answer: null, problem: 'no_answer' });
  answer = say('{}');
  expect((await request()).answer).toMatchObject({ status: 200 });
  expect(closed).toBe(8);
});

test('a service that takes the connection and says nothing of TLS is given up [vault.request.bounds]', async () => {
  const silentOne = createTcpServer(() => {});
  await new Promise<void>((listening) => silentOne.listen(0, '127.0.0.1', listening));
  const { port } = silentOne.address() as AddressInfo;
  const handlers = requestHandlers({
    audit: { append: async () => ({ ok: true, value: { auditId: 'a' } }) as never },
    open: () => Promise.reject(new Error('not opened')),
    out: { dial: ({ host }) => toAny(host, port), secureContext: trust(null) },
    limits: { connectMs: 50 },
  });
  const url = `https://127.0.0.1:${port}`;
  const { binding, envelope } = await sealed(core.client, {
    binding: bindingOf({ type: 'api_key' }),
    plaintext: Buffer.from(JSON.stringify({ key: secret })),
  });
  const asked = { requestId: randomUUID(), binding, envelope, allowedUrls: [url], actor: 'user:ada' };
  const send = {
    method: 'GET',
    url,
    headers: {},
    credential_headers: { authorization: '{{CREDENTIAL.key}}' },
    timeout_ms: 120_000,
  } as const;
  const never = new AbortController().signal;
  const came = await handlers['credential.request']({ ...asked, send }, Buffer.alloc(0), never);
  expect(came).toMatchObject({ ok: true, value: { reply: { problem: 'unreachable', auditId: 'a' } } });
  silentOne.close();
});

test('two answers are masked at a time, the others wait, within their time [vault.request.bounds]', async () => {
  const turns = new Turns(2);
  const ends: (() => void)[] = [];
  const work = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
  const over = new AbortController();
  const both = [1, 2].map(() => turns.run(work, over.signal));
  const [third, late] = [turns.run(work, new AbortController().signal), turns.run(work, over.signal)];
  over.abort();
  expect(await late).toBe(null);
  expect(ends).toHaveLength(2);
  for (const end of ends) end();
  expect(await Promise.all(both)).toEqual(['done', 'done']);
  await new Promise(setImmediate);
  ends[2]?.();
  expect(await third).toBe('done');
});
