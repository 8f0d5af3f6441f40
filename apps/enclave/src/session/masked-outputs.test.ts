import { ok } from '@countersign/protocol/result';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillPassword, login, type OneSession, passwordField, Sandbox } from '../../test/sandbox.ts';

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

test('no answer, event, export or record holds a secret that was used [vault.sandbox.masking.outputs] [vault.audit.record.no-plaintext]', async () => {
  const start = await sandbox.ask('session.events', { after: 0, waitMs: 0 });
  const cursor = start.ok ? start.value.reply.cursor : 0;
  const seen: unknown[] = [];
  for (const spelling of spellings) {
    session.browser.url = `https://shop.example/${encodeURIComponent(spelling)}?q=${spelling}`;
    session.browser.result = ok({ [spelling]: [spelling] });
    seen.push(await session.operate(extract));
    session.browser.result = {
      ok: false,
      error: { code: 'script_failed', message: `Failed: ${spelling}` },
    };
    seen.push(await session.operate(extract), await session.state());
    const [half, rest] = [spelling.slice(0, 9), spelling.slice(9)];
    session.browser.data = {
      url: session.browser.url,
      title: spelling,
      text: `Hello ${spelling}\nBye`,
      tables: [
        {
          rows: [
            [spelling, 'a'],
            [half, rest],
          ],
        },
      ],
    };
    for (const format of ['json', 'csv', 'text'] as const) {
      const exported = await session.ask('session.export', { format });
      seen.push(exported.ok ? exported.value.body.toString() : exported);
    }
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
  expect(sandbox.records(session.id).at(-1)?.detail).toMatchObject({
    operationType: 'export',
    format: 'text',
  });
});

test('an export of a great deal needs a task that names it', async () => {
  const answers: boolean[] = [];
  for (const task of ['Read the newest order', 'Export all orders']) {
    const one = await sandbox.open({ task });
    one.browser.reading = { nodes: 10_000, characters: 10 };
    answers.push((await one.ask('session.export', { format: 'csv' })).ok);
    expect(one.told().at(-1)).toBe(answers.at(-1) === true ? 'sandbox_operation intent' : 'policy_rejected');
  }
  expect(answers).toEqual([false, true]);
});

test('a picture is recorded; frames of the live view once, when somebody begins to watch', async () => {
  const frame = () => session.ask('session.screenshot', { fullPage: false, isFrame: true }, 'user:owner');
  const picture = await session.ask('session.screenshot', { fullPage: true, isFrame: false });
  const [, last] = [picture, sandbox.records(session.id).at(-1)];
  expect(picture).toMatchObject({ value: { reply: { auditId: last?.auditId, width: 800 } } });
  for (let i = 0; i < 5; i++) expect(await frame()).toMatchObject({ ok: true });
  sandbox.clock.pass(61_000);
  await frame();
  const watched = sandbox.records(session.id).filter(({ detail }) => detail['operationType'] === 'watch');
  expect(watched).toHaveLength(2);
});
