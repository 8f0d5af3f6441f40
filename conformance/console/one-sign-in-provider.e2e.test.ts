import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
} from '../../packages/service/test/identity-provider.ts';
import { logInAt } from '../../packages/service/test/log-in-at-provider.ts';
import { startWithOneSignIn } from './fixtures/one-sign-in.ts';

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let world: Awaited<ReturnType<typeof startWithOneSignIn>>;
beforeAll(async () => {
  provider = await startIdentityProvider();
  world = await startWithOneSignIn((wallet) => ({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ACCOUNT: wallet,
    OIDC_GROUP_ROLES: JSON.stringify({ board: ['owner'] }),
  }));
  provider.open([`${world.url}/sign-in/return`]);
});
afterAll(async () => {
  await world?.stop();
  await provider?.stop();
});

/** The session of who comes in through the provider; null: refused. */
async function comeIn(login: string): Promise<string | null> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(new URL(path, world.card.dashboardUrl ?? ''), {
      method: 'POST',
      headers: { origin: world.url, 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const begun = await post('/api/auth/provider/begin', {});
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { data } = (await begun.json()) as { data: { url: string } };
  const returned = await logInAt(new URL(data.url), login, `${world.url}/sign-in/return`);
  const answer = await post('/api/auth/provider/login', returned, cookie);
  return /platform_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? null;
}

const reach = async (token: string) => [
  (await world.ask('/relay/vault/api/v1/credentials', token)).status,
  (await world.ask('/control/v1/executions', token)).status,
];

test('whoever left by their groups, or was removed and let back in, reaches vault and control plane again [system.one-sign-in.ends] [dashboard.provider-login.left]', async () => {
  const { owner, dashboard } = world;
  provider.people.set('ada', { name: 'Ada Byron', groups: ['board'] });
  const first = (await comeIn('ada')) ?? '';
  expect(await reach(first)).toEqual([200, 200]);
  provider.people.set('ada', { groups: [] });
  expect(await comeIn('ada')).toBeNull();
  expect(await reach(first)).toEqual([401, 401]);
  provider.people.set('ada', { groups: ['board'] });
  const second = (await comeIn('ada')) ?? '';
  // The parts are told of the end at once, and what was seen of her before that counts no longer.
  await expect.poll(() => reach(second)).toEqual([200, 200]);

  const people = await dashboard.listPeople({ token: owner.token });
  if (people.kind !== 'ok') throw new Error('no people');
  const id = people.data.data.find(({ name }) => name === 'Ada Byron')?.id ?? '';
  expect((await dashboard.removePerson({ token: owner.token, params: { id } })).kind).toBe('ok');
  expect(await reach(second)).toEqual([401, 401]);
  const out = await dashboard.listShutOut({ token: owner.token });
  if (out.kind !== 'ok') throw new Error('no list');
  const params = { id: out.data.data[0]?.id ?? '' };
  expect((await dashboard.letBackIn({ token: owner.token, params })).kind).toBe('ok');
  const third = (await comeIn('ada')) ?? '';
  await expect.poll(() => reach(third)).toEqual([200, 200]);
});
