import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepAnswer, numberQuestion } from '../../src/kyb/store.ts';
import { readConfig } from '../../src/config.ts';
import { threeOperators } from '../compliance-people.ts';
import { openDashboard } from '../dashboard.ts';
import { payeesOf } from '../payees.ts';
import { erase } from '../personal-data.ts';
import { personaTransactions, sumsubCompanies } from './business-checks.ts';
import type { Fate } from './fake-server.ts';
import { type KybWorld, openKybWorld } from './kyb-world.ts';

const hourMs = 3_600_000;

const unavailable = {
  status: 500,
  code: 80000001,
  msg: 'the compliance provider is unavailable',
  data: null,
};
const failures: ReadonlyArray<readonly [what: string, fate: Fate]> = [
  ['401', { status: 401, body: { message: 'Invalid token' } }],
  ['200 with HTML', { headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html>' }],
  ['429', { status: 429, headers: { 'retry-after': '7' }, body: {} }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ['null', { body: 'null' }],
  ['an empty object', { body: {} }],
  ['a body without end', { body: JSON.stringify({ padding: 'x'.repeat(3 * 1024 * 1024) }) }],
  ['an answer that is cut off', 'cut off'],
  ['a connection that is reset', 'resets'],
];

describe.each([
  ['sumsub', sumsubCompanies],
  ['persona', personaTransactions],
])('%s', (_, newFake) => {
  const fake = newFake();
  let world: KybWorld;
  beforeAll(async () => {
    world = await openKybWorld(fake);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.server.fate = 'answers';
    world.says(null);
    world.dashboard.clock.advance(10 * 60_000);
  });

  test('an operator has a record checked: what it says is told, and the answer is evidence that admits nobody [dashboard.business-checks.start]', async () => {
    const { payees, operator, payer, check } = world;
    const address = payees.address();
    const id = await payees.admitted(operator, [address]);
    const reply = await check(id);
    expect(reply).toMatchObject({
      status: 200,
      data: { payee: { id, state: 'admitted', checkedBy: operator.address } },
    });
    const now = world.dashboard.clock.now.toISOString();
    expect(reply.data.payee.checks).toEqual([
      {
        id: expect.stringMatching(/^chk_[\w-]{22}$/),
        provider: fake.id,
        status: 'pending',
        providerFile: expect.any(String),
        version: 1,
        startedAt: now,
        checkedAt: now,
        rejectedAt: null,
        liftedAt: null,
        openUntil: new Date(world.dashboard.clock.now.getTime() + 90 * 24 * hourMs).toISOString(),
        rejection: null,
      },
    ]);
    const told = fake.told().at(-1);
    expect(Object.values(told)).toEqual(['Quotes & Co. KG', 'HRB 1 B', fake.id === 'sumsub' ? 'DEU' : 'DE']);
    expect(JSON.stringify(world.server.received)).not.toContain(address.slice(2));
    expect(await payees.check(payer, address)).toBe('approved');
    const history = await world.dashboard.post(
      '/api/compliance/history/list',
      { payeeId: id },
      operator.token,
    );
    expect(history.data.data[0]).toMatchObject({ deed: 'check-business', by: operator.address, payeeId: id });
  });

  test.each(fake.meanings)('says: %s [dashboard.business-checks.start]', async (_, said, means) => {
    world.says(said);
    const { id, checkId } = await world.checked();
    expect(await world.checksOf(id)).toMatchObject([{ status: means }]);
    expect(await world.readAgain(checkId)).toMatchObject({
      status: 200,
      data: { check: { id: checkId, status: means } },
    });
  });

  test.each(fake.nonsense)(
    'is not taken for anything: %s [dashboard.business-checks.no-answer]',
    async (_, said) => {
      const { id, checkId } = await world.checked();
      world.says(said);
      expect(await world.readAgain(checkId)).toMatchObject(unavailable);
      expect(await world.checksOf(id)).toMatchObject([{ status: 'pending' }]);
    },
  );

  test.each(failures)('has no answer: %s [dashboard.business-checks.no-answer]', async (_, fate) => {
    const { id, address, checkId } = await world.checked();
    world.server.fate = fate;
    expect(await world.readAgain(checkId)).toMatchObject(unavailable);
    world.dashboard.clock.advance(8_000);
    const other = await world.payees.admitted(world.operator, [world.payees.address()]);
    expect(await world.check(other)).toMatchObject(unavailable);
    expect(await world.checksOf(id)).toMatchObject([{ status: 'pending' }]);
    expect(await world.payees.check(world.payer, address)).toBe('approved');
  });

  test('a check whose beginning got no answer is found there the next time it is read [dashboard.business-checks.no-answer]', async () => {
    const id = await world.payees.admitted(world.operator, [world.payees.address()]);
    world.server.fate = 'cut off';
    expect(await world.check(id)).toMatchObject(unavailable);
    world.server.fate = 'answers';
    world.says(fake.says.approved);
    const [check] = await world.checksOf(id);
    expect(check).toMatchObject({ status: 'pending', providerFile: null, checkedAt: null });
    expect(await world.readAgain(check.id)).toMatchObject({ data: { check: { status: 'approved' } } });
  });

  test('once a provider says no, nobody is paid by the record until it says yes or operators decide anew [dashboard.business-checks.no]', async () => {
    const { payees, operator, payer } = world;
    const { id, address, checkId } = await world.checked();
    world.says(fake.says.rejected);
    expect(await payees.check(payer, address)).toBe('approved');
    await world.readAgain(checkId);
    expect(await payees.check(payer, address)).toBe('pending');
    expect(await payees.of(operator, address)).toMatchObject({
      vouching: 'CHECK_REJECTED',
      payee: { id, state: 'admitted' },
    });

    // Open again, or gone, is no yes; nor is another check.
    for (const said of [fake.says.open, { gone: true }]) {
      world.says(said);
      await world.readAgain(checkId);
      expect(await payees.check(payer, address)).toBe('pending');
    }
    world.says(fake.says.approved);
    await world.check(id);
    expect(await payees.check(payer, address)).toBe('pending');
    await world.readAgain(checkId);
    expect(await payees.check(payer, address)).toBe('approved');

    world.says(fake.says.rejected);
    await world.readAgain(checkId);
    // What says no more than before lifts nothing; what says more was decided in sight of the no.
    const less = payees.facts([address], { validUntil: '2027-01-01T00:00:00.000Z' });
    await payees.change(operator, id, 1, { ...less, ...(await world.seenOf(id)) });
    expect(await payees.check(payer, address)).toBe('pending');
    const more = { ...less, links: ['https://register.example/HRB/1', 'https://court.example/2'] };
    // Whoever does not say what they have read has read no no.
    await payees.change(operator, id, 2, more);
    expect(await payees.check(payer, address)).toBe('pending');
    const again = { ...more, links: [...more.links, 'https://court.example/3'] };
    await payees.change(operator, id, 3, { ...again, ...(await world.seenOf(id)) });
    expect(await payees.check(payer, address)).toBe('approved');
    await world.readAgain(checkId);
    expect(await payees.check(payer, address)).toBe('approved');
  });

  test('what stays open is asked about for 90 days, what never began for one, and each may be asked about again by hand [dashboard.business-checks.again]', async () => {
    const apart = await openKybWorld(newFake());
    const { payees, operator, dashboard } = apart;
    const { checkId } = await apart.checked();
    apart.server.fate = 'cut off';
    const never = await payees.admitted(operator, [payees.address()]);
    expect(await apart.check(never)).toMatchObject(unavailable);
    const [unbegun] = await apart.checksOf(never);
    apart.server.fate = 'answers';
    const answeredAt = async (of: string) => {
      const found = 'select checked_at from dashboard.business_check where id = $1';
      return String((await apart.pool.query(found, [of])).rows[0].checked_at);
    };
    const isAskedAfter = async (of: string, hours: number): Promise<boolean> => {
      dashboard.clock.advance(hours * hourMs);
      await apart.pool.query('update dashboard.business_check set tried_at = started_at');
      const before = await answeredAt(of);
      await apart.poll();
      return before !== (await answeredAt(of));
    };
    expect(await isAskedAfter(unbegun.id, 25)).toBe(false);
    expect(await isAskedAfter(checkId, 24 * 88)).toBe(true);
    expect(await isAskedAfter(checkId, 24)).toBe(false);
    apart.says(fake.says.approved);
    expect(await apart.readElsewhere(checkId, 0)).toMatchObject({ status: 'approved', openUntil: null });
    await apart.stop();
  });

  test.each([
    ['right', 0],
    ['an hour slow', -hourMs],
    ['an hour fast', hourMs],
  ])(
    'a no between the page and the word of the operator who read it is not lifted, by a clock that is %s [dashboard.business-checks.no]',
    async (_, byMs) => {
      const { payees, operator, payer } = world;
      const { id, address, checkId } = await world.checked();
      const page = await world.seenOf(id);
      world.says(fake.says.rejected);
      await world.readElsewhere(checkId, byMs);
      const links = ['https://register.example/HRB/1', 'https://court.example/2'];
      const more = payees.facts([address], { links });
      await payees.change(operator, id, 1, { ...more, ...page });
      expect(await payees.check(payer, address)).toBe('pending');
      // The control: who has read it lifts it.
      const next = payees.facts([address], { links: [...links, 'https://court.example/3'] });
      await payees.change(operator, id, 2, { ...next, ...(await world.seenOf(id)) });
      expect(await payees.check(payer, address)).toBe('approved');
    },
  );

  test('a yes to a question that was asked before takes back no later no, by whatever clock [dashboard.business-checks.no]', async () => {
    const { payees, payer } = world;
    const { address, checkId } = await world.checked();
    world.says(fake.says.approved);
    const [first, later] = [await numberQuestion(world.pool), await numberQuestion(world.pool)];
    const at = (ms: number) => new Date(world.dashboard.clock.now.getTime() + ms);
    const keep = (status: 'approved' | 'rejected', asked: number, ms: number) =>
      keepAnswer(
        world.pool,
        checkId,
        { kind: 'known', status, requestId: null },
        { asked, askedAt: at(ms), now: at(ms) },
      );
    await keep('rejected', later, 0);
    await keep('approved', first, hourMs);
    expect(await payees.check(payer, address)).toBe('pending');
  });

  test('what is open is asked about again, and so is a yes a day later, with no webhook [dashboard.business-checks.again]', async () => {
    const apart = await openKybWorld(newFake());
    const { payees, payer, dashboard } = apart;
    const { id, address, checkId } = await apart.checked();
    apart.says(fake.says.approved);
    await apart.poll();
    expect(await apart.checksOf(id)).toMatchObject([{ status: 'pending' }]);
    dashboard.clock.advance(10 * 60_000);
    await apart.poll();
    expect(await apart.checksOf(id)).toMatchObject([{ status: 'approved' }]);
    apart.says(fake.says.rejected);
    dashboard.clock.advance(23 * hourMs);
    await apart.poll();
    expect(await payees.check(payer, address)).toBe('approved');
    dashboard.clock.advance(hourMs);
    await apart.poll();
    expect(await payees.check(payer, address)).toBe('pending');
    apart.says(fake.says.approved);
    dashboard.clock.advance(hourMs);
    await apart.poll();
    expect(await payees.check(payer, address)).toBe('approved');
    await apart.pool.query(
      `update dashboard.payee set withdrawn_at = $1, withdrawn_by = $2, withdraw_reason = 'It closed' where id = $3`,
      [dashboard.clock.now, apart.operator.address, id],
    );
    const before = apart.server.received.length;
    dashboard.clock.advance(48 * hourMs);
    await apart.poll();
    expect(JSON.stringify(apart.server.received.slice(before))).not.toContain(checkId);
  });

  test('a signed webhook makes us read the check, once, and says nothing itself [dashboard.business-checks.webhook]', async () => {
    const { payees, payer } = world;
    const { address, checkId } = await world.checked();
    const now = () => world.dashboard.clock.now;
    world.says(fake.says.rejected);
    expect(await world.deliver(fake.webhook(checkId, 'e1', now(), 'another secret'))).toMatchObject({
      status: 401,
    });
    expect(await payees.check(payer, address)).toBe('approved');
    // It says approved; what counts is what is read.
    const sent = fake.webhook(checkId, 'e2', now());
    expect(await world.deliver(sent)).toMatchObject({ status: 200 });
    expect(await payees.check(payer, address)).toBe('pending');
    const before = world.server.received.length;
    expect(await world.deliver(sent)).toMatchObject({ status: 200 });
    expect(world.server.received.length).toBe(before);
    expect(await world.deliver(fake.webhook('chk_nobody', 'e3', now()))).toMatchObject({ status: 200 });
    expect(await world.deliver(sent, 'other')).toMatchObject({ status: 404 });
    world.server.fate = 'resets';
    const lost = fake.webhook(checkId, 'e4', now());
    expect(await world.deliver(lost)).toMatchObject(unavailable);
    world.server.fate = 'answers';
    world.says(fake.says.approved);
    world.dashboard.clock.advance(1_000);
    expect(await world.deliver({ ...lost, ...fake.webhook(checkId, 'e4', now()) })).toMatchObject({
      status: 200,
    });
    expect(await payees.check(payer, address)).toBe('approved');
  });

  test('a business that submitted itself is checked while it waits, and the check is its record’s afterwards [dashboard.business-checks.submission]', async () => {
    const { dashboard, payees, operator, payer } = world;
    const person = await dashboard.newAccount();
    const facts = {
      legalName: 'Larkfield Ltd',
      domain: 'larkfield.example',
      addresses: [{ address: person.address, networks: null }],
      registryNumbers: ['12345678'],
    };
    const { id } = (await dashboard.post('/api/business/submit', facts, person.token)).data.business;
    const submission = async () =>
      (await dashboard.request('GET', `/api/business/submissions/${id}`, { token: operator.token })).data
        .business;
    const start = (registrationNumber: string) =>
      dashboard.post(
        `/api/business/submissions/${id}/checks`,
        { country: 'GB', registrationNumber },
        operator.token,
      );
    expect(await start('99')).toMatchObject({ status: 400, code: 80000012 });
    expect(await start('12345678')).toMatchObject({
      data: { business: { id, state: 'waiting', checks: [{ provider: fake.id, version: null }] } },
    });
    expect(await payees.check(payer, person.address)).toBe('pending');
    world.says(fake.says.rejected);
    const [check] = (await submission()).checks;
    await world.readAgain(check.id);
    // To the business itself none of it is told.
    expect((await submission()).checks).toMatchObject([{ status: 'rejected' }]);
    const own = await dashboard.request('GET', '/api/business', { token: person.token });
    expect(own.data.business).toMatchObject({ id, facts: { legalName: 'Larkfield Ltd' }, checks: [] });
    const file = { name: 'a.txt', mediaType: 'text/plain', content: Buffer.from('words').toString('base64') };
    const added = await dashboard.post('/api/business/files', file, person.token);
    expect(added.data.business).toMatchObject({ files: [{}], checks: [] });
    // The operator has read the no, and admits all the same.
    const validUntil = new Date(dashboard.clock.now.getTime() + 86_400_000).toISOString();
    const admitted = await dashboard.post(
      `/api/business/submissions/${id}/decide`,
      { decision: 'admit', validUntil, seenRejections: [(await submission()).checks[0].rejection] },
      operator.token,
    );
    const { payeeId } = admitted.data.business;
    expect(await payees.check(payer, person.address)).toBe('approved');
    expect((await payees.get(operator, payeeId)).data.payee).toMatchObject({
      submission: { id, walletAddress: person.address },
      checks: [{ id: check.id, version: 1, status: 'rejected', liftedAt: expect.any(String) }],
    });
    expect((await erase(dashboard, person)).status).toBe(200);
    expect(await world.checksOf(payeeId)).toMatchObject([{ id: check.id }]);
  });

  test('nobody but another operator has a business checked, for the version that was read [dashboard.business-checks.operators-only]', async () => {
    const { payees, operator, second, payer, check } = world;
    const id = await payees.admitted(operator, [payees.address()]);
    const own = await payees.admitted(operator, [second.address]);
    const before = world.server.received.length;
    expect(await check(id, {}, payer)).toMatchObject({ status: 403, code: 80000004 });
    expect(await check(own, {}, second)).toMatchObject({ status: 403, code: 80000004 });
    expect(await check(id, { version: 2 })).toMatchObject({ status: 409 });
    expect(await check(id, { registrationNumber: 'HRB 2' })).toMatchObject({ status: 400 });
    expect(await check(id, { country: 'XX' })).toMatchObject({ status: 400 });
    expect(await check('pay_nothing')).toMatchObject({ status: 404 });
    expect(await world.readAgain('chk_nothing')).toMatchObject({ status: 404 });
    await payees.withdraw(operator, id);
    expect(await check(id)).toMatchObject({ status: 409 });
    expect(world.server.received.length).toBe(before);
    const { checkId } = await world.checked();
    expect(await world.readAgain(checkId, payer)).toMatchObject({ status: 403 });
  });

  test('with four eyes a yes does not stand for the second operator, and a no about what waits stops nothing that counts [dashboard.business-checks.four-eyes]', async () => {
    const four = await openKybWorld(newFake(), { KYC_FOUR_EYES: '1' });
    const { payees, operator, second, payer } = four;
    const address = payees.address();
    four.says(fake.says.approved);
    const { id } = (await payees.create(operator, [address])).data.payee;
    expect(await four.check(id)).toMatchObject({
      data: { payee: { state: 'waiting', checks: [{ status: 'approved' }] } },
    });
    expect(await payees.check(payer, address)).toBe('pending');
    expect(await payees.agree(second, id, 1)).toMatchObject({ data: { payee: { state: 'admitted' } } });
    expect(await payees.check(payer, address)).toBe('approved');
    await payees.change(operator, id, 1, payees.facts([address], { legalName: 'Other KG' }));
    four.says(fake.says.rejected);
    expect(await four.check(id, { version: 2 })).toMatchObject({
      data: { payee: { checks: [{ status: 'rejected', version: 2 }, {}] } },
    });
    expect(await payees.check(payer, address)).toBe('approved');
    await four.stop();
  });

  test('with four eyes a no that comes after the first word stops payments: nobody agreed to it [dashboard.business-checks.no]', async () => {
    const four = await openKybWorld(newFake(), { KYC_FOUR_EYES: '1' });
    const { payees, operator, second, payer, dashboard } = four;
    // The control: what the first operator could read as well is lifted by both.
    for (const late of [false, true]) {
      const address = payees.address();
      four.says(late ? fake.says.open : fake.says.rejected);
      const { id } = (await payees.create(operator, [address])).data.payee;
      const { data } = await four.check(id);
      four.says(fake.says.rejected);
      dashboard.clock.advance(60_000);
      if (!late) {
        // A change is a new first word, in sight of the no.
        const other = payees.facts([address], { legalName: 'Other KG' });
        await payees.change(operator, id, 1, { ...other, ...(await four.seenOf(id)) });
        dashboard.clock.advance(60_000);
      }
      await four.readAgain(data.payee.checks[0].id);
      dashboard.clock.advance(60_000);
      expect((await payees.agree(second, id, late ? 1 : 2, await four.seenOf(id))).data.payee.state).toBe(
        'admitted',
      );
      expect(await payees.check(payer, address)).toBe(late ? 'pending' : 'approved');
    }
    await four.stop();
  });

  test('a second no of the same check, whose file was open again, stops payments anew [dashboard.business-checks.no]', async () => {
    const { payees, operator, payer, dashboard } = world;
    const { id, address, checkId } = await world.checked();
    world.says(fake.says.rejected);
    await world.readAgain(checkId);
    const more = payees.facts([address], {
      links: ['https://register.example/HRB/1', 'https://court.example/2'],
    });
    await payees.change(operator, id, 1, { ...more, ...(await world.seenOf(id)) });
    expect(await payees.check(payer, address)).toBe('approved');
    dashboard.clock.advance(60_000);
    world.says(fake.says.open);
    await world.readAgain(checkId);
    expect(await world.checksOf(id)).toMatchObject([{ status: 'pending', rejectedAt: null, liftedAt: null }]);
    expect(await payees.check(payer, address)).toBe('approved');
    dashboard.clock.advance(60_000);
    world.says(fake.says.rejected);
    await world.readAgain(checkId);
    expect(await world.checksOf(id)).toMatchObject([
      { status: 'rejected', rejectedAt: dashboard.clock.now.toISOString(), liftedAt: null },
    ]);
    expect(await payees.check(payer, address)).toBe('pending');
  });

  test('no check begins of a submission that is decided at this moment [dashboard.business-checks.submission]', async () => {
    const { dashboard, operator, pool } = world;
    const person = await dashboard.newAccount();
    const facts = {
      legalName: 'Meanwhile Ltd',
      domain: 'meanwhile.example',
      addresses: [{ address: person.address, networks: null }],
      registryNumbers: ['12345678'],
    };
    const { id } = (await dashboard.post('/api/business/submit', facts, person.token)).data.business;
    const deciding = await pool.connect();
    await deciding.query('begin');
    await deciding.query('select from dashboard.business_submission where id = $1 for update', [id]);
    const path = `/api/business/submissions/${id}/checks`;
    const begun = dashboard.post(path, { country: 'GB', registrationNumber: '12345678' }, operator.token);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waits)).rowCount, { timeout: 10_000 }).toBe(1);
    const decided = `update dashboard.business_submission set state = 'rejected', decided_at = $2, reason = 'no' where id = $1`;
    await deciding.query(decided, [id, dashboard.clock.now]);
    await deciding.query('commit');
    deciding.release();
    expect(await begun).toMatchObject({ status: 409 });
    const { rowCount } = await pool.query('select from dashboard.business_check where submission_id = $1', [
      id,
    ]);
    expect(rowCount).toBe(0);
  });

  test('a wrong credential is refused there, and here is no answer [dashboard.business-checks.no-answer]', async () => {
    const [name, value] = fake.wrong;
    const other = await openKybWorld(newFake(), { [name]: value });
    const id = await other.payees.admitted(other.operator, [other.payees.address()]);
    expect(await other.check(id)).toMatchObject(unavailable);
    const { data } = await other.dashboard.request('GET', '/api/compliance/providers', {
      token: other.operator.token,
    });
    expect(data.kyb).toEqual({ provider: fake.id, state: 'down' });
    await other.stop();
  });
});

test('without KYB_PROVIDER nobody is asked, and a provider’s variables are demanded where it is chosen [dashboard.business-checks.config]', async () => {
  const env = { DATABASE_URL: 'postgres://localhost/x', EVIDENCE_KEY: Buffer.alloc(32).toString('base64') };
  const errors = (more: Record<string, string>) => {
    const read = readConfig({ ...env, ...more });
    return read.ok ? [] : read.error;
  };
  expect(errors({})).toEqual([]);
  expect(errors({ KYB_PROVIDER: 'sumsub' }).join()).toMatch(
    /SUMSUB_APP_TOKEN.*SUMSUB_SECRET_KEY.*SUMSUB_KYB_LEVEL/s,
  );
  expect(errors({ KYB_PROVIDER: 'persona' }).join()).toMatch(
    /PERSONA_API_KEY.*PERSONA_KYB_TRANSACTION_TYPE_ID/s,
  );
  const wallets = threeOperators();
  const dashboard = await openDashboard({ operators: new Set(wallets.map(({ address }) => address)) });
  const operator = await dashboard.newAccount(wallets[0]);
  const payees = payeesOf(dashboard);
  const id = await payees.admitted(operator, [payees.address()]);
  const body = { version: 1, country: 'DE', registrationNumber: 'HRB 1 B' };
  expect(await dashboard.post(`/api/payees/${id}/checks`, body, operator.token)).toMatchObject({
    status: 404,
    msg: expect.stringContaining('KYB_PROVIDER'),
  });
  await dashboard.stop();
});
