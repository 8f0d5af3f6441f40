import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWallet, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

// One transaction may move several payments by Permit2, and of one the transaction may stay unknown: their nonces tell them apart.

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const payee = newWallet().address;
const report = (owner: Owner, more: Record<string, unknown> = {}) =>
  dashboard.post('/api/transactions', {
    apiKey: owner.apiKey,
    ...paymentOf(owner.address, { payee, amount: '0.1', ...more }),
  });
const byNonce = (nonce: string, more: Record<string, unknown> = {}) => ({
  metadata: { traceId: `trace of ${nonce}`, nonce, method: 'permit2', ...more },
});
const used = async (owner: Owner, id: string): Promise<[string, number]> => {
  const { data } = await dashboard.post('/api/mandates/intent/list', {}, owner.token);
  const found = data.data.find((mandate: { id: string }) => mandate.id === id);
  return [found.usedAmount, found.transactionCount];
};
const logOf = async ({ token }: Owner) =>
  (await dashboard.request('GET', '/api/transactions?scope=myAll&limit=100', { token })).data;
const withMandate = async () => {
  const owner = await dashboard.newAccount();
  return { owner, intentMandateId: await dashboard.newMandate(owner) };
};

test('payments by Permit2 of one transaction are each charged, and each once [dashboard.transactions.repeat.nonce]', async () => {
  const { owner, intentMandateId } = await withMandate();
  const paid = { txHash: '0xaa', intentMandateId };
  const first = await report(owner, { ...paid, ...byNonce('0x1') });
  expect(first).toMatchObject({ status: 201 });
  const second = await report(owner, { ...paid, ...byNonce('0x2') });
  expect(second).toMatchObject({ status: 201 });
  expect(await used(owner, intentMandateId)).toEqual(['0.2', 2]);
  const repeats = [
    { ...paid, ...byNonce('0x2') },
    { ...paid, ...byNonce('0x2'), txHash: '0xAA', chain: 'eip155:8453' },
    // Somebody shows another transaction, or none.
    { ...paid, ...byNonce('0x2'), txHash: '0xbb' },
    { ...paid, ...byNonce('0x2'), txHash: undefined },
  ];
  for (const again of repeats)
    expect(await report(owner, again)).toMatchObject({ status: 409, data: { id: second.data.id } });
  // Without a nonce it is one of them, whichever.
  expect(await report(owner, { ...paid, metadata: {} })).toMatchObject({
    status: 409,
    data: { id: first.data.id },
  });
  expect(await used(owner, intentMandateId)).toEqual(['0.2', 2]);
  const { total, data } = await logOf(owner);
  expect([total, data.length]).toEqual([2, 2]);
});

test('what was taken in no known transaction is charged though its call was reported before, and once [dashboard.transactions.repeat.nonce]', async () => {
  const { owner, intentMandateId } = await withMandate();
  const unknown = { serviceResult: 'error', ...byNonce('0x1') };
  expect(await report(owner, unknown)).toMatchObject({ status: 201 });
  const whole = { intentMandateId, ...byNonce('0x1') };
  expect(await report(owner, whole)).toMatchObject({ status: 201 });
  expect(await report(owner, whole)).toMatchObject({ status: 409 });
  expect(await report(owner, { ...whole, txHash: '0xcc', amount: '0.05' })).toMatchObject({ status: 409 });
  expect(await used(owner, intentMandateId)).toEqual(['0.1', 1]);
});

test('what was recorded by its hash alone is not recorded once more by its nonce, nor at once with it [dashboard.transactions.repeat.nonce]', async () => {
  const { owner, intentMandateId } = await withMandate();
  const paid = { txHash: '0xdd', intentMandateId };
  const first = await report(owner, { ...paid, metadata: { nonce: '0x1' } });
  expect(await report(owner, { ...paid, ...byNonce('0x1') })).toMatchObject({
    status: 409,
    data: { id: first.data.id },
  });
  const atOnce = { txHash: '0xee', intentMandateId };
  const replies = await Promise.all([
    report(owner, { ...atOnce, ...byNonce('0x2') }),
    report(owner, { ...atOnce, ...byNonce('0x3') }),
    report(owner, { ...atOnce, ...byNonce('0x2') }),
    report(owner, { ...atOnce, ...byNonce('0x3') }),
  ]);
  expect(replies.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '201', '409', '409']);
  expect(await used(owner, intentMandateId)).toEqual(['0.3', 3]);
});

test('a report that cannot be recorded says why, though another payment of its transaction stands [dashboard.transactions.repeat.nonce]', async () => {
  const { owner, intentMandateId } = await withMandate();
  expect(await report(owner, { txHash: '0xff', intentMandateId, ...byNonce('0x1') })).toMatchObject({
    status: 201,
  });
  expect(
    await report(owner, { txHash: '0xff', intentMandateId: 'mdt_none', ...byNonce('0x2') }),
  ).toMatchObject({ status: 404 });
});

test('to the payee one transaction is one payment, however many nonces the payer names; other nonces change nothing [dashboard.transactions.repeat.nonce]', async () => {
  const [owner, merchant] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const paid = { payee: merchant.address, txHash: '0xa1' };
  await report(merchant, { payer: owner.address, ...paid });
  for (const nonce of ['0x1', '0x2', '0x3']) await report(owner, { ...paid, ...byNonce(nonce) });
  expect([(await logOf(owner)).total, (await logOf(merchant)).total]).toEqual([3, 1]);
  // A nonce of the token's is anybody's to choose: there the hash tells.
  expect(await report(owner, { txHash: '0xa2', metadata: { nonce: '0x1' } })).toMatchObject({ status: 201 });
  expect(await report(owner, { txHash: '0xa2', metadata: { nonce: '0x2' } })).toMatchObject({ status: 409 });
});
