import { createLogger } from '@countersign/service/logger';
import { createPool, inTransaction } from '@countersign/service/sql';
import { expect, test } from 'vitest';
import { forgetOldRecords } from '../src/payees/forget.ts';
import { threeOperators } from './compliance-people.ts';
import { openDashboardForTest } from './dashboard.ts';
import { payeesOf } from './payees.ts';
import { dayMs, urlOf } from './personal-data.ts';

test('who a withdrawn record was about that never counted is forgotten after KYC_RETENTION_DAYS, whoever wrote it [dashboard.payees.forgotten]', async () => {
  const wallets = threeOperators();
  const four = await openDashboardForTest({
    operators: new Set(wallets.map(({ address }) => address)),
    review: { validDays: 365, fourEyes: true },
  });
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const more = { legalName: 'Ida Larkfield', domain: 'ida.example', registryNumbers: ['HRB Ida'] };
  const [never, counted] = [desk.address(), desk.address()];
  const proposed = async (address: string) =>
    (await desk.create(one, [address], more)).data.payee.id as string;
  const [first, second] = [await proposed(never), await proposed(counted)];
  await desk.addFile(one, first, { name: 'Ida.txt' });
  await desk.agree(other, second, 1);
  for (const id of [first, second]) await desk.withdraw(one, id);
  const pool = createPool(urlOf(four), createLogger('dashboard', 'silent'));
  const forgotten = async (days: number) => {
    four.clock.advance(days);
    return inTransaction(pool, (db) => forgetOldRecords(db, 90, four.clock.now));
  };
  expect(await forgotten(89 * dayMs)).toBe(0);
  expect(await forgotten(dayMs)).toBe(1);
  expect(await forgotten(dayMs)).toBe(0);
  const kept = async (id: string) => {
    const { rows } = await pool.query(
      `select (select json_agg(v) from dashboard.payee_version v where payee_id = $1)::text
         || (select json_agg(h) from dashboard.compliance_history h where payee_id = $1)::text
         || coalesce((select json_agg(f) from dashboard.payee_file f where payee_id = $1)::text, '') as all`,
      [id],
    );
    return rows[0].all as string;
  };
  expect(await kept(first)).not.toMatch(/Ida|ida/);
  expect(await kept(first)).toContain(never);
  // What allowed payments stays.
  expect(await kept(second)).toContain('Ida Larkfield');
  const unname = `update dashboard.payee_version set legal_name = '', domain = '', links = '{}', registry_numbers = '{}' where payee_id = $1`;
  await expect(pool.query(unname, [second])).rejects.toThrow('append-only');
  await pool.end();
});
