import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { done, openSandbox, refused, type Sandbox, state } from './browser-sessions.ts';
import type { Json } from './vault.ts';

let sandbox: Sandbox;
let agent: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  agent = await sandbox.newToken(['credential:use']);
  await sandbox.vault.addUser('dora', 'acme', ['credential:decrypt']);
  await sandbox.vault.addUser('eve', 'acme', ['credential:decrypt']);
});
afterAll(() => sandbox?.stop());
beforeEach(() => {
  const { script } = sandbox.enclave;
  const pending = { status: 'pending_approval' } as const;
  script['session.operate'] = ({ operationId }) => ({ reply: done(operationId, pending) });
  script['session.decide'] = ({ operationId, decision }) => ({
    reply: done(operationId, { status: decision === 'approve' ? 'executed' : 'rejected' }),
  });
});

const fill = { operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' };

/** An operation of an agent that waits: the session's path, its own id, and how it is decided. */
async function waiting(token = agent, credential?: string) {
  const used = credential ?? (await sandbox.newCredential());
  const { id } = await sandbox.newSession({ credential_ids: [used] }, token);
  const path = `/sandbox/sessions/${id}`;
  const asked = await sandbox.ask('POST', `${path}/execute`, { token, body: fill });
  expect(asked).toMatchObject({ status: 200, data: { status: 'pending_approval' } });
  const operation: string = asked.data.operation_id;
  return {
    path,
    operation,
    credential: used,
    decide: (by: string, decision = 'approve') =>
      sandbox.ask('POST', `${path}/approvals/${operation}`, { token: by, body: { decision } }),
    entry: async (): Promise<Json> => (await sandbox.ask('GET', `${path}/operations`)).data.items[0],
  };
}

test('what a person approves runs with the credential as it is then, and the agent finds it in the log [vault.sandbox.approval.decide]', async () => {
  const { path, operation, credential, decide, entry } = await waiting();
  expect((await sandbox.ask('GET', path)).data.pending_approvals).toEqual([operation]);
  const approved = await decide(sandbox.owner);
  expect(approved).toMatchObject({ status: 200, data: { operation_id: operation, status: 'executed' } });
  expect(sandbox.enclave.asked('session.decide').at(-1)).toMatchObject({
    operationId: operation,
    decision: 'approve',
    actor: 'user:alice',
    credential: { binding: { credentialId: credential } },
  });
  expect(await entry()).toMatchObject({ status: 'executed', decided_by: 'user:alice' });
  expect((await sandbox.ask('GET', path)).data.pending_approvals).toEqual([]);
  expect(await decide(sandbox.owner)).toMatchObject(
    refused(400, 'invalid_request', expect.stringContaining('is not waiting for approval')),
  );
});

test('what a person rejects needs no credential any more', async () => {
  const { credential, decide, entry } = await waiting();
  await sandbox.ask('DELETE', `/credentials/${credential}`);
  expect(await decide(sandbox.owner)).toMatchObject(refused(404, 'not_found'));
  expect(await decide(sandbox.owner, 'reject')).toMatchObject({ status: 200, data: { status: 'rejected' } });
  expect(await entry()).toMatchObject({ status: 'rejected', decided_by: 'user:alice' });
});

test('an expired credential is not approved', async () => {
  const expires_at = new Date(sandbox.vault.now().getTime() + 5_000).toISOString();
  const { decide } = await waiting(agent, await sandbox.newCredential({ expires_at }));
  sandbox.vault.advance(5);
  expect(await decide(sandbox.owner)).toMatchObject(refused(422, 'credential_expired'));
});

test('a log-in of the owner or of an admin decides; nobody else, and no generated token of any descent [vault.sandbox.approval.who]', async () => {
  const dora = await sandbox.login('dora');
  const eve = await sandbox.login('eve');
  const doras = await sandbox.newToken(['credential:decrypt'], {}, dora);
  const one = await waiting(doras, await sandbox.newCredential());
  const denied = refused(403, 'insufficient_scope', 'only a person who is logged in can decide');
  const absent = refused(404, 'not_found');
  // The agent itself, another agent of the owner, another user.
  expect(await one.decide(doras)).toMatchObject(denied);
  expect(await one.decide(await sandbox.newToken(['credential:decrypt'], {}, dora))).toMatchObject(absent);
  expect(await one.decide(eve)).toMatchObject(absent);
  expect(await one.decide(dora)).toMatchObject({ status: 200 });
  expect(await one.entry()).toMatchObject({ decided_by: 'user:dora' });
  // Tokens with every scope, of a person, of such a token, and of one made by that.
  const mighty = await sandbox.newToken(['admin']);
  const child = await sandbox.newToken(['admin'], { expires_in: undefined }, mighty);
  const grandchild = await sandbox.newToken(['admin'], { expires_in: undefined }, child);
  const two = await waiting(child);
  expect(await two.decide(child)).toMatchObject(denied);
  for (const other of [mighty, grandchild]) expect(await two.decide(other)).toMatchObject(absent);
  expect(await two.entry()).toMatchObject({ status: 'pending_approval' });
  expect(await two.decide(sandbox.owner, 'reject')).toMatchObject({ status: 200 });
  // A person who asked is a person all the same, and stays one who goes on by a refresh token.
  const { access_token, refresh_token } = (await sandbox.vault.login()).data;
  const three = await waiting(access_token);
  const refreshed = await sandbox.vault.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token } });
  expect(await three.decide(refreshed.data.access_token)).toMatchObject({ status: 200 });
});

test('what does not wait, or is not there, is said to be so', async () => {
  const { path, decide } = await waiting();
  const unknown = (id: string) =>
    sandbox.ask('POST', `${path}/approvals/${id}`, { body: { decision: 'approve' } });
  for (const id of ['x', crypto.randomUUID()])
    expect(await unknown(id)).toMatchObject(refused(404, 'not_found'));
  expect(await decide(sandbox.owner, 'perhaps')).toMatchObject(refused(400, 'invalid_request'));
  sandbox.enclave.script['session.decide'] = () => ({ refusal: { code: 'INVALID_COMMAND' } });
  expect(await decide(sandbox.owner)).toMatchObject(refused(400, 'invalid_request'));
  sandbox.enclave.script['session.decide'] = () => ({ refusal: { code: 'SESSION_NOT_ACTIVE' } });
  sandbox.enclave.script['session.state'] = () => ({
    reply: { session: state({ status: 'closed', closedReason: 'alarm' }) },
  });
  expect(await decide(sandbox.owner)).toMatchObject(
    refused(400, 'invalid_request', expect.stringContaining('over (alarm)')),
  );
});
