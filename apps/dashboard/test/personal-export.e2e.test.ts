import type { PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foundIn } from '../../../packages/service/test/everything-kept.ts';
import { type Json, openDashboard, type TestDashboard } from './dashboard.ts';
import { exportOf, newPerson, operators, query } from './personal-data.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
});
afterAll(() => dashboard.stop());

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
