import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { startShop } from '@countersign/local/demo-shop/shop';
import type { HttpServer } from '@countersign/local/http-server';
import { createLogger } from '@countersign/service/logger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { narrow, signIn, type Visit, wide } from './fixtures/console.ts';
import { startHostileControl } from './fixtures/hostile/control-plane.ts';
import { fillDashboard, hostilePayee } from './fixtures/hostile/dashboard.ts';
import { type Found, hostilePages, type Look, operatorsPages } from './fixtures/hostile/pages.ts';
import { callsToVault, fillVault } from './fixtures/hostile/vault.ts';
import { type Kind, kinds } from './fixtures/hostile/words.ts';
import { sideways } from './fixtures/looks.ts';
import { photograph } from './fixtures/photograph.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';
import { signInToVault, startVaultConsole } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startVaultConsole>>;
let control: Awaited<ReturnType<typeof startHostileControl>>;
let shop: HttpServer;
beforeAll(async () => {
  const about = { host: '127.0.0.1', port: 0, customer: { username: 'ada', password: 'none' } };
  [world, shop] = await Promise.all([
    startVaultConsole('control plane'),
    startShop({ ...about, log: createLogger('shop', 'silent') }),
  ]);
  control = await startHostileControl(world.card);
});
afterAll(async () => {
  await control?.stop();
  await world?.stop();
  await shop?.stop();
});

/** To another page of the one that is loaded, which alone has the vault's token and the approver's key. */
const goTo = ({ page }: Visit, path: string) =>
  page.evaluate(`window.__TSR_ROUTER__.history.push(${JSON.stringify(path)})`);

/** What the shown page, or the sheet upon it, is wider than its window by, at both widths. */
async function expectNoOverflow({ page }: Visit, name: string): Promise<void> {
  for (const viewport of [narrow, wide]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await photograph(page, `Hostile ${name}-${viewport.width}-${colorScheme}`);
    }
    const overflow = await page.evaluate<number>(sideways);
    expect([name, viewport.width, overflow]).toEqual([name, viewport.width, 0]);
  }
}

/** Each page, and each sheet upon it. */
async function lookAround(visit: Visit, name: string, looks: readonly Look[]): Promise<void> {
  const { page } = visit;
  for (const [index, { path, until, sheets = {} }] of looks.entries()) {
    await goTo(visit, path);
    await until(page);
    await expectNoOverflow(visit, `${name} ${index}`);
    for (const [sheet, open] of Object.entries(sheets)) {
      await open(page);
      await page.getByRole('dialog').waitFor();
      await expectNoOverflow(visit, `${name} ${index} ${sheet}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
  }
}

/** An owner, a vault's user and an approver at one page, who have texts of this kind everywhere. */
async function arrive(kind: Kind): Promise<{ visit: Visit; found: Found }> {
  const say = kinds[kind];
  const owner = await world.newOwner();
  const filled = await fillDashboard(world, owner, say);
  const actions = await control.fill(say);
  const visit = await world.visit({ wallet: owner.testWallet });
  let token = '';
  visit.page.on('request', (request) => {
    if (request.url().startsWith(world.vaultWire.url))
      token = request.headers()['authorization']?.replace('Bearer ', '') ?? token;
  });
  await signIn(visit);
  await goTo(visit, '/vault/tokens');
  await signInToVault(visit, await world.newUser(`${kind}-${'u'.repeat(100)}`));
  await visit.page.getByText('No tokens yet').waitFor();
  const { sessionId } = await fillVault(callsToVault(world.vaultWire.url, token), shop, say);
  await goTo(visit, '/actions');
  await visit.page.getByLabel('Approver key').fill(control.approver);
  await visit.page.getByLabel('Approver key').press('Enter');
  await visit.page.getByRole('article').first().waitFor();
  return { visit, found: { ...filled, ...actions, sessionId } };
}

describe.each(Object.keys(kinds) as Kind[])('%s texts', (kind) => {
  let visit: Visit;
  let found: Found;
  beforeAll(async () => {
    ({ visit, found } = await arrive(kind));
  });

  test('every page of the console is looked at [dashboard.console.hostile-lengths]', async () => {
    const routes = await visit.page.evaluate<string[]>('Object.keys(window.__TSR_ROUTER__.routesByPath)');
    const bare = routes.map((path) => path.replace(/(?<=.)\/$/, ''));
    expect(Object.keys(hostilePages).toSorted()).toEqual([...new Set(bare)].toSorted());
  });

  test.each(Object.entries(hostilePages))(
    'no word or number widens %s [dashboard.console.hostile-lengths]',
    (route, looks) => lookAround(visit, `${kind} ${route.replaceAll('/', '_')}`, looks(found)),
  );

  test('nor what operators alone see [dashboard.console.hostile-lengths]', async () => {
    const { operator, dashboardUrl } = world.card;
    const site = { origin: new URL(dashboardUrl ?? ''), chainId: world.chainId };
    const { token } = await logIn(world.dashboard, operator, site);
    const { address } = newTestWallet(world.chainId).account;
    const body = { address, reason: kinds[kind](200) };
    expectOk('deny', await world.dashboard.addToDenyList({ token, body }));
    const payee = hostilePayee(kinds[kind], address);
    expectOk('admit', await world.dashboard.createPayee({ token, body: payee }));
    const desk = await world.visit({ wallet: newTestWallet(world.chainId, operator.privateKey) });
    await signIn(desk);
    await lookAround(desk, `${kind} operator`, operatorsPages);
    await desk.close();
  });
});
