import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { pagesOf, startBattleground, type Visitor, whatCame } from '../fixtures/sites/battleground.ts';
import { channels } from '../fixtures/sites/channels.ts';
import { openPlainBrowser } from '../fixtures/sites/plain-browser.ts';

// Before the tests are named: what does not leak without protection proves nothing with it.
const secret = `Zq7x-${randomBytes(9).toString('base64url')}`;
const ground = await startBattleground();
const control = await withoutProtection();
const leaking = channels.filter((channel) => control.came.includes(channel));
const silent = channels.filter((channel) => !control.came.includes(channel));
afterAll(() => ground.stop());

async function withoutProtection() {
  const plain = await openPlainBrowser(ground.nameServer);
  try {
    const visitor = async (): Promise<Visitor> => {
      const page = await plain.context.newPage();
      return {
        goto: async (url) => void (await page.goto(url)),
        fillSecret: (selector) => page.fill(selector, secret),
        click: (selector) => page.click(selector, { noWaitAfter: true }),
      };
    };
    await Promise.all(pagesOf(channels).map(async (by) => ground.visit(await visitor(), by)));
    return await whatCame(
      ground,
      channels.filter(({ mayBeSilent }) => mayBeSilent === undefined),
      15_000,
    );
  } finally {
    await plain.close();
    ground.clear();
  }
}

test(`${leaking.length} of ${channels.length} ways out carry a secret away without protection; no control, so nothing proven: ${silent.map(({ name }) => name).join(', ')}`, () => {
  const heard = channels.filter(({ script }) => ground.nameServer !== null || !script.includes('name'));
  expect(heard.filter((channel) => silent.includes(channel) && channel.mayBeSilent === undefined)).toEqual(
    [],
  );
  expect(leaking.length).toBeGreaterThan(60);
});
