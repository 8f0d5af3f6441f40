import { randomBytes } from 'node:crypto';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createLogger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyIdentifier } from '../src/auth/identify-key.ts';
import { openDatabase } from '../src/database.ts';
import { openDashboard, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let database: Awaited<ReturnType<typeof openDatabase>>;
const log = createLogger('dashboard', 'silent');
beforeAll(async () => {
  dashboard = await openDashboard();
  database = await openDatabase(dashboard.config.storage, log);
});
afterAll(async () => {
  await database?.close();
  await dashboard?.stop();
});

const guess = (): string => `csk_${randomBytes(32).toString('base64url')}`;
const refused = { ok: false, error: { code: 'API_KEY_INVALID' } };

/** Tells whose key it is, by a database that answers lookups only when a test lets it; the first is free. */
function slowlyIdentifying() {
  const held: (() => void)[] = [];
  const sizes: number[] = [];
  const query = async (asked: { name: string; text: string; values: readonly unknown[] }) => {
    if (asked.name === 'api-key.find') {
      sizes.push((asked.values[0] as unknown[]).length);
      if (sizes.length > 1) await new Promise<void>((go) => held.push(go));
    }
    return database.pool.query({ ...asked, values: [...asked.values] });
  };
  const identify = keyIdentifier({ query } as unknown as Pool, () => dashboard.clock.now, log);
  const as = (apiKey: unknown) => identify(apiKey, dashboardRoutes.publicKey);
  /** Answers the last lookup that waits. */
  return {
    as,
    sizes,
    answerLast: () => held.pop()?.(),
    answerAll: () => held.splice(0).forEach((go) => go()),
  };
}

test('a key that was good before is looked up at once, however many guesses wait [dashboard.key.guesses]', async () => {
  const { apiKey, account } = await dashboard.newAccount();
  const { as, sizes, answerLast, answerAll } = slowlyIdentifying();
  expect(await as(apiKey)).toMatchObject({ ok: true });
  const guesses = Array.from({ length: 1000 }, () => as(guess()));
  const good = as(apiKey);
  // The first guess alone, while the others wait for it, and the key.
  expect(sizes).toEqual([1, 1, 1]);
  answerLast();
  expect(await good).toMatchObject({ ok: true, value: { account: { id: account.id } } });
  const all = Promise.all(guesses);
  const done = all.then(() => true);
  while (!(await Promise.race([done, new Promise((next) => setImmediate(next, false))]))) answerAll();
  for (const answer of await all) expect(answer).toMatchObject(refused);
});

test('a revoked key is refused at once, and from then on waits with the guesses [dashboard.key.guesses]', async () => {
  const { apiKey, token } = await dashboard.newAccount();
  const { as, sizes, answerAll } = slowlyIdentifying();
  expect(await as(apiKey)).toMatchObject({ ok: true });
  const [{ id }] = (await dashboard.request('GET', '/api/keys', { token })).data.data;
  await dashboard.request('DELETE', `/api/keys/${id}`, { token });
  const after = as(apiKey);
  answerAll();
  expect(await after).toMatchObject(refused);
  const waiting = [as(guess()), as(apiKey)];
  expect(sizes).toEqual([1, 1, 1]);
  const done = Promise.all(waiting).then(() => true);
  while (!(await Promise.race([done, new Promise((next) => setImmediate(next, false))]))) answerAll();
  expect(await waiting[1]).toMatchObject(refused);
});

test('what does not have the form of a key is refused without a lookup [dashboard.key.guesses]', async () => {
  const { as, sizes } = slowlyIdentifying();
  for (const junk of [
    '',
    'csk_',
    `${guess()}A`,
    guess().slice(0, -1),
    guess().toUpperCase(),
    `csk_${'é'.repeat(43)}`,
    7,
    null,
  ])
    expect(await as(junk)).toMatchObject(refused);
  expect(sizes).toEqual([]);
});
