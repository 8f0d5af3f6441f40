import { expectOk } from '@countersign/local/dashboard-account';
import { addressText } from '@countersign/protocol/address';
import {
  noAddress,
  type RecoveryMessages,
  type RecoveryStatement,
  recoveryTypedData,
} from '@countersign/protocol/dashboard/recovery-statement';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWithOneSignIn } from './fixtures/one-sign-in.ts';
import type { Owner } from './fixtures/pages.ts';
import { newPerson } from './fixtures/people.ts';

let world: Awaited<ReturnType<typeof startWithOneSignIn>>;
let database: Pool;
beforeAll(async () => {
  world = await startWithOneSignIn();
  database = new Pool({ connectionString: world.card.databaseUrl ?? '', max: 2 });
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
});

type TypedData = Parameters<Owner['testWallet']['account']['signTypedData']>[0];

async function stated<S extends RecoveryStatement>(
  { testWallet }: Owner,
  name: S,
  message: Omit<RecoveryMessages[S], 'nonce'>,
) {
  const { nonce } = expectOk('nonce', await world.dashboard.nonce({}));
  const whole = { ...message, nonce } as RecoveryMessages[S];
  // The union of three statements is none that viem knows by its type.
  const typedData: unknown = recoveryTypedData(name, whole, world.chainId);
  return { nonce, signature: await testWallet.account.signTypedData(typedData as TypedData) };
}

/** Tokens that still count, of whoever is named so, in both parts. */
async function livingTokens(name: string): Promise<readonly number[]> {
  const { rows } = await database.query<{ vault: number; control: number }>(
    `select (select count(*) from vault.token where account like $1 and revoked_at is null)::int as vault,
       (select count(*) from control_plane.person_token t join control_plane.api_key k on k.id = t.key_id
        where k.name like $1 and k.revoked_at is null)::int as control`,
    [`${name} (%`],
  );
  return rows.flatMap(({ vault, control }) => [vault, control]);
}

test('an account that is closed ends what its holder and people have in vault and control plane, and what agents got [dashboard.recovery.elsewhere]', async () => {
  const { owner, ask, dashboard } = world;
  const helper = await world.newOwner();
  const person = await newPerson(world, owner, 'Olga', ['owner']);
  const use = async (token: string) => [
    (await ask('/relay/vault/api/v1/credentials', token)).status,
    (await ask('/control/v1/executions', token)).status,
  ];
  for (const { token } of [owner, person]) expect(await use(token)).toEqual([200, 200]);
  const made = { method: 'POST', body: JSON.stringify({ name: 'agent', scopes: ['credential:use'] }) };
  const given = (await (await ask('/relay/vault/api/v1/tokens', owner.token, made)).json()) as {
    token: string;
  };
  const agentMay = async () => {
    const headers = { authorization: `Bearer ${given.token}` };
    return (await fetch(new URL('/api/v1/credentials', world.vaultWire.url), { headers })).status;
  };
  expect(await agentMay()).toBe(200);
  expect([await livingTokens('Wallet’s holder'), await livingTokens('Olga')]).toEqual([
    [2, 1],
    [1, 1],
  ]);

  const [lost, recoveryAddress] = [owner, helper].map(({ wallet }) => addressText.parse(wallet.address));
  const message = {
    accountId: owner.accountId,
    wallet: lost ?? noAddress,
    recoveryAddress: recoveryAddress ?? noAddress,
  };
  const named = await stated(owner, 'NameRecoveryAddress', message);
  const naming = { recoveryAddress: message.recoveryAddress, ...named };
  expectOk('name', await dashboard.nameRecovery({ token: owner.token, body: naming }));
  const { accountId: recoveringAccountId, token } = helper;
  const claimed = await stated(helper, 'RecoverAccount', {
    wallet: message.wallet,
    recoveryAddress: message.recoveryAddress,
    recoveringAccountId,
  });
  expectOk(
    'claim',
    await dashboard.recoverAccount({ token, body: { walletAddress: message.wallet, ...claimed } }),
  );
  await database.query('update dashboard.recovery_claim set due_at = now()');

  await expect.poll(() => use(owner.token)).toEqual([401, 401]);
  expect(await use(person.token)).toEqual([401, 401]);
  await expect
    .poll(async () => [await livingTokens('Wallet’s holder'), await livingTokens('Olga')])
    .toEqual([
      [0, 0],
      [0, 0],
    ]);
  expect(await agentMay()).toBe(401);
});
