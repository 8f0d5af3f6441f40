import { randomBytes } from 'node:crypto';
import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import type { PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';
import { Client } from 'pg';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everythingKept, foundIn } from './everything-kept.ts';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { forgetRejected } from '../src/personal/retention.ts';
import { askedOf, signatureOf } from './approvals.ts';
import {
  type Json,
  loginMessage,
  newWallet,
  openDashboard,
  openDashboardForTest,
  paymentOf,
  type TestDashboard,
  type Wallet,
} from './dashboard.ts';

const operatorWallet = newWallet();
const operators = new Set([operatorWallet.address]);
const dayMs = 24 * 60 * 60_000;
const word = () => randomBytes(9).toString('hex');

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

const newIdentity = () => ({
  fullName: `Ada ${word()} Byron`,
  country: 'GB',
  documentType: 'passport',
  documentNumber: `X${word()}`,
});

const urlOf = ({ config: { storage } }: TestDashboard): string =>
  storage.kind === 'given' ? storage.url : '';

async function query(at: TestDashboard, text: string, values: readonly unknown[] = []): Promise<Json[]> {
  const client = new Client({ connectionString: urlOf(at) });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** What a wallet signs to have its data erased; `change` bends it before. */
async function askToErase(at: TestDashboard, wallet: Wallet, change: Partial<SiweMessage> = {}) {
  const { nonce } = (await at.post('/api/auth/nonce', {})).data;
  const fields = { nonce, issuedAt: at.clock.now, statement: erasureStatement, ...change };
  const message = createSiweMessage(loginMessage(at.url, wallet, fields));
  return { message, signature: wallet.signMessage(message) };
}
const erase = async (at: TestDashboard, { wallet, token }: Owner) =>
  at.post('/api/personal-data/erase', await askToErase(at, wallet), token);

async function exportOf(at: TestDashboard, token: string) {
  const response = await fetch(`${at.url}/api/personal-data/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, data: JSON.parse(text).data };
}

const submit = (at: TestDashboard, owner: Owner, identity: object) =>
  at.post('/api/kyc/submit', identity, owner.token);
const newestReview = async (at: TestDashboard, operator: Owner) =>
  (await at.post('/api/kyc/reviews/list', { limit: 1 }, operator.token)).data.data[0];
const decide = (at: TestDashboard, operator: Owner, id: string, decision: string, reason = 'looked at') =>
  at.post(`/api/kyc/reviews/${id}/decide`, { decision, reason }, operator.token);
const kycOf = async (at: TestDashboard, asker: Owner, walletAddress: string) =>
  (await at.post('/api/kyc/check', { apiKey: asker.apiKey, walletAddress })).data;

/** An owner with a bit of everything, and the words in it that are personal. */
async function newPerson(at: TestDashboard) {
  const operator = await at.newAccount(operatorWallet);
  const owner = await at.newAccount();
  const identity = newIdentity();
  const [keyName, draftTitle, argument, no, why] = [word(), word(), word(), word(), word()];
  await submit(at, owner, identity);
  const review = await newestReview(at, operator);
  expect((await decide(at, operator, review.id, 'approve', why)).status).toBe(200);
  await at.post('/api/keys', { name: keyName }, owner.token);
  const mandateId = await at.newMandate(owner);
  const draft = await at.draftMandate(owner.token, { title: draftTitle });
  const { apiKey } = owner;
  const paid = await at.post('/api/transactions', {
    apiKey,
    ...paymentOf(owner.address, { intentMandateId: mandateId, serviceName: 'kept-books' }),
  });
  expect(paid.status).toBe(201);
  const text = JSON.stringify({ note: argument });
  const { keccak256, stringToBytes } = await import('viem');
  const asked = {
    ...askedOf(owner.address, at.clock.now, { argumentsHash: keccak256(stringToBytes(text)) }),
    arguments: text,
  };
  expect((await at.post('/api/approvals', { apiKey, ...asked })).status).toBe(200);
  const used = askedOf(owner.address, at.clock.now);
  await at.post('/api/approvals', { apiKey, ...used });
  await at.post(
    `/api/approvals/${used.approvalId}/approve`,
    { signature: signatureOf(owner.wallet, used) },
    owner.token,
  );
  expect((await at.post('/api/approvals/use', { apiKey, approvalId: used.approvalId })).status).toBe(200);
  const refused = askedOf(owner.address, at.clock.now);
  await at.post('/api/approvals', { apiKey, ...refused });
  await at.post(`/api/approvals/${refused.approvalId}/reject`, { reason: no }, owner.token);
  const words = [identity.fullName, identity.documentNumber, keyName, draftTitle, argument, no, why];
  return { operator, owner, identity, review, mandateId, draft, used, words };
}

test('a person is told what is kept, why and how long, and gets all of it as one file; nobody else does [dashboard.personal.export]', async () => {
  const { owner, identity, mandateId, used, words } = await newPerson(dashboard);
  const other = await dashboard.newAccount();
  const told = (await dashboard.request('GET', '/api/personal-data', { token: owner.token })).data;
  const of = (kind: string): PersonalDataSummary => told.data.find((each: Json) => each.kind === kind);
  expect(told.erasedAt).toBeNull();
  expect(of('transactions')).toMatchObject({
    count: 1,
    onErasure: 'kept',
    law: expect.stringMatching(/^Accounting .* GDPR/),
  });
  expect(of('identities')).toMatchObject({
    count: 1,
    onErasure: 'deleted',
    keptFor: expect.stringMatching(/90 days/),
  });
  expect([of('mandates').count, of('drafts').count, of('apiKeys').count]).toEqual([1, 1, 2]);

  const { status, headers, data } = await exportOf(dashboard, owner.token);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="personal-data-2026-11-21.json"$/,
  );
  expect(foundIn(JSON.stringify(data), words)).toEqual(words);
  expect(data.complete).toBe(true);
  expect(data.account.record.walletAddress).toBe(owner.address);
  expect(data.submissions.records).toMatchObject([{ ...identity, status: 'approved' }]);
  expect(data.mandates.records).toMatchObject([
    { id: mandateId, perTxLimit: expect.stringMatching(/^1\.0+$/) },
  ]);
  expect(data.transactions.records).toMatchObject([{ serviceName: 'kept-books', standing: 'counted' }]);
  expect(data.approvals.records).toMatchObject([{ id: used.approvalId, state: 'used' }]);
  expect(data.sessions.records).toHaveLength(1);
  for (const section of Object.values<Json>(data).filter((each) => each?.records !== undefined))
    for (const { why, keptFor } of section.about) expect([why, keptFor]).not.toContain('');
  // Neither what proves who one is, nor what others have.
  expect(JSON.stringify(data)).not.toMatch(/sha256|keyId|"sealed"/);
  const strange = await exportOf(dashboard, other.token);
  expect(foundIn(strange.text, [...words, owner.address, mandateId])).toEqual([]);
  expect(await dashboard.request('POST', '/api/personal-data/export', { body: {} })).toMatchObject({
    status: 401,
  });
});

test('an export goes on for as long as there are records, and has each once [dashboard.personal.export]', async () => {
  const owner = await dashboard.newAccount();
  await query(
    dashboard,
    `insert into dashboard.transaction_log (id, reporter, reported_by, verified, payer_standing, payee_standing, service_name,
       service_result, chain, payer, created_at)
     select 9000000 + n, $1, 'payer', false, 'counted', 'claimed', 'many', 'pass', 'base', $2, $3 from generate_series(1, 1234) n`,
    [owner.account.id, owner.address, dashboard.clock.now],
  );
  const { data } = await exportOf(dashboard, owner.token);
  expect(new Set(data.transactions.records.map(({ id }: Json) => id)).size).toBe(1234);
  expect(data.complete).toBe(true);
});

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

test('what operators wrote about a person goes with an erasure; that they decided stays on record, and nothing else of it can change [dashboard.personal.erase.history]', async () => {
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

test('an identity that lay open and was deleted before it was sealed leaves the file of its table too [dashboard.personal.sealed.earlier]', async () => {
  const first = await openDashboard({ operators });
  const { storage } = first.config;
  const owner = await first.newAccount();
  const lieOpen = (id: string) =>
    query(
      first,
      `insert into dashboard.kyc_submission (id, account_id, full_name, country, document_type, document_number, status, created_at, decided_at)
       values ($1, $2, 'Ada', 'GB', 'passport', '1', 'rejected', $3, $3)`,
      [id, owner.account.id, first.clock.now],
    );
  const fileNow = async () =>
    (await query(first, `select pg_relation_filenode('dashboard.kyc_submission') as node`))[0].node;
  const nextProcess = async () => (await openDashboard({ operators, storage })).stop();
  const nodes = [await fileNow()];
  await lieOpen('kyc_1');
  await erase(first, owner);
  await nextProcess();
  nodes.push(await fileNow());
  await lieOpen('kyc_2');
  const pool = createPool(urlOf(first), createLogger('test', 'silent'));
  expect(await forgetRejected(pool, 1, new Date(first.clock.now.getTime() + dayMs))).toBe(1);
  await pool.end();
  await nextProcess();
  nodes.push(await fileNow());
  await nextProcess();
  expect(new Set(nodes).size).toBe(3);
  expect(await fileNow()).toBe(nodes[2]);
  await first.stop();
});

test('an approved renewal deletes what was handed in for the approval before; what was decided stays [dashboard.personal.retention.renewed]', async () => {
  const operator = await dashboard.newAccount(operatorWallet);
  const owner = await dashboard.newAccount();
  const [old, fresh] = [newIdentity(), newIdentity()];
  await submit(dashboard, owner, old);
  const { id } = await newestReview(dashboard, operator);
  const why = `seen ${word()}`;
  await decide(dashboard, operator, id, 'approve', why);
  const earlier = `update dashboard.kyc_submission set approved_at = approved_at - interval '350 days' where id = $1`;
  await query(dashboard, earlier, [id]);
  expect(await submit(dashboard, owner, fresh)).toMatchObject({ status: 200 });
  const before = (await exportOf(dashboard, owner.token)).text;
  expect(foundIn(before, [old.fullName, why])).toHaveLength(2);
  await decide(dashboard, operator, (await newestReview(dashboard, operator)).id, 'approve');
  const { data } = await exportOf(dashboard, owner.token);
  expect(data.submissions.records).toMatchObject([
    { id, status: 'approved', personalData: 'erased', reason: null },
    { ...fresh, status: 'approved', personalData: 'kept' },
  ]);
  expect(foundIn(JSON.stringify(data), [old.fullName, why])).toEqual([]);
  expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({ kycStatus: 'approved' });
  for (const [deed, kycStatus] of [
    ['withdraw', 'rejected'],
    ['restore', 'approved'],
  ]) {
    const body = { walletAddress: owner.address, reason: deed };
    expect(await dashboard.post(`/api/kyc/${deed}`, body, operator.token)).toMatchObject({ status: 200 });
    expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({ kycStatus });
  }
});

test('retention forgets why a withdrawal was taken back too [dashboard.personal.retention]', async () => {
  const { operator, owner, review } = await newPerson(dashboard);
  for (const deed of ['withdraw', 'restore', 'withdraw'])
    await dashboard.post(
      `/api/kyc/${deed}`,
      { walletAddress: owner.address, reason: `${deed} Ada` },
      operator.token,
    );
  const historyOf = () =>
    query(
      dashboard,
      'select deed, review_id as review, reason from dashboard.compliance_history where wallet = $1 order by id desc',
      [owner.address],
    );
  expect(await historyOf()).toMatchObject([
    { deed: 'withdraw', review: review.id, reason: 'withdraw Ada' },
    { deed: 'restore', review: review.id, reason: 'restore Ada' },
    { deed: 'withdraw', review: review.id },
    { deed: 'approve', review: review.id },
  ]);
  const pool = createPool(urlOf(dashboard), createLogger('test', 'silent'));
  await forgetRejected(pool, 1, new Date(dashboard.clock.now.getTime() + dayMs));
  await pool.end();
  expect((await historyOf()).map(({ reason }) => reason)).toEqual([null, null, null, null]);
});

test('sealed bytes that were put into another row open to nobody [dashboard.personal.sealed.bound]', async () => {
  const operator = await dashboard.newAccount(operatorWallet);
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) {
    await submit(dashboard, await dashboard.newAccount(), newIdentity());
    ids.push((await newestReview(dashboard, operator)).id);
  }
  await query(
    dashboard,
    `update dashboard.kyc_identity a set sealed = b.sealed from dashboard.kyc_identity b
     where a.submission_id = $1 and b.submission_id = $2`,
    ids,
  );
  const { data } = (await dashboard.post('/api/kyc/reviews/list', { limit: 2 }, operator.token)).data;
  const [second, first] = data;
  expect(first).toMatchObject({
    id: ids[0],
    personalData: 'unreadable',
    fullName: null,
    documentNumber: null,
  });
  expect(second).toMatchObject({ id: ids[1], personalData: 'kept' });
});

test('a rejected submission keeps its personal data for the days that are configured; any process deletes them, also after all were down [dashboard.personal.retention]', async () => {
  const first = await openDashboard({ operators, kycRetentionDays: 30 });
  const { storage } = first.config;
  const at = (ms: number) => new Date(first.clock.now.getTime() + ms);
  const operator = await first.newAccount(operatorWallet);
  const [rejected, approved, waiting] = [newIdentity(), newIdentity(), newIdentity()];
  const owners: Owner[] = [];
  const reason = `blurred ${word()}`;
  for (const [identity, decision] of [
    [rejected, 'reject'],
    [approved, 'approve'],
    [waiting, null],
  ] as const) {
    const owner = await first.newAccount();
    owners.push(owner);
    await submit(first, owner, identity);
    const { id } = await newestReview(first, operator);
    if (decision !== null) await decide(first, operator, id, decision, reason);
  }
  await first.stop();

  const kept = async (moment: Date) => {
    const world = { now: () => moment };
    const processes = await Promise.all(
      [1, 2].map(() => openDashboard({ operators, kycRetentionDays: 30, storage }, world)),
    );
    // A process ends only when what it has begun is done.
    await Promise.all(processes.map((each) => each.stop()));
    const of = { rejected, approved, waiting };
    const database = await query(
      first,
      'select id, reason, erased_for from dashboard.kyc_submission order by seq',
    );
    return {
      rows: database,
      sealed: (await query(first, 'select 1 from dashboard.kyc_identity')).length,
      of,
    };
  };
  expect((await kept(at(30 * dayMs - 1))).sealed).toBe(3);
  const after = await kept(at(30 * dayMs));
  expect(after.sealed).toBe(2);
  expect(after.rows.map(({ erased_for }) => erased_for)).toEqual(['retention', null, null]);
  expect(after.rows[0].reason).toBeNull();
  expect((await kept(at(400 * dayMs))).sealed).toBe(2);

  // What was decided stays in force.
  const later = await openDashboardForTest({ operators, storage });
  const statusOf = async (owner: Owner | undefined) =>
    (await kycOf(later, operator, owner?.address ?? '')).kycStatus;
  expect([await statusOf(owners[0]), await statusOf(owners[1]), await statusOf(owners[2])]).toEqual([
    'rejected',
    'approved',
    'pending',
  ]);
});
