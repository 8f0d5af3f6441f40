import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetRejected } from '../src/personal/retention.ts';
import { openDashboard, type TestDashboard } from './dashboard.ts';
import {
  dayMs,
  erase,
  newestReview,
  newIdentity,
  operators,
  operatorWallet,
  query,
  submit,
  urlOf,
} from './personal-data.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
});
afterAll(() => dashboard.stop());

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
  // By whichever process comes once older transactions of the server have ended, those of other tests too.
  const rewritten = async (before: unknown) => {
    await expect.poll(() => nextProcess().then(fileNow)).not.toBe(before);
    return fileNow();
  };
  const original = await fileNow();
  await lieOpen('kyc_1');
  await erase(first, owner);
  const erased = await rewritten(original);
  await lieOpen('kyc_2');
  const pool = createPool(urlOf(first), createLogger('test', 'silent'));
  expect(await forgetRejected(pool, 1, new Date(first.clock.now.getTime() + dayMs))).toBe(1);
  await pool.end();
  const forgotten = await rewritten(erased);
  await nextProcess();
  expect(await fileNow()).toBe(forgotten);
  await first.stop();
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
