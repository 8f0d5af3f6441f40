import { randomUUID } from 'node:crypto';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { fail } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillPassword, login, type OneSession, passwordField, Sandbox } from '../../../test/sandbox.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.start();
});
afterEach(() => sandbox.stop());

type Stored = NonNullable<CommandRequest<'session.operate'>['credential']>;

const atLogin = {
  origin: 'https://shop.example',
  path: '/session',
  method: 'POST',
  field: 'password',
} as const;

/** What the enclave answers to a fill of the password. */
const fill = (session: OneSession, credential: Stored) => ask(session, fillPassword, credential);

async function ask(session: OneSession, operation: Operation, credential: Stored) {
  const given = { operationId: randomUUID(), operation, credential };
  const answer = await session.ask('session.operate', given);
  if (!answer.ok) throw new Error(answer.error.code);
  const { operation: done, learned } = answer.value.reply;
  return { ...done, learned, asked: done.review.rules.map(({ rule }) => rule) };
}

const approve = (session: OneSession, operationId: string, credential: Stored) =>
  session.ask('session.decide', { operationId, decision: 'approve', credential }, 'user:owner');

/** What the log tells of this kind, without its outer members. */
const recorded = (session: OneSession, kind: string) =>
  sandbox
    .records(session.id)
    .filter(({ eventType }) => eventType === kind)
    .map(({ actor, credentialId, detail }) => ({ actor, ...(credentialId && { credentialId }), detail }));

async function sessionWith(stored: Stored) {
  const { credentialId, type } = stored.binding;
  const named = { credentialId, type, allowedUrls: stored.allowedUrls, fillMode: 'network' as const };
  const session = await sandbox.open({ credentials: [named] });
  session.browser.target = passwordField;
  return session;
}

test('a log-in form as its server made it is allowed without a question, and learned as a place [vault.review.place.login-form]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const session = await sessionWith(stored);
  expect(await fill(session, stored)).toMatchObject({ status: 'executed', learned: atLogin });
  // The vault tells it with the next one.
  const known = await fill(session, { ...stored, uses: [atLogin] });
  expect(known).toMatchObject({ status: 'executed', learned: undefined });
});

test('a place that is learned leaves a record of who allowed it, and none where it was known [vault.audit.event.credential-use-allowed]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const { credentialId } = stored.binding;
  const session = await sessionWith(stored);
  const first = await fill(session, stored);
  await fill(session, { ...stored, uses: [atLogin] });
  session.browser.touched = true;
  const asked = await fill(session, stored);
  await approve(session, asked.operation_id, stored);
  expect(recorded(session, 'credential_use_allowed')).toEqual([
    {
      actor: 'token:agent',
      credentialId,
      detail: { operationId: first.operation_id, ...atLogin, allowedBy: 'log-in form' },
    },
    {
      actor: 'user:owner',
      credentialId,
      detail: { operationId: asked.operation_id, ...atLogin, allowedBy: 'user:owner' },
    },
  ]);
});

test('of a page the agent had a hand in a person is asked once; what was agreed to is learned for other sessions [vault.review.place.touched] [vault.review.place.remembered]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const session = await sessionWith(stored);
  session.browser.touched = true;
  const asked = await fill(session, stored);
  expect(asked).toMatchObject({
    status: 'pending_approval',
    asked: ['credential.new-place'],
    learned: undefined,
  });
  expect(await approve(session, asked.operation_id, stored)).toMatchObject({
    value: { reply: { operation: { status: 'executed' }, learned: atLogin } },
  });
  const later = await sessionWith(stored);
  later.browser.touched = true;
  expect(await fill(later, { ...stored, uses: [atLogin] })).toMatchObject({ status: 'executed' });
});

const php = 'https://shop.example/index.php';
const app = 'https://shop.example/app';

test.each([
  [`${php}?page=confirm&t=81723`, `${php}?t=5512&page=confirm`, `${php}?page=share`],
  [`${php}?r=user/confirm`, `${php}?r=user/confirm&lang=de`, `${php}?r=note/new`],
  [`${app}#/confirm`, `${app}#/confirm`, `${app}#/notes/new`],
  [`${php}?page=confirm`, `${php}?page=confirm%20`, `${php}?page=share2024`],
  [`${php}?t=1`, `${php}?t=2`, `${php}?%20page=share%20`],
  [`${php}?t=1`, `${php}?t=2`, `${php}?t=${'1'.repeat(8200)}&page=share`],
  [`${app}#7`, `${app}#8`, `${app}#share`],
])(
  'different queries or fragments are different places; the number of a log or a question is none: case %# [vault.review.place.remembered]',
  async (first, same, other) => {
    const { stored } = sandbox.credential('username_password', login);
    const at = async (action: string) => {
      const frameUrl = action.startsWith(php) ? `${app}/x` : action;
      const session = await sessionWith(stored);
      session.browser.touched = action !== frameUrl;
      const method = action === frameUrl ? ('UNSAID' as const) : ('POST' as const);
      const titles = ['Set a password for this file'];
      const fields = passwordField.form.fields.slice(1);
      session.browser.target = { ...passwordField, frameUrl, titles, form: { action, method, fields } };
      return session;
    };
    const session = await at(first);
    const asked = await fill(session, stored);
    expect(asked).toMatchObject({ status: 'pending_approval' });
    const agreed = await approve(session, asked.operation_id, stored);
    const learned = agreed.ok ? agreed.value.reply.learned : undefined;
    const known = { ...stored, uses: learned === undefined ? [] : [learned] };
    expect(await fill(await at(same), known)).toMatchObject({ status: 'executed' });
    expect(await fill(await at(other), known)).toMatchObject({ asked: ['credential.new-place'] });
  },
);

test('a credential without addresses goes nowhere without a question, and then only where a person agreed [vault.review.place.unbound]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const unbound = { ...stored, allowedUrls: [] };
  const session = await sessionWith(unbound);
  const asked = await fill(session, unbound);
  expect(asked).toMatchObject({ status: 'pending_approval', asked: ['credential.unbound'] });
  expect(session.browser.done).toEqual([]);
  expect(await approve(session, asked.operation_id, unbound)).toMatchObject({
    value: { reply: { operation: { status: 'executed' }, learned: atLogin } },
  });
  expect(await fill(session, { ...unbound, uses: [atLogin] })).toMatchObject({ status: 'executed' });
});

test('an identity credential is presented where a person agreed once; later sessions ask nobody again [vault.review.identity.place]', async () => {
  const plaintext = { credential_json: { type: 'VerifiableCredential' }, did: 'did:key:z6Mk' };
  const { stored } = sandbox.credential('identity_credential', plaintext);
  const value = `const r = await fetch('/verify', {method: 'POST', body: JSON.stringify({vp: {{CREDENTIAL.credential_json}}})}); return r.status`;
  const operation = { operation_type: 'execute_script', value } as const;
  const place = { origin: 'https://shop.example', path: '/verify', method: 'POST', field: 'vp' } as const;
  const session = await sessionWith(stored);
  session.browser.url = 'https://shop.example/verify';
  const asked = await ask(session, operation, stored);
  expect(asked).toMatchObject({ status: 'pending_approval', asked: ['credential.new-place'] });
  expect(session.told()).not.toContain('credential_access');
  expect(
    await session.ask('session.approval', { operationId: asked.operation_id }, 'user:owner'),
  ).toMatchObject({ value: { reply: { place } } });
  expect(await approve(session, asked.operation_id, stored)).toMatchObject({
    value: { reply: { operation: { status: 'executed' }, learned: place } },
  });
  for (const again of [session, await sessionWith(stored)]) {
    again.browser.url = 'https://shop.example/verify';
    expect(await ask(again, operation, { ...stored, uses: [place] })).toMatchObject({
      status: 'executed',
      learned: undefined,
    });
  }
});

test('what an identity credential was typed into without a question is no place to present it [vault.review.identity.place]', async () => {
  const plaintext = { credential_json: { type: 'VerifiableCredential' }, did: 'did:key:z6Mk' };
  const { stored } = sandbox.credential('identity_credential', plaintext);
  const session = await sessionWith(stored);
  const action = 'https://shop.example/profile/save';
  const names = ['About me'];
  session.browser.target = {
    ...passwordField,
    type: 'text',
    field: 'about',
    autocomplete: '',
    names,
    form: {
      action,
      method: 'POST',
      fields: [{ tag: 'input', type: 'text', autocomplete: '', names, visible: true }],
    },
  };
  const value = '{{CREDENTIAL.credential_json}}';
  expect(await ask(session, { ...fillPassword, value }, stored)).toMatchObject({
    status: 'executed',
    learned: undefined,
  });
});

test('what was revoked since the session was opened is asked about, or refused, at the next operation [vault.credential.uses.revoke]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const session = await sessionWith({ ...stored, uses: [atLogin] });
  session.browser.touched = true;
  expect(await fill(session, { ...stored, uses: [atLogin] })).toMatchObject({ status: 'executed' });
  expect(await fill(session, stored)).toMatchObject({ asked: ['credential.new-place'] });
  const moved = { ...stored, allowedUrls: ['https://bank.example'], uses: [atLogin] };
  expect((await fill(session, moved)).asked).toContain('credential.page');
});

test('what waits is shown to people with the page as it was and the place, until it is decided [vault.sandbox.approval.look]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const session = await sessionWith({ ...stored, allowedUrls: [] });
  const { operation_id: operationId } = await fill(session, { ...stored, allowedUrls: [] });
  const look = () => session.ask('session.approval', { operationId }, 'user:owner');
  const shown = await look();
  expect(shown).toMatchObject({ value: { reply: { place: atLogin } } });
  expect(shown.ok && shown.value.body.toString()).toBe('PNG with lines');
  await session.ask('session.decide', { operationId, decision: 'reject' }, 'user:owner');
  expect(await look()).toEqual(fail({ code: 'INVALID_COMMAND', field: 'operationId' }));
});

test('each person who looks at what waits leaves one record, and sees nothing where that cannot be written [vault.audit.event.human-approval-opened]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const session = await sessionWith({ ...stored, allowedUrls: [] });
  const { operation_id: operationId } = await fill(session, { ...stored, allowedUrls: [] });
  const look = (actor: string) => session.ask('session.approval', { operationId }, actor);
  sandbox.isDiskFull = true;
  expect(await look('user:owner')).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  sandbox.isDiskFull = false;
  for (const actor of ['user:owner', 'user:owner', 'user:admin'])
    expect(await look(actor)).toMatchObject({ value: { reply: { place: atLogin } } });
  const detail = { operationId, picture: true };
  expect(recorded(session, 'human_approval_opened')).toEqual([
    { actor: 'user:owner', detail },
    { actor: 'user:admin', detail },
  ]);
});

test('where the password alone is asked for after it was sent, a person is asked once, though one logged in there [vault.review.place.login-form] [vault.review.replay]', async () => {
  const { stored } = sandbox.credential('username_password', login);
  const session = await sessionWith(stored);
  const alone = {
    ...passwordField,
    form: { ...passwordField.form, fields: [passwordField.form.fields[1]] },
  };
  session.browser.target = alone;
  const [asLogin, agreed] = [{ ...atLogin, as_login: true }, atLogin];
  expect(await fill(session, stored)).toMatchObject({ status: 'executed', learned: atLogin });
  expect(await fill(session, { ...stored, uses: [asLogin] })).toMatchObject({ status: 'executed' });
  session.browser.isSending = true;
  expect(await ask(session, { ...fillPassword, value: '{{CREDENTIAL.username}}' }, stored)).toMatchObject({
    status: 'executed',
  });
  expect(await fill(session, stored)).toMatchObject({ status: 'executed' });
  const asked = await fill(session, { ...stored, uses: [asLogin] });
  expect(asked).toMatchObject({ status: 'pending_approval', asked: ['credential.new-place'] });
  expect(await approve(session, asked.operation_id, stored)).toMatchObject({
    value: { reply: { learned: atLogin } },
  });
  expect(await fill(session, { ...stored, uses: [agreed] })).toMatchObject({ status: 'executed' });
  session.browser.target = passwordField;
  expect(await fill(session, stored)).toMatchObject({ status: 'executed' });
});
