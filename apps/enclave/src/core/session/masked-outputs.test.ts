import { randomUUID } from 'node:crypto';
import { fail } from '@countersign/protocol/result';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillPassword, login, OneSession, passwordField, Sandbox } from '../../../test/sandbox.ts';

let sandbox: Sandbox;
let session: OneSession;

/** A session that has used a password, in a browser which then shows it everywhere. */
beforeEach(async () => {
  sandbox = await Sandbox.start();
  const { stored, named } = sandbox.credential('username_password', login);
  session = await sandbox.open({ credentials: [named] });
  session.browser.target = passwordField;
  await session.operate(fillPassword, stored);
  session.browser.target = null;
});
afterEach(() => sandbox.stop());

const { password } = login;
const spellings = [
  password,
  encodeURIComponent(password),
  Buffer.from(password).toString('base64'),
  Buffer.from(password).toString('hex'),
  Array.from(password).reverse().join(''),
];
const extract = { operation_type: 'extract', selector: 'h1' } as const;

test('no address in an answer, event or record holds a secret that was used [vault.sandbox.masking.outputs] [vault.audit.record.no-plaintext]', async () => {
  const start = await sandbox.ask('session.events', { after: 0, waitMs: 0 });
  const cursor = start.ok ? start.value.reply.cursor : 0;
  const seen: unknown[] = [];
  for (const spelling of spellings) {
    session.browser.url = `https://shop.example/${encodeURIComponent(spelling)}?q=${spelling}`;
    seen.push(await session.operate(extract), await session.state());
    session.browser.alarm({ kind: 'scope', url: `https://evil.example/${spelling}`, resource: 'Image' });
  }
  const told = await sandbox.ask('session.events', { after: cursor, waitMs: 0 });
  seen.push(told, sandbox.records(session.id));
  const all = JSON.stringify(seen);
  expect(all).toContain('███');
  for (const spelling of spellings) {
    expect(all).not.toContain(spelling);
    expect(all).not.toContain(JSON.stringify(spelling).slice(1, -1));
  }
});

test('what it says of its page when it is over is masked still', async () => {
  session.browser.url = `https://shop.example/${encodeURIComponent(password)}`;
  await session.ask('session.close', {});
  expect((await session.state()).currentUrl).toBe('https://shop.example/███');
});

test('a secret that cannot be masked is told, in the answer and in the record of its access', async () => {
  const { stored, named } = sandbox.credential('username_password', { username: 'ada', password: 'abc' });
  const short = await sandbox.open({ credentials: [named] });
  short.browser.target = passwordField;
  const answer = await short.operate(fillPassword, stored);
  expect(answer.review.rules.map(({ rule }) => rule)).toContain('masking.unmaskable');
  expect(sandbox.records(short.id)[2]?.detail).toMatchObject({ unmaskable: true });
});

test('an export is a table by RFC 4180, JSON or the text, and is recorded', async () => {
  session.browser.data = {
    url: 'https://shop.example/',
    title: 'Orders',
    text: 'Orders\n1',
    tables: [
      {
        rows: [
          ['a "b"', 'c,d'],
          ['e\nf', ''],
        ],
      },
      { rows: [['g']] },
    ],
  };
  const exported = async (format: 'json' | 'csv' | 'text') => {
    const answer = await session.ask('session.export', { format });
    return answer.ok ? answer.value.body.toString() : answer.error.code;
  };
  expect(await exported('csv')).toBe('"a ""b""","c,d"\r\n"e\nf",\r\n\r\ng\r\n');
  expect(JSON.parse(await exported('json'))).toEqual(session.browser.data);
  expect(await exported('text')).toBe('Orders\n1');
  const [intent, left] = sandbox.records(session.id).slice(-2);
  expect(intent?.detail).toMatchObject({ operationType: 'export', format: 'text' });
  expect(left?.detail).toMatchObject({ what: 'export', mediaType: 'text/plain', bytes: 8 });
});

test('an export of a great deal needs a task that names it', async () => {
  const answers: boolean[] = [];
  for (const task of ['Read the newest order', 'Export all orders']) {
    const one = await sandbox.open({ task });
    one.browser.reading = { nodes: 10_000, characters: 10 };
    answers.push((await one.ask('session.export', { format: 'csv' })).ok);
    expect(one.told().at(-1)).toBe(answers.at(-1) === true ? 'content_left' : 'policy_rejected');
  }
  expect(answers).toEqual([false, true]);
});

test('a picture is recorded; frames of the live view once, when somebody begins to watch', async () => {
  const frame = () => session.frame('user:owner');
  const picture = await session.ask('session.screenshot', { fullPage: true });
  const [intent, left] = sandbox.records(session.id).slice(-2);
  expect(picture).toMatchObject({
    value: { reply: { auditId: intent?.auditId, left: { audit_id: left?.auditId, bytes: 15 }, width: 800 } },
  });
  for (let i = 0; i < 5; i++) expect(await frame()).toMatchObject({ ok: true });
  sandbox.clock.pass(61_000);
  await frame();
  const watched = sandbox.records(session.id).filter(({ detail }) => detail['operationType'] === 'watch');
  expect(watched).toHaveLength(2);
});

const sealed = (
  { stored: { binding, envelope } }: ReturnType<Sandbox['credential']>,
  allowedUrls = ['https://shop.example'],
) => ({ binding, envelope, allowedUrls });

test('what may be used below one path is masked on all pages of its site, since any of them may show it [vault.sandbox.masking.whole-site]', async () => {
  const login = sandbox.credential('username_password', { username: 'grace', password: 'cobol-1959!' });
  const narrow = await sandbox.open({ maskWith: [sealed(login, ['https://shop.example/login/*'])] });
  narrow.browser.url = 'https://shop.example/settings/cobol-1959!';
  expect((await narrow.state()).currentUrl).toBe('https://shop.example/settings/███');
  narrow.browser.url = 'https://shop.example:8443/settings/cobol-1959!';
  expect((await narrow.state()).currentUrl).toBe('https://shop.example:8443/settings/cobol-1959!');
});

test('a session masks credentials it does not use, on their own sites, machine keys everywhere, and records how many [vault.sandbox.masking.all-usable]', async () => {
  const other = sandbox.credential('username_password', {
    username: 'grace.hopper',
    password: 'cobol-1959!',
  });
  const key = sandbox.credential('api_key', { key: 'key-of-another-service' });
  const looking = await sandbox.open({ maskWith: [sealed(other), sealed(key)] });
  expect(sandbox.records(looking.id)[0]).toMatchObject({
    eventType: 'session_initiated',
    detail: { maskedCredentials: 2, credentials: [] },
  });
  looking.browser.url = 'https://shop.example/grace.hopper/cobol-1959!/KEY-of-another-service';
  expect((await looking.state()).currentUrl).toBe('https://shop.example/grace.hopper/███/███');
  // Whoever made a page elsewhere would see by a mask which of its guesses is right. A key nobody guesses.
  looking.browser.url = 'https://guesses.example/cobol-1959!/KEY-of-another-service';
  expect((await looking.state()).currentUrl).toBe('https://guesses.example/cobol-1959!/███');
});

test('credentials of another tenant are masked in no session', async () => {
  const stranger = sandbox.credential('api_key', { key: 'key-of-a-stranger' }, 'globex');
  expect(await sandbox.ask('session.open', sandbox.opening({ maskWith: [sealed(stranger)] }))).toEqual({
    ok: false,
    error: { code: 'INVALID_COMMAND', field: 'maskWith' },
  });
});

/** A session that looks for one password, and of which no guess is left. */
async function guessed(about: Parameters<typeof sandbox.open>[0] = {}) {
  const known = sandbox.credential('username_password', { username: 'ada', password: 'swordfish' });
  return sandbox.open({ maskWith: [sealed(known)], ...about });
}
const fill = (value: string) => ({ operation_type: 'fill', selector: '#note', value }) as const;
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');

test('what one session wrote is masked apart in another of its tenant, right or wrong [vault.sandbox.masking.guesses]', async () => {
  const reader = await guessed();
  const writer = await guessed();
  await writer.operate(fill(words(64)));
  await writer.operate(fill('my two: swordfish, mistletoe'));
  for (const one of [reader, writer, await guessed()]) {
    one.browser.url = 'https://shop.example/tags/mistletoe/new/swordfish';
    expect((await one.state()).currentUrl).toBe('https://shop.example/tags/███/new/███');
  }
});

test('words of its own scope are not masked in a session, whatever others write: its addresses stay what they are', async () => {
  const writer = await guessed();
  await writer.operate(fill(words(64)));
  await writer.operate(fill('of my account and mistletoe'));
  const narrow = await guessed({ allowedUrls: ['https://shop.example/account/*'] });
  narrow.browser.url = 'https://shop.example/account/mistletoe';
  expect(await narrow.operate(extract)).toMatchObject({ status: 'executed' });
  expect((await narrow.state()).currentUrl).toBe('https://shop.example/account/███');
});

test('a text with more words than can be masked waits for a person, or is refused where nobody is asked [vault.sandbox.masking.many-words]', async () => {
  const answers = [];
  for (const approval of ['auto', 'never'] as const) {
    const one = await guessed({ approval });
    const { status, review } = await one.operate(fill(words(400)));
    answers.push(status);
    expect(review.rules.map(({ rule }) => rule)).toContain('text.too-many-words');
    expect(one.browser.done).toEqual([]);
    expect(await one.operate(fill(words(20)))).toMatchObject({ status: 'executed' });
  }
  expect(answers).toEqual(['pending_approval', 'rejected']);
  // Where nothing is secret there is nothing to be guessed.
  const open = await sandbox.open();
  expect(await open.operate(fill(words(400)))).toMatchObject({ status: 'executed' });
});

test('a person may agree to it, and an address with as many words is not opened at the beginning', async () => {
  const list = Array.from({ length: 330 }, (_, i) => `w${i + 100}`);
  const one = await guessed({ startUrl: `https://shop.example/?q=${list.join('+')}` });
  expect(one.browser.done).toEqual([]);
  const waiting = await one.operate(fill(words(400)));
  const decided = await one.ask(
    'session.decide',
    { operationId: waiting.operation_id, decision: 'approve' },
    'user:owner',
  );
  expect(decided).toMatchObject({ value: { reply: { operation: { status: 'executed' } } } });
});

test('what is refused of a page is told by the id that its record has [vault.sandbox.left]', async () => {
  sandbox.onBrowser = (browser) => {
    Object.assign(browser, {
      screenshot: async () => fail({ code: 'not_permitted', message: 'The page is too large.' }),
      read: async () => fail({ code: 'not_permitted', message: 'The page is too large.' }),
    });
  };
  const one = await sandbox.open();
  for (const ask of [
    () => one.ask('session.screenshot', { fullPage: true }),
    () => one.ask('session.export', { format: 'text' }),
  ]) {
    const refused = await ask();
    const { operationId } = sandbox.records(one.id).at(-1)?.detail ?? {};
    expect(operationId).toMatch(/^[0-9a-f-]{36}$/);
    expect(refused).toMatchObject({ ok: false, error: { code: 'OPERATION_FAILED', operationId } });
  }
});

test('what is told while sessions are open or expected is masked in those of the tenant alone, and recorded once [vault.sandbox.masking.known-meanwhile]', async () => {
  const telling = (one: ReturnType<Sandbox['credential']>, tenantId = 'acme') =>
    sandbox.ask('session.mask', { tenantId, actor: 'user:owner', credential: sealed(one) });
  const openings = (id: string) =>
    sandbox.records(id).filter(({ eventType }) => eventType === 'credential_access').length;
  const one = sandbox.credential('username_password', { username: 'ada', password: 'swordfish-42' });
  const before = await sandbox.open();
  const elsewhere = await sandbox.open({ allowedUrls: ['https://elsewhere.example'] });
  const foreign = await sandbox.open({ tenantId: 'globex' });
  const opening = sandbox.opening({ isExpected: true });
  const { tenantId, sessionId } = opening;
  await sandbox.ask('session.expect', { tenantId, sessionId });
  for (let i = 0; i < 2; i++) expect(await telling(one)).toMatchObject({ ok: true });
  expect(await sandbox.ask('session.open', opening)).toMatchObject({ ok: true });
  const browser = sandbox.browsers.at(-1);
  if (browser === undefined) throw new Error('no browser was opened');
  const late = new OneSession(sandbox, tenantId, sessionId, browser);
  for (const [session, said] of [
    [before, '███'],
    [late, '███'],
    [elsewhere, 'swordfish-42'],
    [foreign, 'swordfish-42'],
  ] as const) {
    session.browser.url = 'https://shop.example/swordfish-42';
    expect((await session.state()).currentUrl).toBe(`https://shop.example/${said}`);
    expect(openings(session.id)).toBe(said === '███' ? 1 : 0);
  }
  const stranger = await telling(one, 'globex');
  expect(stranger).toEqual({ ok: false, error: { code: 'INVALID_COMMAND', field: 'credential' } });
});

test('a session that the enclave does not expect is not opened, and one whose opening cannot be recorded ends [vault.sandbox.masking.known-meanwhile]', async () => {
  const unknown = await sandbox.ask('session.open', sandbox.opening({ isExpected: true }));
  expect(unknown).toMatchObject({ error: { code: 'SANDBOX_UNAVAILABLE' } });
  const session = await sandbox.open();
  const credential = sealed(sandbox.credential('api_key', { key: 'key-of-another-service' }));
  sandbox.isFull = ({ eventType }) => eventType === 'credential_access';
  const told = await sandbox.ask('session.mask', { tenantId: 'acme', actor: 'user:owner', credential });
  expect(told).toMatchObject({ error: { code: 'AUDIT_UNAVAILABLE' } });
  expect((await session.state()).status).toBe('closed');
});

test('a value that takes the version of one whose write failed is masked too, and what is told after a session forgot is not [vault.sandbox.masking.known-meanwhile]', async () => {
  const session = await sandbox.open();
  const id = randomUUID();
  const told = (password: string) => {
    const one = sandbox.credential('username_password', { username: 'ada', password }, 'acme', id);
    return sandbox.ask('session.mask', { tenantId: 'acme', actor: 'user:owner', credential: sealed(one) });
  };
  for (const password of ['swordfish-41', 'swordfish-42'])
    expect(await told(password)).toMatchObject({ ok: true });
  session.browser.url = 'https://shop.example/swordfish-42';
  expect((await session.state()).currentUrl).toBe('https://shop.example/███');
  const acts = { operation_type: 'execute_script', value: "document.title = 'x'" } as const;
  expect((await session.operate(acts)).status).toBe('executed');
  expect(await told('swordfish-43')).toMatchObject({ ok: true });
  session.browser.url = 'https://shop.example/swordfish-43';
  expect((await session.state()).currentUrl).toBe('https://shop.example/swordfish-43');
});

test('a session that is told of more than it can look for ends, and who wrote it is not refused [vault.sandbox.masking.known-meanwhile]', async () => {
  const session = await sandbox.open();
  const tell = (n: number) => {
    const one = sandbox.credential('username_password', { username: 'ada', password: `swordfish-${n}` });
    return sandbox.ask('session.mask', { tenantId: 'acme', actor: 'user:owner', credential: sealed(one) });
  };
  for (let n = 0; n < 100; n++) expect(await tell(n)).toMatchObject({ ok: true });
  expect((await session.state()).status).toBe('active');
  expect(await tell(100)).toMatchObject({ ok: true });
  expect((await session.state()).status).toBe('closed');
});
