import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserSession, type Operation } from './fixtures/browser-session.ts';
import { formOf, redirect, type Site, startSite } from './fixtures/sites/site.ts';
import { joinVault, type TestVault } from './fixtures/vault.ts';

const password = `Tr7${randomBytes(8).toString('base64url')}`;

const scripts: Readonly<Record<string, string>> = {
  blur: `for (const field of [username, password]) field.addEventListener('blur', () => fetch('/api/validate', { method: 'POST',
    headers: { 'content-type': 'application/json' }, body: JSON.stringify({ username: username.value, password: password.value }) }))`,
  input: `password.addEventListener('input', () => fetch('/api/strength', { method: 'POST', body: new URLSearchParams({ candidate: password.value }) }))`,
  change: `password.addEventListener('change', ({ target }) => navigator.sendBeacon('/api/replay', JSON.stringify({ t: Date.now(), el: target.id, v: target.value })))`,
  none: '',
};

let vault: TestVault;
let token: string;
let site: Site;

beforeAll(async () => {
  vault = await joinVault();
  token = await vault.tokenOf(vault.admin);
  site = await startSite(
    {},
    {
      otherwise: ({ method, path }) => {
        if (method === 'POST') return path === '/in' ? redirect('/home') : { body: 'ok' };
        const script = scripts[path.slice(1)];
        return {
          body:
            script === undefined
              ? '<title>App</title><h1 id=home>Welcome</h1>'
              : `<!doctype html><title>App</title><h1>Log in</h1><form method=post action=/in>
                 <label>User name <input id=username name=username autocomplete=username></label>
                 <label>Password <input id=password type=password name=password autocomplete=current-password></label>
                 <button id=submit>Log in</button></form><script>${script}</script>`,
        };
      },
    },
  );
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
});

test.each(Object.keys(scripts))(
  'an honest log-in form with an early check on %s logs in, and the session goes on [vault.sandbox.decoy.own-site]',
  async (check) => {
    site.received.length = 0;
    const { id } = await vault.newCredential(token, {
      allowed_urls: [site.origin],
      credential_type: 'username_password',
      plaintext_data: { username: 'ada', password },
    });
    const session = await BrowserSession.open(vault, token, {
      allowed_urls: [site.origin],
      credential_ids: [id],
      start_url: `${site.origin}/${check}`,
      task: 'Log in and read the pages',
    });
    const fill = (name: string): Operation => ({
      operation_type: 'fill',
      selector: `#${name}`,
      value: `{{CREDENTIAL.${name}}}`,
    });
    await session.do(fill('username'));
    await session.do(fill('password'));
    await session.do({ operation_type: 'click', selector: '#submit' });
    await session.do({ operation_type: 'wait', selector: '#home' });
    expect((await session.ask('GET', '')).data.status).toBe('active');
    const sent = site.received.filter(({ method }) => method === 'POST');
    const [logIn, ...more] = sent.filter(({ path }) => path === '/in').map(formOf);
    expect([logIn?.['password'], more]).toEqual([password, []]);
    const checks = sent.filter(({ path }) => path !== '/in').map(({ body }) => body);
    expect(checks.join()).not.toContain(password);
    await session.close();
    const { data } = await vault.ask('GET', '/api/v1/audit/logs?limit=100', { token });
    const rules = data.items.flatMap(
      ({ sessionId, detail }: { sessionId: string; detail: { rules?: { rule: string }[] } }) =>
        sessionId === session.id ? (detail.rules ?? []).map(({ rule }) => rule) : [],
    );
    expect([rules.includes('decoy.alarm'), rules.includes('decoy.own-site')]).toEqual([
      false,
      check !== 'none',
    ]);
  },
);
