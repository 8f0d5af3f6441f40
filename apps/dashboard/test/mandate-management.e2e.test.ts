import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { openDashboard, type TestDashboard } from './dashboard.ts';
import { holdCalls } from './holds.ts';
import { mandateCalls, noPolicy } from './mandate-calls.ts';

let dashboard: TestDashboard;
let calls: ReturnType<typeof mandateCalls> & ReturnType<typeof holdCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  calls = { ...mandateCalls(dashboard), ...holdCalls(dashboard) };
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

const day = 24 * 60 * 60_000;
const success = { status: 200, code: 80000000 };
const notFound = { status: 404, code: 80000053 };
const expired = { status: 400, code: 80000054 };
const exhausted = { status: 400, code: 80000055 };
const belowUsed = { status: 400, code: 80000057 };
const invalid = { status: 400, code: 80000012 };
const asCreate = ['mandateId', 'unsignedCredential', 'typedData', 'mandate'];

/** One mandate in every state that nothing leads back from. */
async function endedMandates() {
  const owner = await dashboard.newAccount();
  const used = await dashboard.newMandate(owner, { totalBudget: '1' });
  await calls.spend(owner, used, '1');
  const revoked = await dashboard.newMandate(owner);
  await calls.revoke(owner, revoked);
  const lapsed = await dashboard.newMandate(owner, { validDays: 1 });
  dashboard.clock.advance(day);
  return { owner: await calls.again(owner), used, revoked, lapsed };
}

/** An active mandate of which 3 are used and 2 held; 20 are signed. */
async function spentMandate(): Promise<{ owner: Owner; id: string }> {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { perTxLimit: '5', totalBudget: '20' });
  await calls.spend(owner, id, '3');
  expect(await calls.hold(owner, { mandateId: id, amount: '2', ttlSeconds: 3600 })).toMatchObject(success);
  return { owner, id };
}

describe('update', () => {
  test('new limits void the signature: nothing can be spent until the wallet signs again [dashboard.mandate.update.limits]', async () => {
    const { owner, id } = await spentMandate();
    const reply = await calls.update(owner, id, { perTxLimit: '2.50', totalBudget: '30' });
    expect(reply).toMatchObject(success);
    expect(Object.keys(reply.data)).toEqual(asCreate);
    expect(dashboardRoutes.updateMandate.data.safeParse(reply.data).error).toBeUndefined();
    expect(reply.data.mandate).toMatchObject({
      id,
      status: 'pending',
      perTxLimit: '2.5',
      totalBudget: '30',
      usedAmount: '3',
      heldAmount: '2',
      remainingBudget: '25',
      signature: null,
      vcJson: null,
    });
    expect(reply.data.typedData.message).toMatchObject({ id, perTxLimit: '2.5', totalBudget: '30' });
    expect(await calls.hold(owner, { mandateId: id })).toMatchObject(notFound);
    expect(await calls.lookUp(owner)).toMatchObject({ ...notFound, msg: 'MANDATE_PENDING' });

    expect(await dashboard.signMandate(owner, reply.data)).toMatchObject(success);
    expect((await calls.lookUp(owner)).data).toMatchObject({
      mandate: { id, totalBudget: '30', usedAmount: '3' },
      remainingBudget: '25',
    });
  });

  test('a signature over the old limits does not make the new ones active [dashboard.mandate.update.limits]', async () => {
    const owner = await dashboard.newAccount();
    const draft = await dashboard.draftMandate(owner.token);
    await dashboard.signMandate(owner, draft);
    await calls.update(owner, draft.mandateId, { totalBudget: '1000' });
    expect(await dashboard.signMandate(owner, draft)).toMatchObject({ status: 403, code: 80000004 });
    expect((await calls.find(owner, draft.mandateId)).status).toBe('pending');
  });

  test('a signature that was void stays void when the old limits come back [dashboard.mandate.update.void-stays-void]', async () => {
    const owner = await dashboard.newAccount();
    const first = await dashboard.draftMandate(owner.token, { totalBudget: '20' });
    await dashboard.signMandate(owner, first);
    const second = (await calls.update(owner, first.mandateId, { totalBudget: '10' })).data;
    const third = (await calls.update(owner, first.mandateId, { totalBudget: '20' })).data;
    const fourth = (await calls.update(owner, first.mandateId, { totalBudget: '10' })).data;
    expect(
      new Set([first, second, third, fourth].map(({ typedData }) => typedData.message.expiresAt)).size,
    ).toBe(4);
    for (const old of [first, second, third])
      expect(await dashboard.signMandate(owner, old)).toMatchObject({ status: 403, code: 80000004 });
    expect((await calls.find(owner, first.mandateId)).status).toBe('pending');
    expect(await dashboard.signMandate(owner, fourth)).toMatchObject(success);
    expect((await calls.find(owner, first.mandateId)).expiresAt).toBe(fourth.typedData.message.expiresAt);
  });

  test('a budget of exactly what is used is exhausted [dashboard.mandate.exhausted-by-owner]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner, { perTxLimit: '3', totalBudget: '20' });
    await calls.spend(owner, id, '3');
    const { data } = await calls.update(owner, id, { totalBudget: '3' });
    expect(data.mandate).toMatchObject({ status: 'exhausted', totalBudget: '3', usedAmount: '3' });
    expect(await dashboard.signMandate(owner, data)).toMatchObject(exhausted);
  });

  test('a title alone leaves status and signature, in every state [dashboard.mandate.update.title]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner);
    const before = await calls.find(owner, id);
    const reply = await calls.update(owner, id, { title: 'Shopping' });
    expect(reply.data.mandate).toEqual({ ...before, title: 'Shopping' });
    const ended = await endedMandates();
    for (const each of [ended.used, ended.revoked, ended.lapsed])
      expect(await calls.update(ended.owner, each, { title: 'Old' })).toMatchObject(success);
  });

  test('no budget below what is used and held [dashboard.mandate.update.below-used]', async () => {
    const { owner, id } = await spentMandate();
    expect(
      await calls.update(owner, id, { totalBudget: '4.999999999999999999', perTxLimit: '1' }),
    ).toMatchObject(belowUsed);
    expect((await calls.find(owner, id)).status).toBe('active');
    expect(await calls.update(owner, id, { totalBudget: '5' })).toMatchObject(success);
  });

  test('no transaction limit above the budget, whichever of them is new [dashboard.error.intent-per-tx-exceeded.update]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner, { perTxLimit: '5', totalBudget: '20' });
    const above = { status: 400, code: 80000056 };
    expect(await calls.update(owner, id, { perTxLimit: '20.1' })).toMatchObject(above);
    expect(await calls.update(owner, id, { totalBudget: '4' })).toMatchObject(above);
    expect(await calls.update(owner, id, { perTxLimit: '30', totalBudget: '20' })).toMatchObject(above);
    expect((await calls.find(owner, id)).status).toBe('active');
    expect(await calls.update(owner, id, { perTxLimit: '30', totalBudget: '30' })).toMatchObject(success);
  });

  test('a blank title is refused [dashboard.mandate.title.blank]', async () => {
    const owner = await dashboard.newAccount();
    const { mandateId } = await dashboard.draftMandate(owner.token);
    for (const title of [' ', '\t\n', '\u00a0\u2003', '\u200b\u2060']) {
      expect(await calls.update(owner, mandateId, { title })).toMatchObject(invalid);
      const body = { title, perTxLimit: '1', totalBudget: '20', validDays: 30 };
      expect(await dashboard.post('/api/mandates/intent/create', body, owner.token)).toMatchObject(invalid);
    }
    expect((await calls.find(owner, mandateId)).title).toBe('Research agent');
  });

  test('nothing to change, or a limit of nothing, is refused', async () => {
    const owner = await dashboard.newAccount();
    const { mandateId } = await dashboard.draftMandate(owner.token);
    expect(await calls.update(owner, mandateId)).toMatchObject({ status: 400, code: 80000002 });
    for (const bad of [{ perTxLimit: '0' }, { totalBudget: '0.0' }, { title: '' }, { totalBudget: '-1' }])
      expect(await calls.update(owner, mandateId, bad)).toMatchObject(invalid);
  });
});

describe('adjust', () => {
  test('from used and held up to what was signed it works at once [dashboard.mandate.adjust.down] [dashboard.error.intent-budget-exceeded]', async () => {
    const { owner, id } = await spentMandate();
    const { vcJson, signature } = await calls.find(owner, id);
    expect(await calls.adjust(owner, id, { totalBudget: '4.9' })).toMatchObject(belowUsed);
    for (const [totalBudget, remainingBudget] of [
      ['5', '0'],
      ['12.5', '7.5'],
      ['20', '15'],
    ]) {
      const reply = await calls.adjust(owner, id, { totalBudget });
      expect(reply).toMatchObject(success);
      expect(Object.keys(reply.data)).toEqual(['mandate']);
      expect(reply.data.mandate).toMatchObject({
        status: 'active',
        totalBudget,
        remainingBudget,
        signature,
        vcJson,
      });
      expect((await calls.lookUp(owner)).data).toMatchObject({ mandate: { totalBudget }, remainingBudget });
    }
  });

  test('above what was signed it needs a signature, even after it was moved down [dashboard.mandate.adjust.up]', async () => {
    const { owner, id } = await spentMandate();
    await calls.adjust(owner, id, { totalBudget: '10' });
    const reply = await calls.adjust(owner, id, { totalBudget: '20.000000000000000001' });
    expect(reply).toMatchObject(success);
    expect(Object.keys(reply.data)).toEqual(asCreate);
    expect(reply.data.mandate).toMatchObject({ status: 'pending', signature: null, vcJson: null });
    expect(await calls.hold(owner, { mandateId: id })).toMatchObject(notFound);
    expect(await dashboard.signMandate(owner, reply.data)).toMatchObject(success);
    const signed = await calls.adjust(owner, id, { totalBudget: '20' });
    expect(signed.data.mandate).toMatchObject({ status: 'active', totalBudget: '20' });
  });

  test('a draft has nothing signed: it stays pending [dashboard.mandate.adjust.up]', async () => {
    const owner = await dashboard.newAccount();
    const { mandateId } = await dashboard.draftMandate(owner.token);
    const reply = await calls.adjust(owner, mandateId, { totalBudget: '5' });
    expect(Object.keys(reply.data)).toEqual(asCreate);
    expect(reply.data.mandate).toMatchObject({ status: 'pending', totalBudget: '5' });
  });

  test('above what was signed and back again is a new message each time [dashboard.mandate.update.void-stays-void]', async () => {
    const owner = await dashboard.newAccount();
    const first = await dashboard.draftMandate(owner.token, { totalBudget: '20' });
    await dashboard.signMandate(owner, first);
    const { expiresAt } = await calls.find(owner, first.mandateId);
    await calls.adjust(owner, first.mandateId, { totalBudget: '10' });
    expect((await calls.find(owner, first.mandateId)).expiresAt).toBe(expiresAt);
    const raised = (await calls.adjust(owner, first.mandateId, { totalBudget: '30' })).data;
    const back = (await calls.adjust(owner, first.mandateId, { totalBudget: '20' })).data;
    for (const old of [first, raised])
      expect(await dashboard.signMandate(owner, old)).toMatchObject({ status: 403, code: 80000004 });
    expect(await dashboard.signMandate(owner, back)).toMatchObject(success);
  });

  test('to exactly what is used it is exhausted, signed or not; a hold keeps it alive [dashboard.mandate.exhausted-by-owner]', async () => {
    const { owner, id } = await spentMandate();
    expect((await calls.adjust(owner, id, { totalBudget: '5' })).data.mandate.status).toBe('active');
    const other = await dashboard.newAccount();
    const signed = await dashboard.newMandate(other, { perTxLimit: '3', totalBudget: '20' });
    await calls.spend(other, signed, '3');
    const reply = await calls.adjust(other, signed, { totalBudget: '3' });
    expect(reply.data).toMatchObject({
      mandate: { status: 'exhausted', totalBudget: '3', remainingBudget: '0' },
    });
    expect(await calls.lookUp(other)).toMatchObject({ ...notFound, msg: 'MANDATE_EXHAUSTED' });
    expect(await calls.adjust(other, signed, { totalBudget: '20' })).toMatchObject(exhausted);
    const third = await dashboard.newAccount();
    const unsigned = await dashboard.newMandate(third, { perTxLimit: '3', totalBudget: '20' });
    await calls.spend(third, unsigned, '3');
    await calls.adjust(third, unsigned, { totalBudget: '30' });
    expect((await calls.adjust(third, unsigned, { totalBudget: '3' })).data.mandate.status).toBe('exhausted');
  });

  test('below the transaction limit is fine [dashboard.mandate.adjust.below-per-tx-limit]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner, { perTxLimit: '5', totalBudget: '20' });
    const reply = await calls.adjust(owner, id, { totalBudget: '4' });
    expect(reply.data.mandate).toMatchObject({ status: 'active', perTxLimit: '5', totalBudget: '4' });
    expect(await calls.adjust(owner, id, { totalBudget: '0' })).toMatchObject(invalid);
  });

  test('against holds at the same moment, nothing is promised twice [dashboard.mandate.adjust.down] [dashboard.hold.never-overspent]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner, { perTxLimit: '1', totalBudget: '20' });
    const holds = Array.from({ length: 20 }, () => calls.hold(owner, { mandateId: id, amount: '1' }));
    const adjusts = ['5', '6', '8', '10', '12'].map((totalBudget) =>
      calls.adjust(owner, id, { totalBudget }),
    );
    const adjusted = await Promise.all(adjusts);
    await Promise.all(holds);
    for (const { code } of adjusted) expect([80000000, 80000057]).toContain(code);
    const { heldAmount, totalBudget } = await calls.find(owner, id);
    expect(Number(heldAmount)).toBeLessThanOrEqual(Number(totalBudget));
  });
});

describe('renew', () => {
  test('makes a new pending mandate of one that has ended, which stays as it is [dashboard.mandate.renew.new-mandate] [dashboard.mandate.renew.old-stays]', async () => {
    const { owner, ...ended } = await endedMandates();
    for (const id of Object.values(ended)) {
      const before = await calls.find(owner, id);
      const reply = await calls.renew(owner, id, { validDays: 7 });
      expect(reply).toMatchObject(success);
      expect(Object.keys(reply.data)).toEqual(asCreate);
      const { title, perTxLimit, totalBudget } = before;
      expect(reply.data.mandate).toMatchObject({
        title,
        perTxLimit,
        totalBudget,
        status: 'pending',
        usedAmount: '0',
        createdAt: dashboard.clock.now.toISOString(),
        expiresAt: new Date(dashboard.clock.now.getTime() + 7 * day).toISOString(),
      });
      expect(reply.data.mandateId).not.toBe(id);
      expect(await dashboard.signMandate(owner, reply.data)).toMatchObject(success);
      expect(await calls.find(owner, id)).toEqual(before);
    }
  });

  test('a successor keeps the policy: renewing loosens nothing [dashboard.policy.renewed]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner);
    const policy = { ...noPolicy, paused: true, allowedServices: ['quotes'], approvalThreshold: '0.5' };
    await calls.setPolicy(owner, id, policy);
    await calls.revoke(owner, id);
    expect((await calls.renew(owner, id, { validDays: 1 })).data.mandate.policy).toEqual(policy);
  });

  test('what has not ended cannot be renewed [dashboard.mandate.renew.pending]', async () => {
    const owner = await dashboard.newAccount();
    const { mandateId } = await dashboard.draftMandate(owner.token);
    expect(await calls.renew(owner, mandateId, { validDays: 1 })).toMatchObject(notFound);
    const active = await dashboard.newMandate(owner);
    expect(await calls.renew(owner, active, { validDays: 1 })).toMatchObject({ status: 409, code: 80000003 });
    expect(await calls.renew(owner, active, { validDays: 366 })).toMatchObject(invalid);
  });
});

describe('delete', () => {
  test('a mandate that is not active is gone for its owner [dashboard.mandate.delete]', async () => {
    const { owner, ...ended } = await endedMandates();
    const { mandateId } = await dashboard.draftMandate(owner.token);
    for (const id of [mandateId, ...Object.values(ended)]) {
      expect(await calls.remove(owner, id)).toMatchObject({ ...success, data: { mandateId: id } });
      for (const again of [calls.remove, calls.prepare, calls.revoke])
        expect(await again(owner, id)).toMatchObject(notFound);
      expect(await calls.renew(owner, id, { validDays: 1 })).toMatchObject(notFound);
      expect(await calls.update(owner, id, { title: 'x' })).toMatchObject(notFound);
    }
    expect(await calls.list(owner)).toMatchObject({ data: [], total: 0 });
    expect(await calls.lookUp(owner)).toMatchObject({ ...notFound, msg: 'MANDATE_NOT_FOUND' });
  });

  test('an active one has to be revoked first [dashboard.mandate.delete.active]', async () => {
    const owner = await dashboard.newAccount();
    const id = await dashboard.newMandate(owner);
    expect(await calls.remove(owner, id)).toMatchObject({ status: 403, code: 80000004 });
    await calls.revoke(owner, id);
    expect(await calls.remove(owner, id)).toMatchObject(success);
  });

  test('its transactions stay, and a payment that was under way is still recorded [dashboard.mandate.delete.transactions-stay] [dashboard.mandate.delete.late-report]', async () => {
    const { owner, id } = await spentMandate();
    await calls.revoke(owner, id);
    await calls.remove(owner, id);
    const log = () => dashboard.request('GET', '/api/transactions?scope=myPayer', { token: owner.token });
    expect((await log()).data.total).toBe(1);
    expect(await calls.spend(owner, id, '2')).toMatchObject({ status: 201 });
    expect((await log()).data.total).toBe(2);
    const { mandateId } = await dashboard.draftMandate(owner.token);
    await calls.remove(owner, mandateId);
    expect(await calls.spend(owner, mandateId, '1')).toMatchObject(notFound);
  });
});

test('limits, budget and policy of an ended mandate stay [dashboard.mandate.change.ended]', async () => {
  const { owner, used, revoked, lapsed } = await endedMandates();
  for (const [id, refusal] of [
    [used, exhausted],
    [revoked, notFound],
    [lapsed, expired],
    ['mdt_unknown', notFound],
  ] as const) {
    expect(await calls.update(owner, id, { totalBudget: '50' })).toMatchObject(refusal);
    expect(await calls.adjust(owner, id, { totalBudget: '50' })).toMatchObject(refusal);
    expect(await calls.setPolicy(owner, id, { paused: true })).toMatchObject(refusal);
  }
});

test('another account’s mandate does not exist for me [dashboard.error.foreign.mandate]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const id = await dashboard.newMandate(theirs);
  const replies = [
    await calls.update(mine, id, { title: 'x' }),
    await calls.update(mine, id, { totalBudget: '30' }),
    await calls.adjust(mine, id, { totalBudget: '10' }),
    await calls.renew(mine, id, { validDays: 1 }),
    await calls.remove(mine, id),
    await calls.setPolicy(mine, id, { paused: true }),
  ];
  for (const reply of replies) expect(reply).toMatchObject(notFound);
  expect(await calls.find(theirs, id)).toMatchObject({
    status: 'active',
    totalBudget: '20',
    policy: noPolicy,
  });
});
