import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Enclaves, type EnclaveProcess } from './fixtures/enclave-process.ts';
import { childrenOf, commandOf, coreOf, groupsOf, jailsOf } from './fixtures/processes.ts';
import { type ShopWithLogin, startShop } from './fixtures/shop-with-login.ts';

const enclaves = new Enclaves();
let shop: ShopWithLogin;
beforeAll(async () => {
  shop = await startShop({ username: 'ada', password: 'p' });
});
afterAll(async () => {
  await enclaves.end();
  shop.stop();
});

/** An enclave with a session open, and a browser ready for the next. */
async function withSession() {
  const enclave = await enclaves.start(enclaves.newDir(), { SANDBOX_ALLOW_PRIVATE: '127.0.0.0/8' });
  const client = await enclaves.connect(enclave);
  const open = () =>
    client.call('session.open', {
      tenantId: 'acme',
      actor: 'token:agent',
      sessionId: randomUUID(),
      task: 'Look at the shop',
      allowedUrls: [shop.url],
      approval: 'auto',
      credentials: [],
      maskWith: [],
      startUrl: shop.url,
      expiresAt: Date.now() + 600_000,
    });
  expect((await open()).ok).toBe(true);
  await expect.poll(() => jailsOf(enclave.pid).length).toBe(2);
  return { enclave, client, open };
}

const egressOf = ({ pid }: EnclaveProcess): number =>
  childrenOf(pid).findLast((child) => commandOf(child).endsWith(' enclave egress')) ?? 0;

/** Of these, what still runs: a number may be another's by now. */
const stillThere = (pids: readonly number[], commands: readonly string[]) =>
  pids.filter((pid, i) => commandOf(pid) !== '' && commandOf(pid) === commands[i]);

test.each([
  ['its launcher is told to stop', null, 'SIGTERM'],
  ['its launcher is killed', null, 'SIGKILL'],
  ['its launcher is told to stop and its core is frozen', coreOf, 'SIGTERM'],
  ['its launcher is told to stop and its proxy is frozen', egressOf, 'SIGTERM'],
  ['its launcher is told to stop and a browser is frozen', ({ pid }) => jailsOf(pid)[0] ?? 0, 'SIGTERM'],
] as const satisfies [string, ((enclave: EnclaveProcess) => number) | null, NodeJS.Signals][])(
  'when %s, an enclave leaves no browser and no proxy [vault.sandbox.process.own] [vault.enclave.halves] [vault.enclave.ends]',
  async (_name, frozen, signal) => {
    const { enclave } = await withSession();
    const before = childrenOf(enclave.pid);
    const commands = before.map(commandOf);
    expect(before.length).toBeGreaterThan(10);
    if (frozen !== null) process.kill(frozen(enclave), 'SIGSTOP');
    const toldAt = performance.now();
    enclave.kill(signal);
    await enclave.ended;
    await expect.poll(() => stillThere(before, commands)).toEqual([]);
    expect(performance.now() - toldAt).toBeLessThan(8000);
    // Whoever was killed, or had to kill, could not clean up: the next start does.
    if (signal === 'SIGKILL' || frozen !== null) {
      const next = await enclaves.start(enclaves.newDir());
      next.kill('SIGTERM');
      await next.ended;
    }
    expect(groupsOf(enclave.pid)).toEqual([]);
  },
);

test('a core that is frozen takes its browsers along, and the next one opens sessions [vault.enclave.restarted]', async () => {
  const { enclave, open } = await withSession();
  const [ofSession = 0, ready = 0] = jailsOf(enclave.pid);
  process.kill(coreOf(enclave), 'SIGSTOP');
  await expect.poll(() => jailsOf(enclave.pid), { timeout: 12_000 }).not.toContain(ofSession);
  expect(jailsOf(enclave.pid)).toContain(ready);
  const opened = () =>
    open().then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(opened, { timeout: 12_000 }).toBe(true);
});

test('a proxy that dies is started again, and serves the browsers that were there before [vault.sandbox.isolation.egress-again]', async () => {
  const { enclave, open } = await withSession();
  const first = egressOf(enclave);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => ![0, first].includes(egressOf(enclave))).toBe(true);
  const seen = shop.paths.length;
  expect((await open()).ok).toBe(true);
  await expect.poll(() => shop.paths.length).toBeGreaterThan(seen);
});

test('it tells what its browsers are and how they are kept apart, once there was one [vault.sandbox.isolation.told]', async () => {
  const { client } = await withSession();
  const described = await client.call('describe', {});
  expect(described.ok && described.value.reply.sandbox).toMatchObject({
    isolation: { level: 'full', network_namespace: true },
    engine: { version: expect.stringMatching(/^\d+\./) },
  });
});
