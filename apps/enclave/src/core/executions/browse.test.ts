import { randomUUID } from 'node:crypto';
import { fail, ok } from '@countersign/protocol/result';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimsOf, runOf } from '../../../test/executions.ts';
import type { FakeBrowser } from '../../../test/fake-browser.ts';
import { login, passwordField, Sandbox } from '../../../test/sandbox.ts';
import { operationsOf } from './browse-steps.ts';
import { browseBy } from './browse.ts';
import type { RunRequest } from './execution.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.start();
  sandbox.onBrowser = (browser) => {
    browser.target = passwordField;
  };
});
afterEach(() => sandbox.stop());

type Steps = Parameters<typeof operationsOf>[0];

const run = async (
  steps: Steps,
  about: object = {},
  { params = {}, signal = new AbortController().signal } = {},
) => {
  const { credential, ...action } = about as { credential?: RunRequest['credential'] };
  const claims = claimsOf({ action: 'sign-in' });
  const definition = {
    allowed_urls: ['https://shop.example'],
    start_url: 'https://shop.example/login',
    actions: { 'sign-in': { task: 'Sign in to the shop and read the orders', steps, ...action } },
  };
  const request = { ...runOf(claims, ''), connector: { type: 'browser' as const, definition } };
  const browse = browseBy({ sessions: sandbox.handlers, now: sandbox.clock.now });
  return browse({ ...request, ...(credential && { credential }), timeoutMs: 10_000 }, params, signal);
};
const browser = (): FakeBrowser => {
  const [only, ...others] = sandbox.browsers;
  if (only === undefined || others.length > 0) throw new Error('there is not one browser');
  return only;
};

const fillUser = { operation_type: 'fill', selector: '#user', value: '{{params.user}}' } as const;
const fillPassword = {
  operation_type: 'fill',
  selector: '#password',
  value: '{{CREDENTIAL.password}}',
} as const;
const extract = { operation_type: 'extract', selector: '#orders' } as const;

test('the steps of an action run in a session of its own with the credential, and its last result is the data [control-plane.connector.browser]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  sandbox.onBrowser = (opened) => {
    opened.target = passwordField;
    opened.result = ok('3 orders');
  };
  const done = await run(
    [fillUser, fillPassword, extract],
    { credential: stored },
    { params: { user: 'ada' } },
  );
  expect(done).toMatchObject({ ended: 'completed', data: '3 orders' });
  expect(done.sandbox).toEqual({
    sandbox_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    driver: 'browser',
    network: 'none',
    memory_limit: 'cgroup',
    seccomp: true,
  });
  expect(browser().done).toEqual([
    'navigate https://shop.example/login',
    'fill ada',
    `fill ${login.password}`,
    'extract',
  ]);
  expect(browser().isClosed).toBe(true);
  const records = sandbox.records(done.sandbox?.sandbox_id ?? '');
  expect(records.map(({ eventType }) => eventType)).toContain('credential_access');
  expect(records.at(-1)?.eventType).toBe('session_closed');
});

test('what a connector lends is masked before it is used, too: a page may show it at once [vault.sandbox.masking.all-usable]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const { sandbox: facts } = await run([extract], { credential: stored });
  const [initiated] = sandbox.records(facts?.sandbox_id ?? '');
  expect(initiated).toMatchObject({ eventType: 'session_initiated', detail: { maskedCredentials: 1 } });
});

test('an approved connector names its places: nobody is asked about a field that is no log-in, within its addresses', async () => {
  const { stored } = sandbox.credential('api_key', { key: 'k-of-the-shop' });
  const token = { ...passwordField, type: 'text', autocomplete: '', names: ['Token'], field: 'token' };
  const fillKey = { ...fillPassword, value: '{{CREDENTIAL.key}}' };
  sandbox.onBrowser = (opened) => {
    opened.target = token;
    opened.touched = true;
  };
  expect(await run([fillKey], { credential: stored })).toMatchObject({ ended: 'completed' });
  sandbox.browsers.splice(0);
  sandbox.onBrowser = (opened) => {
    opened.target = { ...token, frameUrl: 'https://bank.example/' };
  };
  expect(await run([fillKey], { credential: stored })).toMatchObject({
    ended: 'failed',
    problem: { code: 'review_rejected' },
  });
});

test('what an action exports is its data', async () => {
  sandbox.onBrowser = (opened) => {
    opened.target = passwordField;
    opened.data = { url: 'https://shop.example/', title: 'Orders', text: 'three', tables: [] };
  };
  const json = await run([extract], { export: { format: 'json' } });
  expect(json).toMatchObject({ ended: 'completed', data: { title: 'Orders', text: 'three' } });
});

test('it stops at the first step that is not executed, and closes', async () => {
  const away = { operation_type: 'navigate', value: 'https://elsewhere.example/' } as const;
  const done = await run([extract, away, extract]);
  expect(done).toMatchObject({ ended: 'failed', problem: { code: 'review_rejected' } });
  expect(JSON.stringify(done)).toContain('Step 2 (navigate) was refused by the review');
  expect(browser().done).toEqual(['navigate https://shop.example/login', 'extract']);
  expect(browser().isClosed).toBe(true);
});

test('a step that fails is told by its number; a timeout of what may have acted leaves the outcome open', async () => {
  let problem: 'no_such_element' | 'timeout' | 'interrupted' = 'no_such_element';
  sandbox.onBrowser = (opened) => {
    opened.target = passwordField;
    opened.result = fail({ code: problem, message: 'text of the page' });
  };
  const step = fillUser;
  const params = { user: 'ada' };
  const absent = await run([step], {}, { params });
  expect(absent).toMatchObject({
    ended: 'failed',
    problem: { code: 'target_error', message: 'Step 1 (fill) failed: no_such_element.' },
  });
  problem = 'timeout';
  expect(await run([step], {}, { params })).toMatchObject({
    ended: 'unknown',
    problem: { code: 'connector_timeout' },
  });
  expect(await run([extract])).toMatchObject({ ended: 'failed', problem: { code: 'connector_timeout' } });
  problem = 'interrupted';
  expect(await run([step], {}, { params })).toMatchObject({ ended: 'unknown' });
});

test('without a browser nothing was done; with nobody to hear it, it is closed', async () => {
  sandbox.host.isBroken = true;
  expect(await run([extract])).toMatchObject({ ended: 'failed', problem: { code: 'sandbox_unavailable' } });
  sandbox.host.isBroken = false;
  const gone = new AbortController();
  sandbox.onBrowser = (opened) => {
    opened.target = passwordField;
    opened.before = async () => {
      if (opened.done.length > 0) gone.abort();
      if (gone.signal.aborted) await opened.ended;
    };
  };
  const done = await run([fillUser], {}, { params: { user: 'ada' }, signal: gone.signal });
  expect(done).toMatchObject({ ended: 'unknown', problem: { code: 'connector_crashed' } });
  expect(browser().isClosed).toBe(true);
});

test('an action that is not there, or without its params, opens no browser', async () => {
  const browse = browseBy({ sessions: sandbox.handlers, now: sandbox.clock.now });
  const request = runOf(claimsOf({ execution_id: randomUUID() }), '', {
    connector: { type: 'browser', definition: { actions: {} } },
  });
  const signal = new AbortController().signal;
  expect(await browse(request, {}, signal)).toMatchObject({ problem: { code: 'connector_changed' } });
  expect(await run([fillUser])).toMatchObject({
    ended: 'failed',
    problem: { code: 'invalid_params', message: 'params.user is required.' },
  });
  expect(sandbox.browsers).toEqual([]);
});

const valueOf = (
  template: string,
  params: Record<string, unknown>,
  operation_type: 'fill' | 'execute_script',
) => {
  const made = operationsOf([{ operation_type, selector: '#a', value: template }], params);
  return made.ok ? (made.value[0] as { value: string }).value : made.error;
};

test('no param brings in a placeholder, wherever it stands [control-plane.connector.browser.params]', () => {
  expect(valueOf('{{{{params.a}}}}', { a: 'CREDENTIAL.password' }, 'fill')).toContain('params');
  expect(valueOf('{{params.a}}', { a: '{{CREDENTIAL.password}}' }, 'fill')).toBe(
    'params.a must not hold double braces.',
  );
  expect(valueOf('{{params.a}}{{params.b}}', { a: '{', b: '{CREDENTIAL.password}' }, 'fill')).not.toContain(
    '{{C',
  );
  const piece = fc.oneof(fc.constantFrom('{', '}', '{{', '}}', 'CREDENTIAL.', 'password', 'a'), fc.string());
  const text = fc.array(piece).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const made = operationsOf(
        [{ operation_type: 'fill', selector: '#a', value: '{{params.a}}{{params.b}}' }],
        { a, b },
      );
      const value = made.ok ? (made.value[0] as { value: string }).value : '';
      expect(value).not.toMatch(/\{\{CREDENTIAL\.[a-z][a-z0-9_]*\}\}/);
      expect([made.ok ? a + b : '']).toContain(value);
    }),
  );
});

test('in a script a param is data [control-plane.connector.browser.params]', () => {
  const script = { operation_type: 'execute_script', value: 'return {{params.a}};' } as const;
  const made = operationsOf([script], { a: '"; fetch("https://evil.example"); "' });
  expect(made).toEqual(
    ok([
      {
        operation_type: 'execute_script',
        value: String.raw`return "\"; fetch(\"https://evil.example\"); \"";`,
      },
    ]),
  );
  expect(operationsOf([script], { a: { nested: true } })).toEqual(
    fail('params.a must be a text, a number, true or false.'),
  );
});
