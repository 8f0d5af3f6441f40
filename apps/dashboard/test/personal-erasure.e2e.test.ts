import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import type { SiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everythingKept, foundIn } from '../../../packages/service/test/everything-kept.ts';
import { type Json, openDashboard, type TestDashboard } from './dashboard.ts';
import {
  askToErase,
  decide,
  erase,
  exportOf,
  kycOf,
  newestReview,
  newIdentity,
  newPerson,
  operators,
  operatorWallet,
  query,
  submit,
  urlOf,
  word,
} from './personal-data.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
});
afterAll(() => dashboard.stop());

test('erased is gone: no word of the person is left in any table, what depends on it has ended, and payments stay [dashboard.personal.erase]', async () => {
  const { operator, owner, review, mandateId, words } = await newPerson(dashboard);
  const bystander = await newPerson(dashboard);
  const reply = await erase(dashboard, owner);
  expect(reply).toMatchObject({
    status: 200,
    data: {
      erased: {
        identities: 1,
        mandates: 1,
        drafts: 1,
        apiKeys: 2,
        sessions: 1,
        callArguments: 1,
        unpaidApprovals: 2,
      },
    },
  });
  expect(reply.headers.get('set-cookie')).toMatch(/^platform_session=; Max-Age=0/);
  expect(foundIn(await everythingKept(urlOf(dashboard)), words)).toEqual([]);

  expect(await dashboard.request('GET', '/api/auth/me', { token: owner.token })).toMatchObject({
    status: 401,
  });
  const withKey = (path: string, body: object) => dashboard.post(path, { apiKey: owner.apiKey, ...body });
  expect(await withKey('/api/kyc/check', { walletAddress: owner.address })).toMatchObject({ status: 401 });
  expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({
    kycCompleted: false,
    kycStatus: 'pending',
  });
  expect(
    await dashboard.post('/api/mandates/intent/vc', {
      apiKey: (await dashboard.newOperatorKey()).apiKey,
      payerWalletAddress: owner.address,
    }),
  ).toMatchObject({ status: 404, msg: 'MANDATE_REVOKED' });
  const listed = (await dashboard.post('/api/kyc/reviews/list', { limit: 100 }, operator.token)).data.data;
  expect(listed.find(({ id }: Json) => id === review.id)).toMatchObject({
    personalData: 'erased',
    fullName: null,
    reason: null,
    kycStatus: 'rejected',
  });
  expect(await decide(dashboard, operator, review.id, 'approve')).toMatchObject({ status: 409 });

  // Who comes again finds the books, and that it was done; once more is harmless, and one may hand in anew.
  const again = await dashboard.newAccount(owner.wallet);
  const { data } = await exportOf(dashboard, again.token);
  expect(data.transactions.records).toMatchObject([{ serviceName: 'kept-books' }]);
  expect(data.mandates.records).toMatchObject([{ id: mandateId, status: 'revoked' }]);
  expect(data.submissions.records).toMatchObject([{ statusWhenErased: 'approved', personalData: 'erased' }]);
  expect(data.erasures.records).toMatchObject([{ askedBy: 'person', erased: { identities: 1 } }]);
  const told = (await dashboard.request('GET', '/api/personal-data', { token: again.token })).data;
  expect(told).toMatchObject({ erasedAt: dashboard.clock.now.toISOString(), erasedBy: 'person' });
  for (const change of [
    `update dashboard.erasure set asked_by = 'operator'`,
    'delete from dashboard.erasure',
  ])
    await expect(query(dashboard, change)).rejects.toThrow('append-only');
  expect(data.drafts.records).toEqual([]);
  expect(await erase(dashboard, again)).toMatchObject({
    status: 200,
    data: { erased: { identities: 0, mandates: 0 } },
  });
  const third = await dashboard.newAccount(owner.wallet);
  const fresh = newIdentity();
  expect(await submit(dashboard, third, fresh)).toMatchObject({ status: 200 });
  expect((await dashboard.request('GET', '/api/kyc/status', { token: third.token })).data).toMatchObject({
    kycStatus: 'pending',
    submitted: true,
    review: fresh,
  });

  const whole = await exportOf(dashboard, bystander.owner.token);
  expect(foundIn(whole.text, bystander.words)).toEqual(bystander.words);
  expect(await kycOf(dashboard, bystander.owner, bystander.owner.address)).toMatchObject({
    kycStatus: 'approved',
  });
});

test('an erasure takes what operators wrote about a person; that they decided stays, and nothing else can change [dashboard.personal.erase.history]', async () => {
  const { operator, owner, words } = await newPerson(dashboard);
  const why = `withdrawn ${word()}`;
  const withdraw = { walletAddress: owner.address, reason: why };
  expect(await dashboard.post('/api/kyc/withdraw', withdraw, operator.token)).toMatchObject({ status: 200 });
  await erase(dashboard, owner);
  const history = async () =>
    (await dashboard.post('/api/compliance/history/list', { walletAddress: owner.address }, operator.token))
      .data.data;
  expect(await history()).toMatchObject([
    { deed: 'withdraw', reason: null, by: operator.address },
    { deed: 'approve', reason: null, by: operator.address },
  ]);
  expect(foundIn(await everythingKept(urlOf(dashboard)), words)).toEqual([]);
  for (const change of [`reason = 'another'`, 'reason = null, effective = false', `operator_wallet = ''`])
    await expect(query(dashboard, `update dashboard.compliance_history set ${change}`)).rejects.toThrow(
      'append-only',
    );

  // The withdrawal stands, and its person reads why. Taken back, it makes nobody verified whose identity is gone.
  const again = await dashboard.newAccount(owner.wallet);
  const own = (await dashboard.request('GET', '/api/kyc/status', { token: again.token })).data;
  expect(own).toMatchObject({ kycStatus: 'rejected', review: null, withdrawal: { reason: why } });
  const restore = { walletAddress: owner.address, reason: 'a mistake' };
  expect(await dashboard.post('/api/kyc/restore', restore, operator.token)).toMatchObject({ status: 200 });
  expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({ kycStatus: 'pending' });
});

test('a session alone erases nothing: the wallet must sign just that, for this site, now, and once [dashboard.personal.erase.signature]', async () => {
  const [owner, thief] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const identity = newIdentity();
  await submit(dashboard, owner, identity);
  const refused = { status: 403, code: 80000004, data: null };
  const tryWith = (body: object) => dashboard.post('/api/personal-data/erase', body, owner.token);
  const good = await askToErase(dashboard, owner.wallet);
  expect(await tryWith({ ...good, signature: thief.wallet.signMessage(good.message) })).toMatchObject(
    refused,
  );
  // It had its one try.
  expect(await tryWith(good)).toMatchObject(refused);
  expect(await tryWith(await askToErase(dashboard, thief.wallet))).toMatchObject(refused);
  const bent: readonly Partial<SiweMessage>[] = [
    { statement: 'Sign in to Countersign. This costs nothing and moves no money.' },
    { statement: `${erasureStatement} Or not.` },
    { nonce: 'a0b1c2d3e4f5a6b7c8d9' },
    { issuedAt: new Date(dashboard.clock.now.getTime() - 11 * 60_000) },
    { uri: 'https://elsewhere.example' },
    { chainId: 1 },
  ];
  for (const change of bent)
    expect(await tryWith(await askToErase(dashboard, owner.wallet, change))).toMatchObject(refused);
  expect(await tryWith({})).toMatchObject({ status: 400 });
  const own = (await dashboard.request('GET', '/api/kyc/status', { token: owner.token })).data;
  expect(own.review).toMatchObject(identity);
  // And the other way round: who signs an erasure logs nobody in.
  expect(await dashboard.loginReply(owner.wallet, { statement: erasureStatement })).toMatchObject({
    status: 401,
  });
});

test('whatever an operator decides at that moment, an erased person is not verified and nothing of him is kept [dashboard.personal.erase.races]', async () => {
  const operator = await dashboard.newAccount(operatorWallet);
  for (let round = 0; round < 12; round++) {
    const owner = await dashboard.newAccount();
    const identity = newIdentity();
    await submit(dashboard, owner, identity);
    const { id } = await newestReview(dashboard, operator);
    const [erased, decided, again] = await Promise.all([
      erase(dashboard, owner),
      decide(dashboard, operator, id, 'approve'),
      erase(dashboard, owner),
    ]);
    expect([200, 409]).toContain(decided.status);
    expect([erased.status, again.status]).toContain(200);
    expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({ kycStatus: 'pending' });
    const words = [identity.fullName, identity.documentNumber];
    const rows = await query(
      dashboard,
      'select k::text as row from dashboard.kyc_submission k where k.id = $1 union all select i::text from dashboard.kyc_identity i where i.submission_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(foundIn(rows[0].row, words)).toEqual([]);
  }
});
