import { randomUUID } from 'node:crypto';
import type { Binding, CommandRequest } from '@countersign/protocol/enclave/commands';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket();
});
afterAll(() => core.stop());

const bindingOf = (about: Partial<Binding> = {}): Binding => ({
  tenantId: 'acme',
  credentialId: randomUUID(),
  serviceId: 'github',
  type: 'username_password',
  version: 1,
  ...about,
});
const secret = Buffer.from('{"username":"ada","password":"correct horse"}');

async function sealed(binding: Binding, plaintext = secret): Promise<CommandRequest<'open'>> {
  const answer = await core.client.call('seal', { binding, sealed: false }, plaintext);
  if (!answer.ok) throw new Error(answer.error.code);
  return { binding, envelope: answer.value.reply.envelope, actor: 'user:ada', reason: 'to sign in' };
}

test('what was sealed opens, after a record of it', async () => {
  const request = await sealed(bindingOf());
  const opened = await core.client.call('open', request);
  expect(opened.ok && opened.value.body).toEqual(secret);

  const { tenantId, credentialId } = request.binding;
  const records = await core.client.call('audit.query', {
    filter: { tenantId, credentialId },
    limit: 10,
    offset: 0,
  });
  expect(records.ok && records.value.reply.items).toMatchObject([
    {
      auditId: opened.ok && opened.value.reply.auditId,
      eventType: 'credential_access',
      actor: 'user:ada',
      detail: { reason: 'to sign in', serviceId: 'github', type: 'username_password' },
      tee: { kind: 'simulated', trust: 'simulated' },
    },
  ]);
});

test('it describes itself, and gives the key of tokens', async () => {
  const described = await core.client.call('describe', {});
  expect(described.ok && described.value.reply).toMatchObject({ tee: { trust: 'simulated' } });
  const tokenKey = await core.client.call('tokenKey', {});
  expect(tokenKey.ok && tokenKey.value.body.length).toBe(32);
});
