import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  newWallet,
  openDashboard,
  openDashboardForTest,
  paymentOf,
  type TestDashboard,
} from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const day = 24 * 60 * 60_000;
const report = (owner: { apiKey: string; address: string }, more: Record<string, unknown> = {}) =>
  dashboard.post('/api/transactions', { apiKey: owner.apiKey, ...paymentOf(owner.address, more) });
const mandateOf = async (owner: Owner, id: string) => {
  const { data } = await dashboard.post('/api/mandates/intent/list', { limit: 100 }, owner.token);
  return data.data.find((mandate: { id: string }) => mandate.id === id);
};
const logOf = async (owner: Owner) =>
  (await dashboard.request('GET', '/api/transactions?scope=myAll&limit=100', { token: owner.token })).data;

test('a report is recorded with 201 and a growing id [dashboard.transactions.report] [dashboard.error.success]', async () => {
  const owner = await dashboard.newAccount();
  const first = await report(owner);
  const second = await report(owner);
  expect(first).toMatchObject({ status: 201, code: 80000000, data: { id: expect.any(Number) } });
  expect(second.data.id).toBeGreaterThan(first.data.id);
});

test('serviceName, serviceResult and chain are required [dashboard.transactions.report.required]', async () => {
  const owner = await dashboard.newAccount();
  for (const field of ['serviceName', 'serviceResult', 'chain']) {
    const reply = await report(owner, { [field]: undefined });
    expect(reply).toMatchObject({ status: 400, code: 80000002 });
    expect(reply.msg).toContain(field);
  }
});

test('all other fields are optional, and kept [dashboard.transactions.report.optional] [dashboard.transactions.field.screening-results] [dashboard.transactions.field.risk-levels] [dashboard.transactions.field.metadata] [dashboard.transactions.field.created-at]', async () => {
  const owner = await dashboard.newAccount();
  const payee = newWallet().address;
  const screened = {
    payerKycResult: 1,
    payerKytResult: 1,
    payerKytRiskLevel: 0,
    payeeKycResult: 0,
    payeeKytResult: 0,
    payeeKytRiskLevel: 3,
  };
  const metadata = { traceId: 't-1', nested: { list: [1, 'two', null, true], ключ: '☕' }, number: 0.1 };
  const { data } = await report(owner, { payee, txHash: '0xff', tokenSymbol: 'USDC', ...screened, metadata });
  const [record] = (await logOf(owner)).data;
  expect(record).toEqual({
    id: data.id,
    serviceName: 'quotes',
    serviceResult: 'pass',
    chain: 'base',
    txHash: '0xff',
    amount: '0.01',
    amountExact: '0.01',
    tokenSymbol: 'USDC',
    payer: owner.address,
    payee,
    ...screened,
    reportedBy: 'payer',
    verified: 'no',
    toolName: null,
    agent: null,
    reason: null,
    createdAt: dashboard.clock.now.toISOString(),
  });
  const { storage } = dashboard.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  const { rows } = await client.query('select metadata from dashboard.transaction_log where id = $1', [
    data.id,
  ]);
  await client.end();
  expect(rows[0].metadata).toEqual(metadata);
});

test('pass, reject and error are all recorded [dashboard.transactions.field.service-result]', async () => {
  const owner = await dashboard.newAccount();
  for (const serviceResult of ['pass', 'reject', 'error']) {
    expect(await report(owner, { serviceResult, amount: undefined })).toMatchObject({ status: 201 });
  }
  const records = (await logOf(owner)).data;
  expect(records.map(({ serviceResult }: { serviceResult: string }) => serviceResult)).toEqual([
    'error',
    'reject',
    'pass',
  ]);
  expect(records[0]).toMatchObject({ amount: null, amountExact: null });
});

test('amount shows two digits half away from zero, amountExact what was reported [dashboard.transactions.field.amount] [dashboard.transactions.field.amount-rounding] [dashboard.transactions.field.amount-exact]', async () => {
  const owner = await dashboard.newAccount();
  const amounts = [
    ['0.005', '0.01', '0.005'],
    ['0.004', '0.00', '0.004'],
    ['0.994999999999999999', '0.99', '0.994999999999999999'],
    ['0.995', '1.00', '0.995'],
    ['7', '7.00', '7'],
    ['1.10', '1.10', '1.1'],
    ['9999999999999999.99', '9999999999999999.99', '9999999999999999.99'],
  ];
  for (const [amount] of amounts) await report(owner, { amount });
  const records = (await logOf(owner)).data.reverse();
  expect(records.map((record: Record<string, string>) => [record['amount'], record['amountExact']])).toEqual(
    amounts.map(([, shown, exact]) => [shown, exact]),
  );
});

test('payer and payee are addresses [dashboard.transactions.field.parties]', async () => {
  const owner = await dashboard.newAccount();
  expect(await report(owner, { payee: 'x'.repeat(43) })).toMatchObject({ status: 400, code: 80000012 });
  expect(await report(owner, { payee: 'somebody' })).toMatchObject({ status: 400, code: 80000012 });
  expect(
    await report(owner, { payer: owner.address.toLowerCase(), payee: newWallet().address }),
  ).toMatchObject({ status: 201 });
});

test('a passing report consumes its mandate, exactly [dashboard.transactions.consume.pass] [dashboard.transactions.consume.exact]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner);
  await report(owner, { amount: '0.001', intentMandateId: id });
  dashboard.clock.advance(1000);
  await report(owner, { amount: '0.000000000000000001', intentMandateId: id });
  expect(await mandateOf(owner, id)).toMatchObject({
    usedAmount: '0.001000000000000001',
    remainingBudget: '19.998999999999999999',
    transactionCount: 2,
    lastUsedAt: dashboard.clock.now.toISOString(),
    status: 'active',
  });
});

test('rejected and errored reports consume nothing [dashboard.transactions.consume.pass-only]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner);
  for (const serviceResult of ['reject', 'error']) {
    expect(await report(owner, { serviceResult, intentMandateId: id })).toMatchObject({ status: 201 });
  }
  expect(await mandateOf(owner, id)).toMatchObject({
    usedAmount: '0',
    transactionCount: 0,
    lastUsedAt: null,
  });
});

test('a mandate is exhausted when its budget is reached, and not before [dashboard.mandate.transition.exhausted]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { totalBudget: '1' });
  await report(owner, { amount: '0.999999999999999999', intentMandateId: id });
  expect(await mandateOf(owner, id)).toMatchObject({
    status: 'active',
    remainingBudget: '0.000000000000000001',
  });
  await report(owner, { amount: '0.000000000000000001', intentMandateId: id });
  expect(await mandateOf(owner, id)).toMatchObject({
    status: 'exhausted',
    usedAmount: '1',
    remainingBudget: '0',
  });
});

test('what was settled beyond the budget is recorded and consumed in full [dashboard.transactions.consume.overrun] [dashboard.mandate.remaining-budget]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { totalBudget: '1' });
  expect(await report(owner, { amount: '9999999999999999', intentMandateId: id })).toMatchObject({
    status: 201,
  });
  expect(await report(owner, { amount: '2.5', intentMandateId: id })).toMatchObject({ status: 201 });
  expect(await mandateOf(owner, id)).toMatchObject({
    status: 'exhausted',
    usedAmount: '10000000000000001.5',
    remainingBudget: '0',
  });
  expect((await logOf(owner)).total).toBe(2);
});

test('a mandate that ended between payment and report is consumed and stays ended [dashboard.transactions.consume.late-report]', async () => {
  let owner = await dashboard.newAccount();
  const revoked = await dashboard.newMandate(owner, { totalBudget: '1' });
  await dashboard.post('/api/mandates/intent/revoke', {}, owner.token);
  const lapsed = await dashboard.newMandate(owner, { totalBudget: '1', validDays: 1 });
  dashboard.clock.advance(day);
  owner = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
  for (const [id, status] of [
    [revoked, 'revoked'],
    [lapsed, 'expired'],
  ]) {
    expect(await report(owner, { amount: '1', intentMandateId: id })).toMatchObject({ status: 201 });
    expect(await mandateOf(owner, id ?? '')).toMatchObject({ status, usedAmount: '1', transactionCount: 1 });
  }
});

test('another payer’s payment consumes nothing and is not recorded [dashboard.transactions.consume.foreign-payer]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner);
  const asPayee = { payer: newWallet().address, payee: owner.address, intentMandateId: id };
  expect(await report(owner, asPayee)).toMatchObject({ status: 403, code: 80000004 });
  expect(await report(owner, { ...asPayee, payer: undefined })).toMatchObject({
    status: 403,
    code: 80000004,
  });
  expect(await mandateOf(owner, id)).toMatchObject({ usedAmount: '0' });
  expect((await logOf(owner)).total).toBe(0);
});

test('a mandate that never was active is not consumed, nothing is recorded [dashboard.transactions.consume.never-active]', async () => {
  const owner = await dashboard.newAccount();
  const { mandateId } = await dashboard.draftMandate(owner.token);
  expect(await report(owner, { intentMandateId: mandateId })).toMatchObject({ status: 403, code: 80000004 });
  expect((await logOf(owner)).total).toBe(0);
});

test('a key consumes mandates of its own account only [dashboard.key.own-mandates] [dashboard.error.foreign.mandate]', async () => {
  const [owner, merchant] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const id = await dashboard.newMandate(owner);
  const theirs = { payer: owner.address, payee: merchant.address, intentMandateId: id };
  expect(await report(merchant, theirs)).toMatchObject({ status: 404, code: 80000053 });
  expect(await report(owner, { intentMandateId: 'mdt_unknown' })).toMatchObject({
    status: 404,
    code: 80000053,
  });
  expect(await mandateOf(owner, id)).toMatchObject({ usedAmount: '0' });
  expect((await logOf(owner)).total).toBe(0);
});

test('nobody reports a payment between strangers [dashboard.key.own-party.report]', async () => {
  const owner = await dashboard.newAccount();
  const refusal = { status: 403, code: 80000004 };
  expect(await report(owner, { payer: newWallet().address, payee: newWallet().address })).toMatchObject(
    refusal,
  );
  expect(await report(owner, { payer: undefined, payee: newWallet().address })).toMatchObject(refusal);
  expect((await logOf(owner)).total).toBe(0);
});

test('the same chain and hash are one transaction [dashboard.transactions.repeat.tx-hash] [dashboard.transactions.repeat.chain-names] [dashboard.error.repeated-submit]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner);
  const paid = { txHash: '0xabcd', intentMandateId: id, metadata: { traceId: 'a' } };
  const first = await report(owner, paid);
  const repeated = { status: 409, code: 80000003, data: { id: first.data.id } };
  expect(await report(owner, paid)).toMatchObject(repeated);
  expect(await report(owner, { ...paid, txHash: '0xABCD', amount: '5', metadata: {} })).toMatchObject(
    repeated,
  );
  for (const chain of ['8453', 'eip155:8453', 'Base', 'EIP155:8453'])
    expect(await report(owner, { ...paid, chain, txHash: '0XaBcD' })).toMatchObject(repeated);
  expect(await report(owner, { ...paid, chain: 'polygon' })).toMatchObject({ status: 201 });
  expect(await report(owner, { ...paid, txHash: '0xabce' })).toMatchObject({ status: 201 });
  expect(await mandateOf(owner, id)).toMatchObject({ usedAmount: '0.03', transactionCount: 3 });
});

test('a hash without 0x and usdc in another case are kept as everybody spells them, and are the same payment [dashboard.transactions.spelling]', async () => {
  const owner = await dashboard.newAccount();
  const hash = 'aB'.repeat(32);
  const first = await report(owner, { txHash: hash, tokenSymbol: ' usdc' });
  expect((await logOf(owner)).data).toMatchObject([{ txHash: `0x${hash}`, tokenSymbol: 'USDC' }]);
  for (const txHash of [`0x${hash}`, `0X${hash}`, hash, hash.toLowerCase()]) {
    expect(await report(owner, { txHash })).toMatchObject({ status: 409, data: { id: first.data.id } });
    const listed = await dashboard.request('GET', `/api/transactions?scope=myAll&txHash=${txHash}`, {
      token: owner.token,
    });
    expect(listed.data).toMatchObject({ total: 1, data: [{ id: first.data.id }] });
  }
  // Elsewhere hashes have no 0x.
  await report(owner, { txHash: hash, chain: 'bitcoin', tokenSymbol: 'USDC.e' });
  expect((await logOf(owner)).data[0]).toMatchObject({ txHash: hash, tokenSymbol: 'USDC.e' });
});

test('without a hash the same trace is one transaction [dashboard.transactions.repeat.trace-id]', async () => {
  const owner = await dashboard.newAccount();
  const trace = { metadata: { traceId: 'x'.repeat(5000) } };
  const first = await report(owner, trace);
  expect(await report(owner, trace)).toMatchObject({
    status: 409,
    code: 80000003,
    data: { id: first.data.id },
  });
  expect(await report(owner, { metadata: { traceId: 'other' } })).toMatchObject({ status: 201 });
  expect(await report(owner, { ...trace, txHash: '0x1' })).toMatchObject({ status: 201 });
  expect(await report(owner)).toMatchObject({ status: 201 });
  expect(await report(owner)).toMatchObject({ status: 201 });
});

test('two accounts may each report the same transaction', async () => {
  const [owner, merchant] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const paid = { payer: owner.address, payee: merchant.address, txHash: '0x77' };
  expect(await report(owner, paid)).toMatchObject({ status: 201 });
  expect(await report(merchant, paid)).toMatchObject({ status: 201 });
});

test('reports at once, with duplicates, from two processes, consume each payment exactly once [dashboard.transactions.consume.atomic]', async () => {
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { perTxLimit: '0.01', totalBudget: '0.16' });
  const reports = Array.from({ length: 32 }, (_, i) =>
    (i % 2 === 0 ? dashboard : sibling).post('/api/transactions', {
      apiKey: owner.apiKey,
      ...paymentOf(owner.address, { amount: '0.01', intentMandateId: id, txHash: `0x${i % 16}` }),
    }),
  );
  const replies = await Promise.all(reports);
  const made = replies.filter(({ status }) => status === 201).map(({ data }) => data.id);
  const repeated = replies.filter(({ status }) => status === 409).map(({ data }) => data.id);
  expect([made.length, repeated.length]).toEqual([16, 16]);
  expect(new Set(repeated)).toEqual(new Set(made));
  expect(await mandateOf(owner, id)).toMatchObject({
    usedAmount: '0.16',
    transactionCount: 16,
    status: 'exhausted',
  });
});
