import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession } from './fixtures/browser-session.ts';
import { holds } from './fixtures/sites/battleground.ts';
import { loginCorpus } from './fixtures/sites/login/corpus.ts';
import { balance, type Login, type LoginPattern, type Step } from './fixtures/sites/login/pattern.ts';
import { asText } from './fixtures/sites/observers.ts';
import { openPlainBrowser } from './fixtures/sites/plain-browser.ts';
import { startVault, type TestVault } from './fixtures/vault.ts';

let plain: Awaited<ReturnType<typeof openPlainBrowser>>;
let vault: TestVault;
let token: string;
beforeAll(async () => {
  [plain, vault] = await Promise.all([
    openPlainBrowser(null),
    startVault({ SANDBOX_ALLOW_PRIVATE: '127.0.0.0/8', SANDBOX_ISOLATION: 'required' }),
  ]);
  token = await vault.tokenOf(vault.admin);
});
afterAll(async () => {
  await plain?.close();
  await vault?.stop();
});

const newLogin = (): Login => ({
  username: `ada-${randomBytes(6).toString('hex')}`,
  password: `Pä ss&"${randomBytes(15).toString('base64url')}`,
  code: String(100_000 + (randomBytes(3).readUIntBE(0, 3) % 900_000)),
});

/** Closed shadow roots are closed to playwright too. */
const openToAll = loginCorpus.filter(({ name }) => name !== 'closed shadow root');

test.each(openToAll)(
  'control: the real values sign in by $name in a plain browser',
  async ({ start, steps }) => {
    const login = newLogin();
    const site = await start(login);
    const page = await plain.context.newPage();
    page.setDefaultTimeout(120_000);
    try {
      await page.goto(site.startUrl);
      for (const step of steps) await doPlainly(page, step, login);
      expect(await page.textContent('#balance')).toBe(balance);
      expect(site.signIns()).toEqual({ right: 1, wrong: 0 });
    } finally {
      await page.close();
      await site.stop();
    }
  },
);

async function doPlainly(page: Page, { operation_type, selector, value = '' }: Step, login: Login) {
  // Who signs in within a frame does all of it there, but for what comes after.
  const isInFrame = selector !== '#balance' && (await page.locator('iframe').count()) > 0;
  const found = (isInFrame ? page.frameLocator('iframe') : page).locator(selector);
  const real = value
    .replace('{{CREDENTIAL.username}}', login.username)
    .replace('{{CREDENTIAL.password}}', login.password)
    .replace('{{CODE}}', login.code);
  if (operation_type === 'fill') await found.fill(real);
  if (operation_type === 'click') await found.click();
  if (operation_type === 'wait') await found.waitFor();
}

test.each(loginCorpus)(
  'with placeholders alone an agent signs in by $name and reads on; the site got the secret once, the agent never [vault.sandbox.placeholder] [vault.sandbox.corpus] [vault.sandbox.masking.outputs]',
  async (pattern) => {
    const login = newLogin();
    const site = await pattern.start(login);
    const { session, does } = await agentAt(pattern, site, login);
    try {
      for (const step of pattern.steps) await does(step);
      expect(await session.do({ operation_type: 'extract', selector: '#balance' })).toBe(balance);
      expect(site.signIns()).toEqual({ right: 1, wrong: 0 });
      await session.ask('GET', '');
      await session.ask('GET', '/operations');
      await session.close();
      // A hash is all that leaves a page which hashes.
      // The last part of it looks the same in every body.
      const mark = login.password.slice(-16);
      const received = site.received().filter((request) => holds(asText(request), mark));
      expect(received).toHaveLength(pattern.name === 'client-side hashing' ? 0 : 1);
      expect(session.seen.filter((text) => holds(Buffer.from(text).toString('latin1'), mark))).toEqual([]);
    } finally {
      await session.close();
      await site.stop();
    }
  },
);

type StartedSite = Awaited<ReturnType<LoginPattern['start']>>;

/** A session on the site that may use both credentials, and what does a step in it. */
async function agentAt(pattern: LoginPattern, site: StartedSite, login: Login) {
  const { username, password, code } = login;
  const newCredential = (credential_type: string, plaintext_data: object) =>
    vault.newCredential(token, {
      credential_type,
      plaintext_data,
      fill_mode: pattern.mode,
      allowed_urls: site.origins,
    });
  const first = await newCredential('username_password', { username, password });
  const second = await newCredential('api_key', { key: code });
  const session = await BrowserSession.open(vault, token, {
    credential_ids: [first.id, second.id],
    allowed_urls: site.origins,
    start_url: site.startUrl,
  });
  const does = async ({ operation_type, selector, value }: Step) => {
    const isCode = value === '{{CODE}}';
    return session.do({
      operation_type,
      selector,
      ...(value !== undefined && {
        value: isCode ? '{{CREDENTIAL.key}}' : value,
        credential_id: isCode ? second.id : first.id,
      }),
    });
  };
  return { session, does };
}
