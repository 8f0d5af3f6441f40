import { expect, test } from 'vitest';
import { openDashboardForTest } from '../dashboard.ts';
import { persona } from './persona.ts';
import { sumsub } from './sumsub.ts';
import { openVendorWorldForTest, type VendorWorld } from './vendors.ts';

const begin = ({ dashboard, caller }: VendorWorld) => dashboard.post('/api/kyc/begin', {}, caller.token);
const unavailable = { status: 500, code: 80000001, data: null };

test('Sumsub’s page is for the account and the level, for half an hour [dashboard.kyc.begin]', async () => {
  const world = await openVendorWorldForTest(sumsub);
  world.says(null);
  const expiresAt = new Date(world.dashboard.clock.now.getTime() + 30 * 60_000).toISOString();
  expect((await begin(world)).data).toEqual({
    url: `https://in.sumsub.com/websdk/p/${world.caller.account.id}`,
    expiresAt,
  });
});

test('Persona’s page belongs to an inquiry that is made for it [dashboard.kyc.begin]', async () => {
  const world = await openVendorWorldForTest(persona);
  world.says(null);
  expect((await begin(world)).data).toEqual({
    url: 'https://withpersona.com/verify?code=us1-x',
    expiresAt: null,
  });
  const sent = world.server.received.map(({ body }) => body).find((body) => body.includes('reference-id'));
  expect(JSON.parse(sent ?? '').data.attributes['reference-id']).toBe(world.caller.account.id);
});

test.each([
  [sumsub, { link: { url: 'javascript:alert(1)' } }],
  [sumsub, { link: { url: 'http://in.sumsub.com/websdk' } }],
  [sumsub, { link: {} }],
  [persona, { status: 'created', link: { meta: { 'one-time-link': 'javascript:alert(1)' } } }],
  [persona, { status: 'created', link: { data: {} } }],
])('nobody is sent to a page that is none: $0.id %#', async (vendor, said) => {
  const world = await openVendorWorldForTest(vendor);
  const waiting = vendor === sumsub ? { review: { levelName: 'basic-kyc-level', reviewStatus: 'init' } } : {};
  world.says({ ...waiting, ...said });
  expect(await begin(world)).toMatchObject(unavailable);
});

test.each([sumsub, persona])(
  '$id: who is approved has nothing to begin, and a vendor that is down nothing to offer [dashboard.kyc.begin]',
  async (vendor) => {
    const world = await openVendorWorldForTest(vendor);
    world.server.fate = 'resets';
    expect(await begin(world)).toMatchObject(unavailable);
    world.server.fate = 'answers';
    world.says(vendor.meanings.find(([, , means]) => means.kycStatus === 'approved')?.[1]);
    expect(await begin(world)).toMatchObject({ status: 409, code: 80000003 });
  },
);

test('where people review, one hands in instead [dashboard.kyc.begin]', async () => {
  const dashboard = await openDashboardForTest();
  const { token } = await dashboard.newAccount();
  expect(await dashboard.post('/api/kyc/begin', {}, token)).toMatchObject({ status: 404, code: 80000011 });
});
