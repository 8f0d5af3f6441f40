import { describe, expect, test } from 'vitest';
import { complianceOf, threeOperators } from '../compliance-people.ts';
import { openDashboardForTest } from '../dashboard.ts';
import { persona } from './persona.ts';
import { payeesOf } from '../payees.ts';
import { sumsub } from './sumsub.ts';
import { openVendorWorldForTest } from './vendors.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));

describe.each([sumsub, persona])('$id', (vendor) => {
  const answerFor = (status: string) =>
    vendor.meanings.find(([, , means]) => means.kycStatus === status)?.[1];
  const approved = answerFor('approved');

  test('an operator’s withdrawal wins over the vendor’s answer, remembered or new, until it is taken back [dashboard.kyc.withdraw.vendor]', async () => {
    const world = await openVendorWorldForTest(vendor);
    const dashboard = await openDashboardForTest({ ...world.dashboard.config, operators });
    const people = complianceOf(dashboard);
    const desk = await dashboard.newAccount(wallets[0]);
    const person = await dashboard.newAccount();
    const twoHoursPass = () => {
      for (const { clock } of [dashboard, world.dashboard]) clock.advance(2 * 60 * 60_000);
    };
    world.says(approved);
    expect(await people.check(person)).toBe('approved');
    expect(await people.withdraw(desk, person)).toMatchObject({
      status: 200,
      data: { kycStatus: 'rejected' },
    });
    // The vendor’s yes is remembered for an hour, and after that said again.
    expect(await people.check(person)).toBe('rejected');
    twoHoursPass();
    expect(await people.check(person)).toBe('rejected');
    // Whatever the vendor does, the answer is the operator’s.
    world.server.fate = 'resets';
    twoHoursPass();
    expect(await people.check(person)).toBe('rejected');
    world.server.fate = 'answers';
    expect(await people.own(person)).toMatchObject({
      kycStatus: 'rejected',
      validUntil: null,
      withdrawal: { reason: 'The passport is forged' },
    });
    expect(await people.restore(desk, person)).toMatchObject({ status: 200 });
    twoHoursPass();
    expect(await people.check(person)).toBe('approved');
    expect((await people.history(desk)).map(({ deed }: { deed: string }) => deed)).toEqual([
      'restore',
      'withdraw',
    ]);
  });

  test('a record does not lift a vendor’s rejection, also while the vendor looks again [dashboard.payees.owner-rejected]', async () => {
    const world = await openVendorWorldForTest(vendor);
    const dashboard = await openDashboardForTest({ ...world.dashboard.config, operators });
    const [people, payees] = [complianceOf(dashboard), payeesOf(dashboard)];
    const desk = await dashboard.newAccount(wallets[0]);
    const person = await dashboard.newAccount();
    const saidLater = (answer: typeof approved) => {
      for (const { clock } of [dashboard, world.dashboard]) clock.advance(2 * 60 * 60_000);
      world.says(answer);
    };
    world.says(answerFor('rejected'));
    await payees.admitted(desk, [person.address]);
    expect(await people.check(person)).toBe('rejected');
    saidLater(answerFor('pending'));
    expect(await people.check(person)).toBe('pending');
    expect((await payees.of(desk, person.address)).vouching).toBe('OWNER_NOT_APPROVED');
    saidLater(approved);
    expect(await people.check(person)).toBe('approved');
    saidLater(answerFor('pending'));
    // Approved since: the record counts as for anybody who waits.
    expect(await people.check(person)).toBe('approved');
  });
});
