import { addAmounts, type Amount, formatAmount, parseAmount, zero } from '@countersign/protocol/amount';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openDashboard, type Reply, type TestDashboard } from './dashboard.ts';
import { holdCalls } from './holds.ts';

// Two dashboards on one database, as two processes would be: every test spreads its calls over both.
let dashboards: readonly [TestDashboard, TestDashboard];
beforeAll(async () => {
  const first = await openDashboard();
  const second = await openDashboard({ storage: first.config.storage });
  dashboards = [first, second];
});
afterAll(() => Promise.all(dashboards.map(({ stop }) => stop())));

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const callsOf = (index: number) => holdCalls(dashboards[index % 2 === 0 ? 0 : 1]);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const amountOf = (text: string): Amount => parseAmount(text) as Amount;
const sumOf = (texts: readonly string[]): string =>
  formatAmount(texts.map(amountOf).reduce(addAmounts, zero));
const counted = (replies: readonly Reply[]) => {
  const count: Record<number, number> = {};
  for (const { code } of replies) count[code] = (count[code] ?? 0) + 1;
  return count;
};

async function ownerWithMandate(limits: { perTxLimit: string; totalBudget: string }) {
  const owner = await dashboards[0].newAccount();
  return { owner, mandateId: await dashboards[0].newMandate(owner, limits) };
}

async function mandateOf(owner: Owner, id: string, index = 0): Promise<Json> {
  const dashboard = dashboards[index % 2 === 0 ? 0 : 1];
  const { data } = await dashboard.post('/api/mandates/intent/list', {}, owner.token);
  return data.data.find((mandate: Json) => mandate.id === id);
}

test('64 holds at once take the budget to its last unit, and no further [dashboard.hold.never-overspent]', async () => {
  const totalBudget = '1.000000000000000003';
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '0.04', totalBudget });
  const first = range(64).map((i) => callsOf(i).hold(owner, { mandateId, amount: '0.04' }));
  expect(counted(await Promise.all(first))).toEqual({ 80000000: 25, 80000057: 39 });
  const last = range(64).map((i) => callsOf(i).hold(owner, { mandateId, amount: '0.000000000000000001' }));
  expect(counted(await Promise.all(last))).toEqual({ 80000000: 3, 80000057: 61 });
  expect(await mandateOf(owner, mandateId)).toMatchObject({
    heldAmount: totalBudget,
    remainingBudget: '0',
    status: 'active',
  });
});

test('64 holds of different amounts at once: each that was refused did not fit [dashboard.hold.never-overspent] [dashboard.hold.budget-exceeded]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '3', totalBudget: '10' });
  const asked = range(64).map((i) => `0.${(i * 37 + 11) % 97}1`);
  const replies = await Promise.all(
    asked.map((amount, i) => callsOf(i).hold(owner, { mandateId, amount, holdId: `h${i}` })),
  );
  const heldAmount = sumOf(asked.filter((_, i) => replies[i]?.status === 200));
  const { remainingBudget, ...mandate } = await mandateOf(owner, mandateId);
  expect(mandate).toMatchObject({ heldAmount, usedAmount: '0' });
  expect(sumOf([heldAmount, remainingBudget])).toBe('10');
  for (const [i, amount] of asked.entries()) {
    if (replies[i]?.status === 200) continue;
    expect(amountOf(amount) > amountOf(remainingBudget)).toBe(true);
  }
});

test('hold and pay, hold and pay: 64 callers together spend exactly the budget [dashboard.hold.never-overspent] [dashboard.transactions.consume.atomic]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '0.1', totalBudget: '2' });
  const callers = range(64).map(async (i) => {
    const holdId = `h${i}`;
    const held = await callsOf(i).hold(owner, { mandateId, amount: '0.1', holdId });
    if (held.status !== 200) return held;
    return callsOf(i + 1).report(owner, mandateId, { holdId, amount: '0.1', txHash: `0x${i}` });
  });
  const replies = await Promise.all(callers);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
  // The last payments exhaust the mandate, so those who come late are told that.
  expect(replies.filter(({ code }) => code === 80000057 || code === 80000055)).toHaveLength(44);
  expect(await mandateOf(owner, mandateId)).toMatchObject({
    usedAmount: '2',
    heldAmount: '0',
    transactionCount: 20,
    status: 'exhausted',
  });
});

test('hold and pay through two dashboards: together they spend exactly the budget of the day [dashboard.hold.never-overspent] [dashboard.policy.period]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '1', totalBudget: '1000' });
  const policy = {
    paused: false,
    allowedServices: null,
    allowedMerchants: null,
    approvalThreshold: null,
    period: { every: 'day', budget: '2' },
    newPayees: 'pay',
  };
  const set = await dashboards[0].post('/api/mandates/intent/policy', { mandateId, policy }, owner.token);
  expect(set).toMatchObject({ status: 200 });
  const callers = range(64).map(async (i) => {
    const holdId = `d${i}`;
    const held = await callsOf(i).hold(owner, { mandateId, amount: '0.1', holdId });
    if (held.status !== 200) return held;
    // A hold that becomes usage leaves one table and enters another, while others wait for the mandate.
    return callsOf(i + 1).report(owner, mandateId, { holdId, amount: '0.1', txHash: `0xd${i}` });
  });
  const replies = await Promise.all(callers);
  expect(counted(replies)).toEqual({ 80000000: 20, 80000057: 44 });
  expect(await mandateOf(owner, mandateId)).toMatchObject({ usedAmount: '2', heldAmount: '0' });
});

test('while holds become usage, whoever looks sees each once: never both, never neither [dashboard.hold.becomes-usage]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '1', totalBudget: '64' });
  await Promise.all(
    range(32).map((i) => callsOf(i).hold(owner, { mandateId, holdId: `h${i}`, ttlSeconds: 3600 })),
  );
  const paid = new AbortController();
  const looks = range(4).map(async (i) => {
    const seen: Json[] = [];
    while (!paid.signal.aborted) seen.push(await mandateOf(owner, mandateId, i));
    return seen;
  });
  await Promise.all(range(32).map((i) => callsOf(i).report(owner, mandateId, { holdId: `h${i}` })));
  paid.abort();
  const seen = (await Promise.all(looks)).flat();
  expect(new Set(seen.map(({ remainingBudget }) => remainingBudget))).toEqual(new Set(['32']));
  expect(new Set(seen.map(({ usedAmount, heldAmount }) => sumOf([usedAmount, heldAmount])))).toEqual(
    new Set(['32']),
  );
  expect(await mandateOf(owner, mandateId)).toMatchObject({ usedAmount: '32', heldAmount: '0' });
});

test('one hold placed, paid, reported twice and released, all at once: paid once, and nothing is left held', async () => {
  for (const round of range(12)) {
    const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '1', totalBudget: '3' });
    const hold = { mandateId, holdId: `r${round}` };
    await callsOf(0).hold(owner, hold);
    const paid = { holdId: hold.holdId, txHash: '0x1' };
    const replies = await Promise.all([
      callsOf(round).report(owner, mandateId, paid),
      callsOf(round + 1).release(owner, hold.holdId),
      callsOf(round).hold(owner, hold),
      callsOf(round + 1).report(owner, mandateId, paid),
      callsOf(round).release(owner, hold.holdId),
    ]);
    const [first, released, again, second, releasedAgain] = replies.map(({ status }) => status);
    expect([first, second].map(String).sort()).toEqual(['201', '409']);
    for (const status of [released, again, releasedAgain]) expect([200, 409]).toContain(status);
    const settled = { usedAmount: '1', transactionCount: 1, heldAmount: '0', remainingBudget: '2' };
    expect(await mandateOf(owner, mandateId)).toMatchObject(settled);
    expect(await callsOf(0).hold(owner, hold)).toMatchObject({ status: 409 });
  }
});

test('one holdId for two mandates at once is of one of them', async () => {
  const [a, b] = [
    await ownerWithMandate({ perTxLimit: '1', totalBudget: '3' }),
    await ownerWithMandate({ perTxLimit: '1', totalBudget: '3' }),
  ];
  const operator = await dashboards[0].newOperatorKey();
  for (const round of range(12)) {
    const replies = await Promise.all(
      [a, b, a, b].map(({ mandateId }, i) =>
        callsOf(i).hold(operator, { mandateId, holdId: `op${round}`, amount: '0.1' }),
      ),
    );
    expect(replies.map(({ status }) => `${status}`).sort()).toEqual(['200', '200', '409', '409']);
    expect(replies[0]?.status).toBe(replies[2]?.status);
  }
  const held = [await mandateOf(a.owner, a.mandateId), await mandateOf(b.owner, b.mandateId)];
  expect(sumOf(held.map(({ heldAmount }) => heldAmount))).toBe('1.2');
});

test('expired holds make room at once, for no more than fits, while late reports come in [dashboard.hold.expires] [dashboard.hold.never-overspent]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '1', totalBudget: '16' });
  const holdAll = (wave: string, ttlSeconds: number) =>
    range(24).map((i) => callsOf(i).hold(owner, { mandateId, holdId: `${wave}${i}`, ttlSeconds }));
  const first = await Promise.all(holdAll('a', 10));
  expect(counted(first)).toEqual({ 80000000: 16, 80000057: 8 });
  for (const { clock } of dashboards) clock.advance(10_000);

  const held = range(24).filter((i) => first[i]?.status === 200);
  const late = held
    .slice(0, 4)
    .map((i) => callsOf(i).report(owner, mandateId, { holdId: `a${i}`, txHash: `0x${i}` }));
  const [reports, second] = await Promise.all([Promise.all(late), Promise.all(holdAll('b', 60))]);
  expect(reports.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  // A late report may come after the room of its hold was given away: what has settled is recorded all the same.
  const placed = second.filter(({ status }) => status === 200).length;
  expect(placed).toBeGreaterThanOrEqual(12);
  expect(placed).toBeLessThanOrEqual(16);
  expect(await mandateOf(owner, mandateId)).toMatchObject({ usedAmount: '4', heldAmount: `${placed}` });
});
