import { mandateCredential, rebuildMandateMessage } from '@countersign/protocol/dashboard/mandate-credential';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { recoverTypedDataAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainId, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const vc = (owner: Owner, payer: string = owner.address) =>
  dashboard.post('/api/mandates/intent/vc', { apiKey: owner.apiKey, payerWalletAddress: payer });
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const nothing = { found: false, mandate: null, remainingBudget: null, usagePercent: null, vcJson: null };
const notFound = (msg: string) => ({ status: 404, code: 80000053, msg, data: nothing });

test('vc gives the active mandate, what is left of it, and its credential [dashboard.vc.found] [dashboard.vc.mandate-fields] [dashboard.vc.remaining-budget] [dashboard.credential.subject.budget.returned-form]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { perTxLimit: '1.50', totalBudget: '20.00' });
  const { status, data } = await vc(owner);
  expect(status).toBe(200);
  expect(dashboardRoutes.mandateCredential.data.safeParse(data).error).toBeUndefined();
  expect(Object.keys(data)).toEqual(['found', 'mandate', 'remainingBudget', 'usagePercent', 'vcJson']);
  expect(data).toMatchObject({ found: true, remainingBudget: '20', usagePercent: 0 });
  expect(data.mandate).toEqual({
    id,
    perTxLimit: '1.5',
    totalBudget: '20',
    usedAmount: '0',
    transactionCount: 0,
    expiresAt: isoTime,
    status: 'active',
  });
  expect(data.vcJson.credentialSubject.budgetConstraints).toEqual({
    totalBudget: { amount: '20', currency: 'USDC' },
    perTransactionLimit: { amount: '1.5', currency: 'USDC' },
  });
});

test('the unsigned credential is in the creation form [dashboard.credential.subject.budget.creation-form] [dashboard.credential.context] [dashboard.credential.type] [dashboard.credential.issuer] [dashboard.credential.issuance-date] [dashboard.credential.subject.ids] [dashboard.credential.subject.payer]', async () => {
  const { token, address, account } = await dashboard.newAccount();
  const { unsignedCredential, mandateId } = await dashboard.draftMandate(token);
  expect(unsignedCredential).toEqual({
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'PlatformIntentMandate'],
    issuer: `did:ethr:eip155:${chainId}:${address}`,
    issuanceDate: isoTime,
    expirationDate: isoTime,
    credentialSubject: {
      mandateId,
      accountId: account.id,
      payer: { address, platformId: account.platformId },
      budgetConstraints: { totalBudget: '20', perTransactionLimit: '1', currency: 'USDC' },
      title: 'Research agent',
    },
  });
});

test('the proof is the owner’s signature, and names how it was made [dashboard.credential.proof.type] [dashboard.credential.proof.created] [dashboard.credential.proof.verification-method] [dashboard.credential.proof.eip712] [dashboard.credential.proof.value]', async () => {
  const owner = await dashboard.newAccount();
  const draft = await dashboard.draftMandate(owner.token);
  const { mandate } = (await dashboard.signMandate(owner, draft)).data;
  const { vcJson } = (await vc(owner)).data;
  expect(vcJson.proof).toEqual(mandate.vcJson.proof);
  expect(vcJson.proof).toMatchObject({
    type: 'EthereumEip712Signature2021',
    created: isoTime,
    verificationMethod: `did:ethr:eip155:${chainId}:${owner.address}#controller`,
    proofPurpose: 'assertionMethod',
    eip712: {
      domain: { name: 'Platform Intent Mandate', version: '1', chainId },
      types: { IntentMandate: draft.typedData.types.IntentMandate },
      primaryType: 'IntentMandate',
    },
    proofValue: owner.wallet.signTypedData(draft.typedData),
  });
});

test('the typed data is what the document fixes [dashboard.typed-data.domain] [dashboard.typed-data.primary-type] [dashboard.typed-data.fields]', async () => {
  const { token, address, account } = await dashboard.newAccount();
  const { typedData, mandateId, mandate } = await dashboard.draftMandate(token);
  expect(typedData.domain).toEqual({ name: 'Platform Intent Mandate', version: '1', chainId });
  expect(typedData.primaryType).toBe('IntentMandate');
  expect(typedData.types.IntentMandate).toEqual([
    { name: 'id', type: 'string' },
    { name: 'accountId', type: 'string' },
    { name: 'payerAddress', type: 'address' },
    { name: 'perTxLimit', type: 'string' },
    { name: 'totalBudget', type: 'string' },
    { name: 'expiresAt', type: 'string' },
  ]);
  expect(typedData.message).toEqual({
    id: mandateId,
    accountId: account.id,
    payerAddress: address,
    perTxLimit: '1',
    totalBudget: '20',
    expiresAt: mandate.expiresAt,
  });
});

test('a stranger can rebuild the signed message from the answer alone and find the payer in it [dashboard.credential.rebuild]', async () => {
  const owner = await dashboard.newAccount();
  const { typedData } = await dashboard.draftMandate(owner.token);
  await dashboard.newMandate(owner, { perTxLimit: '0.10', totalBudget: '7.070' });
  const { vcJson, mandate } = (await vc(owner)).data;
  const credential = mandateCredential.parse(vcJson);
  const signer = await recoverTypedDataAddress({
    domain: { name: 'Platform Intent Mandate', version: '1', chainId },
    types: { IntentMandate: typedData.types.IntentMandate },
    primaryType: 'IntentMandate',
    message: { ...rebuildMandateMessage(credential, mandate.expiresAt) },
    signature: vcJson.proof.proofValue,
  });
  expect(signer).toBe(owner.address);
});

test('usagePercent has two digits and ends at 100, remainingBudget ends at 0 [dashboard.vc.usage-percent] [dashboard.mandate.remaining-budget]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { perTxLimit: '1', totalBudget: '3' });
  const spend = (amount: string) =>
    dashboard.post('/api/transactions', {
      apiKey: owner.apiKey,
      ...paymentOf(owner.address, { amount, intentMandateId: id }),
    });
  await spend('1');
  expect((await vc(owner)).data).toMatchObject({
    usagePercent: 33.33,
    remainingBudget: '2',
    mandate: { usedAmount: '1' },
  });
  await spend('5');
  const [mandate] = (await dashboard.post('/api/mandates/intent/list', {}, owner.token)).data.data;
  expect(mandate).toMatchObject({ usedAmount: '6', remainingBudget: '0', status: 'exhausted' });
});

test('without an active mandate msg names what became of the newest [dashboard.vc.not-found] [dashboard.vc.reason] [dashboard.vc.expired-by-clock]', async () => {
  let owner = await dashboard.newAccount();
  expect(await vc(owner)).toMatchObject(notFound('MANDATE_NOT_FOUND'));

  await dashboard.draftMandate(owner.token);
  expect(await vc(owner)).toMatchObject(notFound('MANDATE_PENDING'));

  await dashboard.newMandate(owner);
  expect(await vc(owner)).toMatchObject({ status: 200 });
  await dashboard.post('/api/mandates/intent/revoke', {}, owner.token);
  expect(await vc(owner)).toMatchObject(notFound('MANDATE_REVOKED'));

  const id = await dashboard.newMandate(owner, { totalBudget: '1' });
  await dashboard.post('/api/transactions', {
    apiKey: owner.apiKey,
    ...paymentOf(owner.address, { amount: '1', intentMandateId: id }),
  });
  expect(await vc(owner)).toMatchObject(notFound('MANDATE_EXHAUSTED'));

  await dashboard.newMandate(owner, { validDays: 1 });
  dashboard.clock.advance(24 * 60 * 60_000 - 1);
  expect(await vc(owner)).toMatchObject({ status: 200 });
  dashboard.clock.advance(1);
  expect(await vc(owner)).toMatchObject(notFound('MANDATE_EXPIRED'));
  // A draft beside an active mandate does not hide it.
  owner = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
  const active = await dashboard.newMandate(owner);
  await dashboard.draftMandate(owner.token);
  expect(await vc(owner)).toMatchObject({ status: 200, data: { mandate: { id: active } } });
});

test('the 404 tells whether the wallet ever had a mandate that was signed [dashboard.vc.had-mandate]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const had = async (who: Owner, payer?: string) => (await vc(who, payer)).data.hadMandate;
  expect(await had(owner)).toBe(false);
  await dashboard.draftMandate(owner.token);
  expect(await had(owner)).toBe(false);
  const mandateId = await dashboard.newMandate(owner);
  await dashboard.post('/api/mandates/intent/revoke', {}, owner.token);
  expect(await had(owner)).toBe(true);
  await dashboard.post('/api/mandates/intent/delete', { mandateId }, owner.token);
  expect(await had(owner)).toBe(true);
  expect(await had(other, owner.address)).toBeNull();
  expect(await had(owner, other.address)).toBeNull();
});

test('an account’s key sees that account’s wallet alone [dashboard.key.own-wallet-vc]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  await dashboard.newMandate(theirs);
  expect(await vc(mine, theirs.address)).toMatchObject(notFound('MANDATE_NOT_FOUND'));
  expect(await vc(theirs, theirs.address.toLowerCase())).toMatchObject({ status: 200 });
});
