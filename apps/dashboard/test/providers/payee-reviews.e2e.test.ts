import { expect, test } from 'vitest';
import { payeesOf } from '../payees.ts';
import { persona } from './persona.ts';
import { openVendorWorldForTest } from './vendors.ts';

test('a vendor is asked about a payee only where there is room for its review [dashboard.payees.review.flood]', async () => {
  const world = await openVendorWorldForTest(persona);
  const { refused, address } = payeesOf(world.dashboard);
  const said = (status: string) => persona.meanings.find(([, , means]) => means.kycStatus === status)?.[1];
  const askedFor = async (payee: string) => {
    const before = world.server.received.length;
    expect(await refused(world.caller, payee)).toMatchObject({ status: 201 });
    return world.server.received.length - before;
  };
  // The payer, of whom the vendor is asked once.
  world.says(said('approved'));
  expect(await askedFor(address())).toBe(1);
  world.says(said('pending'));
  for (let n = 1; n < 4; n++) expect(await askedFor(address())).toBe(0);
  expect(await askedFor(await world.somebody())).toBe(1);
  expect(await askedFor(await world.somebody())).toBe(0);
});
