import { setTimeout as sleep } from 'node:timers/promises';
import { countersign } from '../fixtures/countersign.ts';
import { pace } from '../fixtures/pace.ts';
import { processesOf } from '@countersign/local/started-command';
import { freePort } from '@countersign/service/free-port';
import { type OwnedChild, type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreOf } from './fixtures/processes.ts';
import { askVault, type Json, refused, startVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
let processes: OwnedProcesses;
/** A second process on the same database and enclave. */
let second: string;
let secondVault: OwnedChild;
beforeAll(async () => {
  vault = await startVault({ ANCHOR_INTERVAL_SECONDS: '1' });
  token = await vault.tokenOf(vault.admin);
  processes = await ownedProcesses();
  const port = await freePort();
  second = `http://127.0.0.1:${port}`;
  const env = { ...vault.environment, VAULT_PORT: String(port) };
  secondVault = processes.spawn({ name: 'second vault', ...countersign('vault'), env });
  await readyAt(second, ({ ready }) => ready);
});
afterAll(async () => {
  await processes?.stopAll();
  await vault?.stop();
});

/** Waits until what `/ready` tells is as wanted; the test's own limit ends it. */
async function readyAt(url: string, wanted: (told: Json) => boolean): Promise<Json> {
  const nextTime = pace();
  for (;;) {
    const told = await fetch(`${url}/ready`).then(
      (response) => response.json() as Json,
      () => null,
    );
    if (told !== null && wanted(told)) return told;
    await nextTime();
  }
}

const pidOf = (name: string): number => processesOf(vault.dir).find((each) => each.name === name)?.pid ?? 0;
const decrypt = (id: string) =>
  vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token, body: { reason: 'test' } });

test('what one process revokes is revoked on every other [vault.token.revoke]', async () => {
  const bearer = await vault.newToken(token, ['credential:read']);
  const list = () => askVault(second, 'GET', '/api/v1/credentials', { token: bearer });
  expect(await list()).toMatchObject({ status: 200 });
  await vault.ask('POST', '/api/v1/auth/logout', { token: bearer });
  expect(await list()).toMatchObject(refused(401, 'token_revoked'));
});

test('one of two processes publishes, and the other one waits [vault.anchor.one-publisher]', async () => {
  const states = async () =>
    (await Promise.all([readyAt(vault.url, () => true), readyAt(second, () => true)])).map(
      ({ anchor }: Json) => anchor.state === 'standby',
    );
  await Promise.race(
    [vault.url, second].map((url) => readyAt(url, ({ anchor }) => anchor.state === 'anchored')),
  );
  expect((await states()).filter(Boolean)).toHaveLength(1);
});

test('under a new root secret every credential opens as before, also while they move [vault.keys.rotate-root]', async () => {
  const keys = Array.from({ length: 30 }, (_, n) => `key-${n}`);
  const made = await Promise.all(keys.map((key) => vault.newCredential(token, { plaintext_data: { key } })));
  const open = async () =>
    Promise.all(made.map(async ({ id }) => (await decrypt(id)).data.plaintext_data?.key as string));
  const child = processes.spawn({
    name: 'rotation',
    ...countersign('vault', 'rotate-root'),
    env: vault.environment,
    oneShot: true,
  });
  for (;;) {
    expect(await open()).toEqual(keys);
    if ((await Promise.race([child.exited, sleep(0, null)])) !== null) break;
  }
  const { code, lastLines } = await child.exited;
  expect({ code, lastLines }).toMatchObject({
    code: 0,
    lastLines: [expect.stringContaining('30 credentials')],
  });
  expect(await open()).toEqual(keys);
});

test('a chain that is away for a while is told, tried again, and nothing is lost [vault.anchor.outage]', async () => {
  const { id } = await vault.newCredential(token);
  const chain = pidOf('chain');
  const leader = (await readyAt(second, () => true)).anchor.state === 'standby' ? vault.url : second;
  process.kill(chain, 'SIGSTOP');
  try {
    expect(await decrypt(id)).toMatchObject({ status: 200 });
    const away = await readyAt(leader, ({ anchor }) => anchor.state === 'retrying');
    expect(away).toMatchObject({
      ready: true,
      anchor: { attempts: expect.any(Number), since: expect.any(String) },
    });
  } finally {
    process.kill(chain, 'SIGCONT');
  }
  await readyAt(leader, ({ anchor, audit }) => anchor.state === 'anchored' && anchor.size === audit.size);
});

test('/ready tells of a core that does not answer, and that another one does since [vault.enclave.restarted.told]', async () => {
  const { id } = await vault.newCredential(token);
  expect(await readyAt(vault.url, () => true)).toMatchObject({ enclave: 'up', enclave_restarts: 0 });
  process.kill(coreOf({ pid: pidOf('enclave') }), 'SIGSTOP');
  expect(await readyAt(vault.url, ({ ready }) => !ready)).toMatchObject({ enclave: 'down', database: 'up' });
  const told = await readyAt(vault.url, ({ ready }) => ready);
  expect(told).toMatchObject({ enclave: 'up', enclave_restarts: 1 });
  expect(await decrypt(id)).toMatchObject({ status: 200 });
});

test('without its enclave the vault gives nothing away, says so, and goes on when it is back [vault.enclave.own-process] [vault.error.internal-error]', async () => {
  const { id } = await vault.newCredential(token);
  const before = await decrypt(id);
  process.kill(pidOf('enclave'), 'SIGKILL');
  const told = await readyAt(vault.url, ({ ready }) => !ready);
  expect(told).toMatchObject({
    enclave: 'down',
    audit: 'down',
    database: 'up',
    error: { code: 'internal_error' },
  });
  const without = await decrypt(id);
  expect(without).toMatchObject({
    status: 500,
    data: { error: { code: 'internal_error', message: 'system error' } },
  });
  expect(await vault.ask('GET', '/health')).toMatchObject({ status: 200 });
  // What needs no key goes on.
  expect(await vault.ask('GET', `/api/v1/credentials/${id}`, { token })).toMatchObject({ status: 200 });

  processes.spawn({ name: 'enclave', ...countersign('enclave'), env: vault.environment });
  await readyAt(vault.url, ({ ready }) => ready);
  const after = await decrypt(id);
  expect(after).toMatchObject({ status: 200, data: { plaintext_data: before.data.plaintext_data } });
  expect(after.data.audit_id).not.toBe(before.data.audit_id);
});

test('when the process that publishes dies, the other one goes on [system.service.one-at-a-time]', async () => {
  const { anchor } = await readyAt(second, () => true);
  const firstWaits = anchor.state !== 'standby';
  process.kill(firstWaits ? secondVault.pid : pidOf('vault'), 'SIGKILL');
  const heir = firstWaits ? vault.url : second;
  expect(await readyAt(heir, (told) => told.anchor.state === 'anchored')).toMatchObject({ ready: true });
});
