import { createHmac } from 'node:crypto';
import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import { Client } from 'pg';
import { createSiweMessage } from 'viem/siwe';
import { expect, test } from 'vitest';
import { loginMessage } from '../dashboard.ts';
import { elliptic } from './elliptic.ts';
import { sumsub } from './sumsub.ts';
import { openVendorWorldForTest, type VendorWorld } from './vendors.ts';

type Owner = Awaited<ReturnType<VendorWorld['dashboard']['newAccount']>>;

async function erase({ dashboard }: VendorWorld, { wallet, token }: Owner) {
  const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
  const about = { nonce, issuedAt: dashboard.clock.now, statement: erasureStatement };
  const message = createSiweMessage(loginMessage(dashboard.url, wallet, about));
  const body = { message, signature: wallet.signMessage(message) };
  expect(await dashboard.post('/api/personal-data/erase', body, token)).toMatchObject({ status: 200 });
}

/** What is kept about somebody, of a vendor's answers. */
async function keptAbout({ dashboard }: VendorWorld, subject: string) {
  const { storage } = dashboard.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  try {
    const { rows } = await client.query(
      'select verdict, request_id, sealed_answer from dashboard.screening where subject = $1 order by seq',
      [subject],
    );
    return rows as readonly { verdict: string; request_id: string | null; sealed_answer: Buffer | null }[];
  } finally {
    await client.end();
  }
}

const webhook = ({ dashboard }: VendorWorld, externalUserId: string, correlationId: string) => {
  const body = JSON.stringify({
    applicantId: '5b594ade0a975a36c9349e66',
    type: 'applicantReviewed',
    externalUserId,
    correlationId,
  });
  const digest = createHmac('sha256', 'sumsub webhook secret').update(body).digest('hex');
  const headers = { 'x-payload-digest': digest, 'x-payload-digest-alg': 'HMAC_SHA256_HEX' };
  return dashboard.request('POST', '/api/kyc/webhooks/sumsub', { body, headers });
};

test('a vendor is not asked about an erased person, whatever it sends, until he begins anew [dashboard.personal.erase.vendor]', async () => {
  const world = await openVendorWorldForTest(sumsub);
  const { dashboard, server } = world;
  const owner = await dashboard.newAccount();
  const status = async () => (await world.ask(owner.address)).data.kycStatus;
  expect(await status()).toBe('approved');
  expect((await keptAbout(world, owner.account.id))[0]?.request_id).not.toBeNull();
  await erase(world, owner);
  const before = server.received.length;
  expect(await status()).toBe('pending');
  expect(await webhook(world, owner.account.id, 'later')).toMatchObject({ status: 200 });
  expect(await status()).toBe('pending');
  expect(server.received.length).toBe(before);
  expect((await keptAbout(world, owner.account.id)).map(({ request_id }) => request_id)).toEqual([null]);

  const again = await dashboard.newAccount(owner.wallet);
  expect(await dashboard.post('/api/kyc/begin', {}, again.token)).toMatchObject({ status: 200 });
  world.says(null);
  expect(await status()).toBe('pending');
  dashboard.clock.advance(60_000);
  world.says(sumsub.meanings[1]?.[1]);
  expect(await status()).toBe('approved');
});

test('an answer that is under way while a person is erased is neither kept nor given out [dashboard.personal.erase.vendor]', async () => {
  const world = await openVendorWorldForTest(sumsub);
  const owner = await world.dashboard.newAccount();
  const asked = world.server.holdNext();
  const late = world.ask(owner.address);
  await asked.arrived;
  await erase(world, owner);
  asked.release();
  // What the vendor said then is given to nobody either.
  expect((await late).data).toMatchObject({ kycCompleted: false, kycStatus: 'pending' });
  expect(await keptAbout(world, owner.account.id)).toEqual([]);
  expect((await world.ask(owner.address)).data.kycStatus).toBe('pending');
});

test('what a vendor sent about the wallet goes with an erasure; the verdict stays [dashboard.personal.erase.vendor]', async () => {
  const world = await openVendorWorldForTest(elliptic);
  const owner = await world.dashboard.newAccount();
  const { decision } = (await world.ask(owner.address)).data;
  expect((await keptAbout(world, owner.address))[0]?.sealed_answer).not.toBeNull();
  await erase(world, owner);
  expect(await keptAbout(world, owner.address)).toEqual([
    { verdict: decision, request_id: null, sealed_answer: null },
  ]);
});
