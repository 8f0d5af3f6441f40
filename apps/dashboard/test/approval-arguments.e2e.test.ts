import { createLogger } from '@countersign/service/logger';
import { keccak256, stringToBytes } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetArguments } from '../src/approvals/arguments.ts';
import { openDatabase } from '../src/database.ts';
import { askedOf, signatureOf } from './approvals.ts';
import { newDatabase, openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';

const evidenceKey = { kind: 'given', key: Buffer.alloc(32, 7) } as const;
const dayMs = 24 * 60 * 60_000;
const text = '{"item":"yacht","note":"ünder the bridge"}';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ evidenceKey });
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

function asked(at: TestDashboard, { address }: Owner, said: string, sent: string | undefined = said) {
  const argumentsHash = keccak256(stringToBytes(said));
  return { ...askedOf(address, at.clock.now, { argumentsHash }), ...(sent !== '' && { arguments: sent }) };
}
const ask = async (at: TestDashboard, { apiKey }: Owner, body: object) =>
  at.post('/api/approvals', { apiKey, ...body });
const read = (at: TestDashboard, { token }: Owner, approvalId: string) =>
  at.request('GET', `/api/approvals/${approvalId}/arguments`, { token });

async function stored(at: TestDashboard) {
  const database = await openDatabase(at.config.storage, createLogger('test', 'silent'));
  const { rows } = await database.pool.query('select sealed from dashboard.approval_arguments');
  const forget = () => forgetArguments(database.pool, at.clock.now);
  return { rows: rows as { sealed: Buffer }[], forget, close: () => database.close() };
}

test('the owner reads the arguments, whoever else asks does not; at rest they are sealed [dashboard.approvals.arguments]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const body = asked(dashboard, owner, text);
  const reply = await ask(dashboard, owner, body);
  expect(reply).toMatchObject({ status: 200 });
  expect(JSON.stringify(reply.data)).not.toContain('yacht');
  expect((await read(dashboard, owner, body.approvalId)).data).toEqual({ state: 'kept', arguments: text });
  expect(await read(dashboard, other, body.approvalId)).toMatchObject({ status: 404, code: 80000011 });
  const { rows, close } = await stored(dashboard);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.sealed.includes('yacht')).toBe(false);
  await close();
  // The same question again is the same approval, however it comes.
  expect(await ask(dashboard, owner, body)).toMatchObject({ status: 200 });
  const { arguments: _, ...hashOnly } = body;
  expect(await ask(dashboard, owner, hashOnly)).toMatchObject({ status: 200 });
});

test('arguments of another hash, and longer ones than 16 KiB, are refused; a hash alone is not [dashboard.approvals.arguments.bound]', async () => {
  const owner = await dashboard.newAccount();
  const refused = { status: 400, code: 80000012 };
  expect(await ask(dashboard, owner, asked(dashboard, owner, text, '{"item":"boat"}'))).toMatchObject(
    refused,
  );
  const long = JSON.stringify('ü'.repeat(8_192));
  expect(await ask(dashboard, owner, asked(dashboard, owner, long))).toMatchObject(refused);
  const longest = JSON.stringify('ü'.repeat(8_191));
  expect(await ask(dashboard, owner, asked(dashboard, owner, longest))).toMatchObject({ status: 200 });
  const alone = asked(dashboard, owner, text, '');
  expect(await ask(dashboard, owner, alone)).toMatchObject({ status: 200 });
  expect((await read(dashboard, owner, alone.approvalId)).data).toEqual({
    state: 'hash-only',
    arguments: null,
  });
});

test('a day after the decision, or after the approval has run out, they are gone [dashboard.approvals.arguments.deleted]', async () => {
  const at = await openDashboardForTest({ evidenceKey });
  const owner = await at.newAccount();
  const [decided, silent] = [asked(at, owner, text), asked(at, owner, text)];
  const { approval } = (await ask(at, owner, decided)).data;
  await ask(at, owner, silent);
  at.clock.advance(5 * 60_000);
  const signature = signatureOf(owner.wallet, approval);
  const approve = `/api/approvals/${decided.approvalId}/approve`;
  expect(await at.post(approve, { signature }, owner.token)).toMatchObject({ status: 200 });

  at.clock.advance(dayMs - 1);
  const token = (await at.loginReply(owner.wallet)).data.token as string;
  const state = async (approvalId: string) =>
    (await read(at, { ...owner, token }, approvalId)).data.state as string;
  expect(await state(decided.approvalId)).toBe('kept');
  at.clock.advance(1);
  expect(await state(decided.approvalId)).toBe('over');
  expect(await state(silent.approvalId)).toBe('kept');
  const before = await stored(at);
  await before.forget();
  await before.close();
  const after = await stored(at);
  expect([before.rows.length, after.rows.length]).toEqual([2, 1]);
  at.clock.advance(10 * 60_000);
  expect(await state(silent.approvalId)).toBe('over');
  await after.forget();
  await after.close();
  const atLast = await stored(at);
  expect(atLast.rows).toEqual([]);
  await atLast.close();
});

test('without the key that sealed them they are not shown, and without any they are not kept [dashboard.approvals.arguments]', async () => {
  const storage = { kind: 'given', url: await newDatabase() } as const;
  const keyless = await openDashboardForTest({ storage, evidenceKey: { kind: 'none' } });
  const owner = await keyless.newAccount();
  const unkept = asked(keyless, owner, text);
  await ask(keyless, owner, unkept);
  const { rows, close } = await stored(keyless);
  expect(rows).toEqual([]);
  await close();
  const keyed = await openDashboardForTest({ storage, evidenceKey });
  const kept = asked(keyed, owner, text);
  await ask(keyed, owner, kept);
  const other = { kind: 'given', key: Buffer.alloc(32, 8) } as const;
  const strange = await openDashboardForTest({ storage, evidenceKey: other });
  for (const [at, { approvalId }] of [
    [keyed, unkept],
    [keyless, kept],
    [strange, kept],
  ] as const)
    expect((await read(at, owner, approvalId)).data).toEqual({ state: 'not-kept', arguments: null });
});
