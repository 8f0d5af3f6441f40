import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
} from '../../../../packages/service/test/identity-provider.ts';
import { openProvider } from '../../src/provider-login/provider.ts';
import { letGoWhoIsAway } from '../../src/provider-login/upkeep.ts';
import { type Json, newWallet, openDashboard, type TestDashboard } from '../dashboard.ts';
import { peopleCalls } from '../people/people.ts';
import { query, urlOf } from '../personal-data.ts';
import { browserAt, consoleOrigin, logInAtProvider, redirectUri } from './browser.ts';

const wallet = newWallet();
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let dashboard: TestDashboard;

beforeAll(async () => {
  provider = await startIdentityProvider();
  provider.open([redirectUri]);
  const about = { clientId, clientSecret, name: 'Example', scope: 'openid profile', groupClaim: 'groups' };
  const rolesOfGroups = new Map([['it', ['admin'] as const]]);
  const providerLogin = { issuer: provider.issuer, ...about, rolesOfGroups, account: wallet.address };
  dashboard = await openDashboard({ otherOrigins: [new URL(consoleOrigin)], providerLogin });
  dashboard.clock.now = new Date();
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});

/** The provider's clock is the machine's. */
async function logIn(login: string): Promise<Json> {
  dashboard.clock.now = new Date();
  const { begin, comeBack } = browserAt(dashboard);
  const { url, cookie } = await begin();
  return (await comeBack(await logInAtProvider(url, login), cookie)).data;
}

const silent = createLogger('dashboard', 'silent');

/**
 * The rounds of the processes that let go, one each 20 hours, from so long after now until so long after now. The provider
 * answers at its own address, or says nothing.
 */
async function letGo(fromMs: number, untilMs: number, providerIs: 'up' | 'away' = 'up'): Promise<void> {
  const pool = createPool(urlOf(dashboard), silent);
  const { providerAwayMs: awayMs, providerLogin } = dashboard.config;
  if (providerLogin === null) throw new Error('there is no provider');
  const [start, now] = [Date.now(), () => dashboard.clock.now];
  const issuer = providerIs === 'up' ? providerLogin.issuer : 'http://127.0.0.1:9';
  const { answers } = openProvider({ ...providerLogin, issuer }, { now, log: silent });
  try {
    for (let ms = fromMs; ; ms = Math.min(ms + 20 * hourMs, untilMs)) {
      dashboard.clock.now = new Date(start + ms);
      await letGoWhoIsAway({ pool, awayMs, now, tell: () => {}, answers }, silent);
      if (ms === untilMs) break;
    }
  } finally {
    await pool.end();
  }
}

test('whoever does not come back from the provider is removed with what they made; who was invited stays [dashboard.provider-login.away]', async () => {
  const people = peopleCalls(dashboard);
  const owner = await dashboard.newAccount(wallet);
  const invited = await people.newPerson(owner, ['admin'], 'Olga');
  provider.people.set('ada', { name: 'Ada', groups: ['it'] });
  const { token } = await logIn('ada');
  const ada = (await people.me(token)).data.person;
  const made = async (by: string) =>
    (await dashboard.post('/api/keys', { name: 'test' }, by)).data.apiKey as string;
  const [hers, theirs] = [await made(token), await made(invited.token)];
  const statusOf = async (apiKey: string) =>
    (await dashboard.post('/api/mandates/intent/vc', { apiKey, payerWalletAddress: wallet.address })).status;

  await letGo(0, 29 * dayMs);
  expect([await statusOf(hers), await statusOf(theirs)]).toEqual([404, 404]);
  await letGo(29 * dayMs, 31 * dayMs);
  expect([await statusOf(hers), await statusOf(theirs)]).toEqual([401, 404]);
  const left = await query(dashboard, 'select person_id, roles from dashboard.person_ending');
  expect(left).toEqual([{ person_id: ada.id, roles: [] }]);
  const holder = (await dashboard.loginReply(wallet)).data.token;
  const [change] = (await dashboard.request('GET', '/api/people/changes', { token: holder })).data.data;
  expect(change).toMatchObject({ deed: 'providerAway', subject: ada.id, by: { id: ada.id } });

  const back = (await people.me((await logIn('ada')).token)).data.person;
  expect(back).toEqual(ada);
  // It was revoked at a time that the provider's clock, the machine's, has not reached.
  dashboard.clock.now = new Date(Date.now() + 31 * dayMs);
  expect(await statusOf(hers)).toBe(401);
});

test('51 who cannot be let go hold up nobody behind them for longer than two rounds [dashboard.provider-login.away]', async () => {
  const { account } = await dashboard.newAccount();
  await query(
    dashboard,
    `with met as (insert into dashboard.provider_identity
         (id, account_id, issuer, subject, person_id, name, created_at, signed_in_at)
       select 'pid_' || i, $1, 'https://other.example.com', i, 'per_' || i, 'Somebody', $2, $2 from generate_series(1, 52) i)
     insert into dashboard.person (id, account_id, name, roles, created_at)
     select 'per_' || i, $1, 'Somebody', '{auditor}', $2 from generate_series(1, 52) i`,
    [account.id, new Date()],
  );
  await query(
    dashboard,
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''it cannot be''; end';
     create trigger refuse before delete on dashboard.person for each row when (old.name = 'Somebody' and old.id <> 'per_52')
       execute function refuse()`,
  );
  const left = async () =>
    (await query(dashboard, `select id from dashboard.person where name = 'Somebody'`)).map(({ id }) => id);
  await letGo(0, 31 * dayMs);
  await letGo(31 * dayMs + 60_000, 31 * dayMs + 60_000);
  expect(await left()).not.toContain('per_52');
  // Control: nobody else could be let go.
  expect(await left()).toHaveLength(51);
  await query(dashboard, 'drop trigger refuse on dashboard.person');
});

test('the days begin anew after an outage of the dashboard or the provider, in which nobody could sign in [dashboard.provider-login.outage]', async () => {
  const people = peopleCalls(dashboard);
  const comeIn = async (login: string) => {
    provider.people.set(login, { name: login, groups: ['it'] });
    return (await people.me((await logIn(login)).token)).data.person.id as string;
  };
  const isThere = async (id: string) =>
    (await query(dashboard, 'select from dashboard.person where id = $1', [id])).length === 1;

  const bea = await comeIn('bea');
  await letGo(0, 0);
  await letGo(40 * dayMs, 69 * dayMs);
  expect(await isThere(bea)).toBe(true);
  await letGo(69 * dayMs, 71 * dayMs);
  expect(await isThere(bea)).toBe(false);

  const cy = await comeIn('cy');
  await letGo(0, 5 * dayMs);
  await letGo(5 * dayMs, 40 * dayMs, 'away');
  await letGo(40 * dayMs, 69 * dayMs);
  expect(await isThere(cy)).toBe(true);
  await letGo(69 * dayMs, 71 * dayMs);
  expect(await isThere(cy)).toBe(false);

  // Control: without an outage the days are those since the sign-in, an hour of silence here and there or not.
  const di = await comeIn('di');
  await letGo(0, 15 * dayMs);
  await letGo(15 * dayMs, 15 * dayMs + hourMs, 'away');
  await letGo(15 * dayMs + 2 * hourMs, 31 * dayMs);
  expect(await isThere(di)).toBe(false);
});
