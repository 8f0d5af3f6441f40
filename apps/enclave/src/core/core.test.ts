import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';
import { bindingOf, login, opened, sealed } from '../../test/credentials.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket();
});
afterAll(() => core.stop());

const query = async (tenantId: string, credentialId: string) => {
  const filter = { tenantId, credentialId };
  const answer = await core.client.call('audit.query', { filter, limit: 10, offset: 0 });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply;
};

test('what was sealed opens, after a record of it [vault.audit.event.credential-access]', async () => {
  const request = await sealed(core.client);
  const answer = await core.client.call('open', { ...request, agentDid: 'did:key:z6Mk' });
  expect(answer.ok && answer.value.body).toEqual(login);

  const { tenantId, credentialId } = request.binding;
  expect(await query(tenantId, credentialId)).toMatchObject({
    total: 1,
    items: [
      {
        auditId: answer.ok && answer.value.reply.auditId,
        eventType: 'credential_access',
        actor: 'user:ada',
        agentDid: 'did:key:z6Mk',
        detail: { reason: 'to sign in', serviceId: 'github', type: 'username_password', sealed: false },
        tee: { kind: 'simulated', trust: 'simulated' },
      },
    ],
  });
});

test('what does not open leaves no record, and what cannot be recorded does not open', async () => {
  const request = await sealed(core.client);
  const { tenantId, credentialId } = request.binding;
  const elsewhere = { ...request, binding: { ...request.binding, serviceId: 'gitlab' } };
  expect(await opened(core.client, elsewhere)).toBe('CANNOT_DECRYPT');
  expect(await opened(core.client, { ...request, actor: 'a\nb' })).toBe('INVALID_COMMAND');
  expect((await query(tenantId, credentialId)).total).toBe(0);
});

test('roots change: what the older ones sealed opens, is wrapped anew without plaintext, and opens when they are gone', async () => {
  const own = await startOnSocket();
  const request = await sealed(own.client);
  expect(await own.client.call('rotateRoot', {})).toMatchObject({ value: { reply: { root: 2 } } });
  expect(await opened(own.client, request)).toBe(login.toString());

  const { binding, envelope } = request;
  const rewrapped = await own.client.call('rewrap', { binding, envelope });
  if (!rewrapped.ok) throw new Error(rewrapped.error.code);
  expect(rewrapped.value.body.length).toBe(0);
  expect(rewrapped.value.reply.envelope).toMatchObject({ root: 2 });
  expect(await own.client.call('retireRoots', {})).toMatchObject({ value: { reply: { root: 2 } } });
  expect(await opened(own.client, request)).toBe('CANNOT_DECRYPT');
  expect(await opened(own.client, { ...request, envelope: rewrapped.value.reply.envelope })).toBe(
    login.toString(),
  );
  await own.stop();
});

test('roots that are asked for at once are different ones, and what is sealed meanwhile opens', async () => {
  const own = await startOnSocket();
  const [requests, roots] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => sealed(own.client))),
    Promise.all(Array.from({ length: 5 }, () => own.client.call('rotateRoot', {}))),
  ]);
  expect(roots.map((answer) => answer.ok && answer.value.reply.root)).toEqual([2, 3, 4, 5, 6]);
  for (const request of requests) expect(await opened(own.client, request)).toBe(login.toString());
  await own.stop();
});

test('two openings of one credential, and two sealings of one plaintext, share no key, nonce or byte [vault.keys.per-use]', async () => {
  const binding = bindingOf();
  const [one, two] = [await sealed(core.client, { binding }), await sealed(core.client, { binding })];
  expect(one.envelope.salt).not.toBe(two.envelope.salt);
  expect(one.envelope.nonce).not.toBe(two.envelope.nonce);
  expect(one.envelope.ciphertext).not.toBe(two.envelope.ciphertext);
});

test('a fingerprint tells the plaintext of one credential, and equal ones of two not [vault.credential.fingerprint]', async () => {
  const binding = bindingOf();
  const print = async (about: Partial<typeof binding> = {}, plaintext = login) => {
    const request = { binding: { ...binding, ...about }, sealed: false };
    const answer = await core.client.call('seal', request, plaintext);
    return answer.ok ? answer.value.reply.fingerprint : answer.error.code;
  };
  const own = await print();
  expect(own).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  expect(await print()).toBe(own);
  expect(await print({ credentialId: bindingOf().credentialId })).not.toBe(own);
  expect(await print({ tenantId: 'globex' })).not.toBe(own);
  expect(await print({}, Buffer.from('{"username":"ada","password":"other"}'))).not.toBe(own);
});

test('the key of tokens stays the same, whatever becomes of the roots', async () => {
  const tokenKey = async () => {
    const answer = await core.client.call('tokenKey', {});
    return answer.ok ? answer.value.body.toString('hex') : '';
  };
  const before = await tokenKey();
  expect(before).toHaveLength(64);
  await core.client.call('rotateRoot', {});
  expect(await tokenKey()).toBe(before);
});

test('keys of tokens come one after the other, the older ones count until they are revoked, and all of it lasts [vault.keys.rotate-token-key]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'enclave-'));
  const keysOf = async ({ client }: RunningCore) => {
    const answer = await client.call('tokenKey', {});
    const body = answer.ok ? answer.value.body.toString('hex') : '';
    return body.match(/.{64}/g) ?? [];
  };
  const webhookId = '6f1c3f0e-8f0a-4b3a-9a3e-0d7f5f6f1a11';
  const webhookKeyOf = async ({ client }: RunningCore) => {
    const answer = await client.call('control.webhookKey', { tenantId: 'acme', webhookId, generation: 1 });
    return answer.ok && answer.value.body.toString('hex');
  };
  const own = await startOnSocket({ dir });
  const [first] = await keysOf(own);
  const webhookKey = await webhookKeyOf(own);
  await own.client.call('rotateTokenKey', { revoke: false });
  const both = await keysOf(own);
  expect(both).toEqual([expect.not.stringMatching(first ?? ''), first]);
  await own.stop();

  const again = await startOnSocket({ dir });
  expect(await keysOf(again)).toEqual(both);
  expect(await again.client.call('rotateTokenKey', { revoke: true })).toMatchObject({
    value: { reply: { keys: 1 } },
  });
  expect(await keysOf(again)).toHaveLength(1);
  expect(both).not.toContain((await keysOf(again))[0]);
  expect(webhookKey).toMatch(/^[0-9a-f]{64}$/);
  expect(await webhookKeyOf(again)).toBe(webhookKey);
  await again.stop();
  rmSync(dir, { recursive: true });
});
