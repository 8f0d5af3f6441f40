import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWallet, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let owner: Awaited<ReturnType<TestDashboard['newAccount']>>;
beforeAll(async () => {
  dashboard = await openDashboard();
  owner = await dashboard.newAccount();
});
afterAll(() => dashboard.stop());

const paramError = { code: 80000002, data: null };
const invalidParam = { status: 400, code: 80000012, data: null };
const create = (change: object) =>
  dashboard.post(
    '/api/mandates/intent/create',
    { title: 't', perTxLimit: '1', totalBudget: '2', validDays: 1, ...change },
    owner.token,
  );
const report = (change: object) =>
  dashboard.post('/api/transactions', { apiKey: owner.apiKey, ...paymentOf(owner.address), ...change });
const list = (query: string) =>
  dashboard.request('GET', `/api/transactions?${query}`, { token: owner.token });
const publicKey = (walletAddress: unknown) =>
  dashboard.post('/api/accounts/public-key', { apiKey: owner.apiKey, walletAddress });

test('an unknown route is 404 [dashboard.error.unknown-route]', async () => {
  for (const path of ['/api/nowhere', '/api/auth/me/', '/API/AUTH/ME', '/api/mandates/intent', '//']) {
    expect(await dashboard.request('GET', path)).toMatchObject({ status: 404, code: 80000011, data: null });
  }
});

test('a wrong method is 405 [dashboard.error.wrong-method]', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect(await dashboard.request(method, '/api/auth/login')).toMatchObject({ status: 405, ...paramError });
  }
  expect(await dashboard.request('DELETE', '/api/keys')).toMatchObject({ status: 405 });
});

test('a body that is not JSON by its type is 415 [dashboard.error.content-type] [dashboard.envelope.bodies-are-json]', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
    const reply = await dashboard.request('POST', '/api/auth/login', {
      body: '{}',
      headers: { 'content-type': type },
    });
    expect(reply).toMatchObject({ status: 415, ...paramError });
    expect(reply.headers.get('content-type')).toContain('application/json');
  }
  const charset = { 'content-type': 'application/json; charset=utf-8' };
  expect(await dashboard.request('POST', '/api/auth/nonce', { body: '{}', headers: charset })).toMatchObject({
    status: 200,
  });
});

test('broken JSON is 400 [dashboard.error.broken-json]', async () => {
  for (const body of ['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":1}}', '\u0000']) {
    expect(await dashboard.request('POST', '/api/auth/login', { body })).toMatchObject({
      status: 400,
      ...paramError,
    });
  }
});

test('a body over 256 KiB is 413, one of exactly that size is read [dashboard.error.body-too-large]', async () => {
  const bodyOf = (bytes: number) => {
    const rest = JSON.stringify({ message: '', signature: '' }).length;
    return JSON.stringify({ message: 'x'.repeat(bytes - rest), signature: '' });
  };
  const login = (body: string) => dashboard.request('POST', '/api/auth/login', { body });
  expect(await login(bodyOf(256 * 1024 + 1))).toMatchObject({ status: 413, ...paramError });
  expect(await login(bodyOf(256 * 1024))).toMatchObject(invalidParam);
});

test('headers that are too large are answered in the envelope too [dashboard.envelope.fields] [dashboard.error.request-id]', async () => {
  const reply = await dashboard.request('GET', `/api/transactions?chain=${'x'.repeat(20_000)}`);
  expect(reply).toMatchObject({ status: 431, ...paramError });
  expect(await dashboard.request('GET', '/health')).toMatchObject({ status: 200 });
});

test('checks come in their order [dashboard.error.order.syntax-first] [dashboard.error.order.key-before-body] [dashboard.error.order.body-before-rules]', async () => {
  const noKey = (body: unknown) => dashboard.post('/api/accounts/public-key', body);
  expect(await noKey('{"apiKey":')).toMatchObject({ status: 400, code: 80000002 });
  expect(await noKey({ apiKey: 'bad', walletAddress: 5 })).toMatchObject({ status: 401, code: 80000040 });
  const noSession = await dashboard.post('/api/mandates/intent/sign', { mandateId: 5 });
  expect(noSession).toMatchObject({ status: 401, code: 80000044 });
  const unknown = { mandateId: 'mdt_unknown', signature: 5 };
  expect(await dashboard.post('/api/mandates/intent/sign', unknown, owner.token)).toMatchObject({
    status: 400,
  });
});

test('every answer has the envelope and a request id [dashboard.envelope.fields] [dashboard.error.request-id]', async () => {
  // The helper checks both on every single answer of these tests.
  const replies = [
    await list('scope=myAll'),
    await list(''),
    await dashboard.request('GET', '/x'),
    await publicKey(5),
  ];
  for (const { code, msg, data } of replies) {
    expect([Number.isInteger(code), typeof msg, typeof data]).toEqual([true, 'string', 'object']);
  }
});

test('a missing field is told by its name [dashboard.error.param-error.missing-field]', async () => {
  for (const field of ['title', 'perTxLimit', 'totalBudget', 'validDays']) {
    const reply = await create({ [field]: undefined });
    expect(reply).toMatchObject({ status: 400, ...paramError });
    expect(reply.msg).toContain(field);
  }
  expect((await publicKey(undefined)).msg).toContain('walletAddress');
});

test('a wrong type is told by the name of its field [dashboard.error.param-error.wrong-type]', async () => {
  const wrong: [string, unknown][] = [
    ['title', 5],
    ['perTxLimit', 1],
    ['perTxLimit', null],
    ['totalBudget', ['2']],
    ['validDays', '1'],
    ['validDays', 1.5],
  ];
  for (const [field, value] of wrong) {
    const reply = await create({ [field]: value });
    expect(reply).toMatchObject({ status: 400, ...paramError });
    expect(reply.msg).toContain(field);
  }
  expect(await report({ serviceResult: 5 })).toMatchObject({ status: 400, ...paramError });
  expect(await report({ payerKycResult: '1' })).toMatchObject({ status: 400, ...paramError });
  expect(await report({ metadata: 'text' })).toMatchObject({ status: 400, ...paramError });
  expect(await list('scope=myAll&page=two')).toMatchObject({ status: 400, ...paramError });
});

test('a wrong type weighs more than an impossible value', async () => {
  expect(await create({ perTxLimit: 'x', validDays: 'y' })).toMatchObject({ status: 400, ...paramError });
});

test('what is no address is 80000012 [dashboard.error.invalid-param.address]', async () => {
  for (const text of ['', '0x', 'vitalik.eth', owner.address.slice(0, -1), `${owner.address}0`]) {
    expect(await publicKey(text)).toMatchObject(invalidParam);
  }
});

test('a wrong checksum in mixed case is 80000012 [dashboard.error.invalid-param.checksum]', async () => {
  const wrong = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(await publicKey(wrong)).toMatchObject(invalidParam);
  expect(await report({ payee: wrong })).toMatchObject(invalidParam);
});

test('what is no decimal is 80000012 [dashboard.error.invalid-param.decimal]', async () => {
  for (const text of ['', '-1', '1e3', 'NaN', '1,5', '01', ' 1', `0.${'1'.repeat(19)}`, '1'.repeat(19)]) {
    expect(await create({ totalBudget: text })).toMatchObject(invalidParam);
    expect(await report({ amount: text })).toMatchObject(invalidParam);
  }
  expect(await create({ perTxLimit: '0' })).toMatchObject(invalidParam);
});

test('an amount that (18,2) cannot hold is 80000012 [dashboard.error.invalid-param.log-amount]', async () => {
  expect(await report({ amount: '10000000000000000' })).toMatchObject(invalidParam);
  expect(await report({ amount: '9999999999999999.995' })).toMatchObject(invalidParam);
  expect(await report({ amount: '9999999999999999.99' })).toMatchObject({ status: 201 });
});

test('what is no date is 80000012 [dashboard.error.invalid-param.date]', async () => {
  for (const text of [
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:00',
    '1767225600',
  ]) {
    expect(await list(`scope=myAll&startDate=${text}`)).toMatchObject(invalidParam);
    expect(await list(`scope=myAll&endDate=${text}`)).toMatchObject(invalidParam);
  }
});

test('a word outside its enumeration is 80000012 [dashboard.error.invalid-param.enum]', async () => {
  expect(await report({ serviceResult: 'maybe' })).toMatchObject(invalidParam);
  expect(await list('scope=theirs')).toMatchObject(invalidParam);
  expect(await dashboard.post('/api/mandates/intent/list', { status: 'paused' }, owner.token)).toMatchObject(
    invalidParam,
  );
});

test('a number out of range is 80000012, nothing is clamped [dashboard.error.invalid-param.range] [dashboard.mandate.create.valid-days]', async () => {
  for (const query of ['limit=101', 'limit=0', 'page=0', 'page=-1', 'page=99999999999999999999']) {
    expect(await list(`scope=myAll&${query}`)).toMatchObject(invalidParam);
  }
  for (const validDays of [0, 366, -1, 1e15]) expect(await create({ validDays })).toMatchObject(invalidParam);
  for (const validDays of [1, 365]) expect(await create({ validDays })).toMatchObject({ status: 200 });
  expect(await dashboard.post('/api/mandates/intent/list', { limit: 101 }, owner.token)).toMatchObject(
    invalidParam,
  );
  expect(await report({ payeeKytRiskLevel: 4 })).toMatchObject(invalidParam);
  expect(await report({ payerKycResult: 2 })).toMatchObject(invalidParam);
});

test('a text that is too long is 80000012, nothing is cut [dashboard.error.invalid-param.length] [dashboard.transactions.field.lengths]', async () => {
  const limits = { serviceName: 64, chain: 20, txHash: 128, tokenSymbol: 20 };
  for (const [field, length] of Object.entries(limits)) {
    expect(await report({ [field]: 'x'.repeat(length + 1) })).toMatchObject(invalidParam);
    expect(
      await report({ [field]: `${field}${'x'.repeat(length - field.length)}`.slice(0, length) }),
    ).toMatchObject({ status: 201 });
  }
  expect(await create({ title: 'x'.repeat(201) })).toMatchObject(invalidParam);
  expect(await dashboard.post('/api/keys', { name: '' }, owner.token)).toMatchObject(invalidParam);
});

test('unknown fields of a body are ignored, unknown parameters of a query named [system.service.query-parameters]', async () => {
  expect(await create({ color: 'red', accountId: 'other' })).toMatchObject({ status: 200 });
  expect(await list('scope=myAll&color=red')).toMatchObject({
    status: 400,
    code: 80000012,
    msg: expect.stringMatching(/^query: there is no parameter "color"/),
  });
});

test('success is 80000000 with 200, and 201 for a report alone [dashboard.error.success]', async () => {
  expect(await create({})).toMatchObject({ status: 200, code: 80000000 });
  expect(await report({})).toMatchObject({ status: 201, code: 80000000 });
  const made = Object.entries(dashboardRoutes).filter(([, route]) => 'created' in route);
  expect(made.map(([name]) => name)).toEqual(['reportTransaction']);
});

test('what is not mine to do is 403 [dashboard.error.unauthorized-operation]', async () => {
  expect(await report({ payer: newWallet().address })).toMatchObject({
    status: 403,
    code: 80000004,
    data: null,
  });
});
