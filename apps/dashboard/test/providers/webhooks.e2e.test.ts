import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDashboardForTest } from '../dashboard.ts';
import { persona } from './persona.ts';
import { sumsub } from './sumsub.ts';
import type { Vendor } from './vendor.ts';
import { openVendorWorld, openVendorWorldForTest, type VendorWorld } from './vendors.ts';

type Sent = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

/** How a vendor signs what it sends. */
type Sender = {
  readonly vendor: Vendor;
  readonly event: (accountId: string, id: string) => object;
  readonly sign: (body: string, now: Date, secret?: string) => Sent;
  /** Signed by the right secret, and yet no signature. */
  readonly worthless: readonly (readonly [what: string, (body: string, now: Date) => Sent])[];
};

const hmac = (algorithm: string, secret: string, text: string) =>
  createHmac(algorithm, secret).update(text).digest('hex');

const sumsubSecret = 'sumsub webhook secret';
const digested = (algorithm: string, name: string, body: string, secret = sumsubSecret): Sent => ({
  body,
  headers: { 'x-payload-digest': hmac(algorithm, secret, body), 'x-payload-digest-alg': name },
});
const fromSumsub: Sender = {
  vendor: sumsub,
  event: (externalUserId, correlationId) => ({
    applicantId: '5b594ade0a975a36c9349e66',
    type: 'applicantReviewed',
    // What it says of the review is not believed.
    reviewStatus: 'completed',
    reviewResult: { reviewAnswer: 'GREEN' },
    externalUserId,
    correlationId,
  }),
  sign: (body, _, secret) => digested('sha256', 'HMAC_SHA256_HEX', body, secret),
  worthless: [
    ['SHA-1', (body) => digested('sha1', 'HMAC_SHA1_HEX', body)],
    ['an unknown algorithm', (body) => digested('sha256', 'HMAC_MD5_HEX', body)],
    ['a digest of another algorithm', (body) => digested('sha512', 'HMAC_SHA256_HEX', body)],
  ],
};

const personaSecret = 'persona webhook secret';
const pair = (body: string, now: Date, secret = personaSecret) => {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${hmac('sha256', secret, `${seconds}.${body}`)}`;
};
const withHeader = (body: string, signature: string): Sent => ({
  body,
  headers: { 'persona-signature': signature },
});
const fromPersona: Sender = {
  vendor: persona,
  event: (reference, id) => ({
    data: {
      type: 'event',
      id: `evt_${id}`,
      attributes: {
        name: 'inquiry.approved',
        payload: {
          data: {
            type: 'inquiry',
            id: 'inq_1',
            attributes: { 'reference-id': reference, status: 'approved' },
          },
        },
      },
    },
  }),
  sign: (body, now, secret) => withHeader(body, pair(body, now, secret)),
  worthless: [
    [
      'a signature of six minutes ago',
      (body, now) => withHeader(body, pair(body, new Date(now.getTime() - 360_000))),
    ],
    [
      'a signature of the future',
      (body, now) => withHeader(body, pair(body, new Date(now.getTime() + 360_000))),
    ],
    [
      'a time that was not signed',
      (body, now) =>
        withHeader(body, pair(body, now).replace(/t=\d+/, `t=${Math.floor(now.getTime() / 1000) + 1}`)),
    ],
    ['half a pair', (body, now) => withHeader(body, pair(body, now).split(',')[1] ?? '')],
  ],
};

describe.each([fromSumsub, fromPersona])('$vendor.id', ({ vendor, event, sign, worthless }) => {
  let world: VendorWorld;
  let owner: Awaited<ReturnType<VendorWorld['dashboard']['newAccount']>>;
  let sent = 0;
  beforeAll(async () => {
    world = await openVendorWorld(vendor);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.server.fate = 'answers';
    world.dashboard.clock.advance(10 * 60_000);
    owner = await world.dashboard.newAccount();
  });

  const now = () => world.dashboard.clock.now;
  const deliver = ({ body, headers }: Sent, to = vendor.id) =>
    world.dashboard.request('POST', `/api/kyc/webhooks/${to}`, { body, headers });
  const newEvent = (accountId = owner.account.id) => JSON.stringify(event(accountId, `e${++sent}`));
  const approved = vendor.meanings.find(([, , means]) => means.kycStatus === 'approved')?.[1];
  const rejected = vendor.meanings.find(([, , means]) => means.kycStatus === 'rejected')?.[1];
  const status = async () => (await world.ask(owner.address)).data?.kycStatus;
  const refused = { status: 401, code: 80000019, data: null };

  test('an approval that was taken away counts no longer, at once and everywhere [dashboard.kyc.webhook]', async () => {
    const other = await openDashboardForTest(world.dashboard.config);
    other.clock.now = now();
    world.says(approved);
    expect(await status()).toBe('approved');
    world.says(rejected);
    expect(await status()).toBe('approved');
    // The event says that he is approved; the vendor, asked again, says otherwise.
    expect(await deliver(sign(newEvent(), now()))).toMatchObject({ status: 200, code: 80000000, data: null });
    expect(await status()).toBe('rejected');
    const { apiKey } = world.caller;
    const elsewhere = await other.post('/api/kyc/check', { apiKey, walletAddress: owner.address });
    expect(elsewhere.data.kycStatus).toBe('rejected');
  });

  test('who waits is approved as soon as the vendor tells so [dashboard.kyc.webhook]', async () => {
    world.says(null);
    expect(await status()).toBe('pending');
    world.says(approved);
    await deliver(sign(newEvent(), now()));
    expect(await status()).toBe('approved');
  });

  test('an event is acted upon once [dashboard.kyc.webhook.once]', async () => {
    world.says(approved);
    const event = sign(newEvent(), now());
    const before = world.server.received.length;
    for (let n = 0; n < 3; n++) expect(await deliver(event)).toMatchObject({ status: 200, data: null });
    expect(world.server.received.length - before).toBe(1);
  });

  test('what cannot be acted upon is to be sent again, and forgets what was known [dashboard.kyc.webhook.once]', async () => {
    world.says(approved);
    expect(await status()).toBe('approved');
    world.server.fate = 'resets';
    const event = sign(newEvent(), now());
    expect(await deliver(event)).toMatchObject({ status: 500, code: 80000001 });
    expect(await world.ask(owner.address)).toMatchObject({ status: 500, code: 80000001 });
    world.server.fate = 'answers';
    world.says(rejected);
    expect(await deliver(event)).toMatchObject({ status: 200 });
    expect(await status()).toBe('rejected');
  });

  test('a wrong signature, or one of another text, is refused and asks nobody [dashboard.kyc.webhook.signature]', async () => {
    const body = newEvent();
    const before = world.server.received.length;
    const right = sign(body, now());
    expect(await deliver({ body, headers: {} })).toMatchObject(refused);
    expect(await deliver(sign(body, now(), 'another secret'))).toMatchObject(refused);
    expect(await deliver({ ...right, body: `${body} ` })).toMatchObject(refused);
    expect(await deliver({ ...right, body: newEvent() })).toMatchObject(refused);
    expect(world.server.received.length).toBe(before);
  });

  test.each(worthless)('%s is no signature [dashboard.kyc.webhook.signature]', async (_, signed) => {
    expect(await deliver(signed(newEvent(), now()))).toMatchObject(refused);
  });

  test('an event about somebody unknown, or nobody, is taken and asks nobody', async () => {
    const before = world.server.received.length;
    for (const accountId of ['acc_doesNotExistDoesNotExis', 'a stranger’s \0 id', '']) {
      expect(await deliver(sign(newEvent(accountId), now()))).toMatchObject({ status: 200 });
    }
    expect(world.server.received.length).toBe(before);
  });

  test.each(['', 'null', '[]', '{}', '{"type":1}', '<xml/>', '{"data":{"id":"evt_1"}}'])(
    'signed, but no event: %j',
    async (body) => {
      expect(await deliver(sign(body, now()))).toMatchObject({ status: 400, code: 80000002 });
    },
  );

  test('another vendor’s webhook does not exist here', async () => {
    for (const to of ['nobody', 'review-queue', vendor === sumsub ? 'persona' : 'sumsub'])
      expect(await deliver(sign(newEvent(), now()), to)).toMatchObject({ status: 404, code: 80000011 });
  });

  test('without a secret no webhook is taken', async () => {
    const name = `${vendor.id.toUpperCase()}_WEBHOOK_SECRET`;
    const deaf = await openVendorWorldForTest(vendor, { [name]: '' });
    const { body, headers } = sign(newEvent(), now());
    const reply = await deaf.dashboard.request('POST', `/api/kyc/webhooks/${vendor.id}`, { body, headers });
    expect(reply).toMatchObject({ status: 404, code: 80000011 });
  });
});

test('while Persona’s secret is changed, one right signature of two is enough [dashboard.kyc.webhook.signature]', async () => {
  const world = await openVendorWorldForTest(persona);
  const { account } = await world.dashboard.newAccount();
  const { now } = world.dashboard.clock;
  const deliver = (body: string, signature: string) =>
    world.dashboard.request('POST', '/api/kyc/webhooks/persona', withHeader(body, signature));
  const [first, second] = ['a', 'b'].map((id) => JSON.stringify(fromPersona.event(account.id, id)));
  const pairs = (body = '') => [pair(body, now, 'the secret to come'), pair(body, now)];
  expect(await deliver(first ?? '', pairs(first).join(' '))).toMatchObject({ status: 200 });
  expect(await deliver(second ?? '', pairs(second).toReversed().join(' '))).toMatchObject({ status: 200 });
  const wrong = ['one', 'two'].map((secret) => pair(first ?? '', now, secret)).join(' ');
  expect(await deliver(first ?? '', wrong)).toMatchObject({ status: 401 });
});

test('Sumsub may sign with SHA-512 [dashboard.kyc.webhook.signature]', async () => {
  const world = await openVendorWorldForTest(sumsub);
  const { account } = await world.dashboard.newAccount();
  const body = JSON.stringify(fromSumsub.event(account.id, 'e'));
  const sent = digested('sha512', 'HMAC_SHA512_HEX', body);
  expect(await world.dashboard.request('POST', '/api/kyc/webhooks/sumsub', sent)).toMatchObject({
    status: 200,
  });
});
