import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, left, openSandbox, refused, type Sandbox } from './browser-sessions.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());

const atLogin = {
  origin: 'https://shop.example',
  path: '/session',
  method: 'POST',
  field: 'password',
} as const;
const fill = { operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' };

async function newFill(token = sandbox.owner) {
  const credential = await sandbox.newCredential({ allowed_urls: ['https://shop.example'] });
  const session = await sandbox.newSession({ credential_ids: [credential] }, token);
  const operate = async () => {
    const path = `/sandbox/sessions/${session.id}/execute`;
    const { data } = await sandbox.ask('POST', path, { token, body: fill });
    return { data, told: sandbox.enclave.asked('session.operate').at(-1)?.credential };
  };
  const uses = async () => (await sandbox.ask('GET', `/credentials/${credential}/uses`)).data;
  return { credential, session, operate, uses };
}

test('what the enclave learned is kept at once, listed, told with the next operation, and no more once it is revoked [vault.credential.uses] [vault.credential.uses.revoke]', async () => {
  const { credential, operate, uses } = await newFill();
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({
    reply: { ...done(operationId), learned: atLogin },
  });
  expect((await operate()).told).toMatchObject({ allowedUrls: ['https://shop.example'], uses: [] });
  expect((await operate()).told).toMatchObject({ uses: [atLogin] });
  const listed = await uses();
  expect(listed).toEqual({
    items: [
      { id: expect.any(String), ...atLogin, allowed_by: 'log-in form', created_at: expect.any(String) },
    ],
    total: 1,
  });
  const path = `/credentials/${credential}/uses/${listed.items[0].id}`;
  expect(await sandbox.ask('DELETE', path)).toMatchObject({
    status: 200,
    data: { id: listed.items[0].id, deleted: true },
  });
  expect(await sandbox.ask('DELETE', path)).toMatchObject(refused(404, 'not_found'));
  expect(await sandbox.ask('DELETE', `/credentials/${credential}/uses/x`)).toMatchObject(
    refused(404, 'not_found'),
  );
  expect((await operate()).told).toMatchObject({ uses: [] });
});

test('of a person’s agreement the list says who; places go with their credential [vault.credential.uses]', async () => {
  const { credential, session, operate, uses } = await newFill();
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({
    reply: done(operationId, { status: 'pending_approval' }),
  });
  const { data } = await operate();
  sandbox.enclave.script['session.decide'] = ({ operationId }) => ({
    reply: { ...done(operationId), learned: atLogin },
  });
  const decided = await sandbox.ask(
    'POST',
    `/sandbox/sessions/${session.id}/approvals/${data.operation_id}`,
    { body: { decision: 'approve' } },
  );
  expect(decided).toMatchObject({ status: 200 });
  expect((await uses()).items).toMatchObject([{ ...atLogin, allowed_by: 'user:alice' }]);
  await sandbox.ask('DELETE', `/credentials/${credential}`);
  expect(await sandbox.ask('GET', `/credentials/${credential}/uses`)).toMatchObject(
    refused(404, 'not_found'),
  );
});

test('the owner names and revokes addresses of a credential; it holds at the next operation [vault.credential.allowed-urls.change]', async () => {
  const { credential, operate } = await newFill();
  const patch = (allowed_urls: unknown) =>
    sandbox.ask('PATCH', `/credentials/${credential}`, { body: { allowed_urls } });
  expect(await patch(['HTTPS://Bank.example/*'])).toMatchObject({
    status: 200,
    data: { id: credential, allowed_urls: ['https://bank.example'] },
  });
  expect((await operate()).told).toMatchObject({ allowedUrls: ['https://bank.example'] });
  expect(await patch(['shop.example'])).toMatchObject(refused(400, 'invalid_request'));
  expect(await patch([])).toMatchObject({ data: { allowed_urls: [] } });
});

const record = (credentialId: string, eventType: string, detail: object, actor = 'user:alice') => ({
  draft: { tenantId: 'acme', credentialId, eventType, actor, detail },
});

test('addresses that are named and places that are revoked leave a record of who did it [vault.audit.event.credential-updated] [vault.audit.event.credential-use-revoked]', async () => {
  const { credential, operate, uses } = await newFill();
  const recorded = () =>
    sandbox.enclave.asked('vault.record').filter(({ draft }) => draft.credentialId === credential);
  const body = { allowed_urls: ['https://bank.example', 'https://shop.example/account/*'] };
  await sandbox.ask('PATCH', `/credentials/${credential}`, { body });
  const allowedUrls = { added: body.allowed_urls, removed: ['https://shop.example'] };
  expect(recorded()[1]).toEqual(record(credential, 'credential_updated', { allowedUrls }));
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({
    reply: { ...done(operationId), learned: atLogin },
  });
  await operate();
  const token = await sandbox.newToken(['credential:write']);
  const { id } = (await uses()).items[0];
  await sandbox.ask('DELETE', `/credentials/${credential}/uses/${id}`, { token });
  const by = expect.stringMatching(/^user:alice token:/) as string;
  expect(recorded()[2]).toEqual(record(credential, 'credential_use_revoked', atLogin, by));
});

test('a credential that is kept and deleted leaves a record of each, by whom [vault.audit.event.credential-created] [vault.audit.event.credential-deleted]', async () => {
  const token = await sandbox.newToken(['credential:write']);
  const by = expect.stringMatching(/^user:alice token:/) as string;
  const allowed_urls = ['https://shop.example'];
  const id = await sandbox.newCredential({ allowed_urls }, token);
  const path = `/credentials/${id}`;
  const gone = await Promise.all([1, 2, 3].map(() => sandbox.ask('DELETE', path)));
  expect(gone.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
  const named = { serviceId: 'shop', type: 'username_password', version: 1, fingerprint: 'f' };
  const recorded = sandbox.enclave.asked('vault.record').filter(({ draft }) => draft.credentialId === id);
  expect(recorded).toEqual([
    record(id, 'credential_created', { ...named, allowedUrls: allowed_urls }, by),
    record(id, 'credential_deleted', named),
  ]);
});

test('what cannot be recorded is neither kept nor deleted [vault.audit.event.credential-created] [vault.audit.event.credential-deleted]', async () => {
  const id = await sandbox.newCredential();
  const count = async () => (await sandbox.ask('GET', '/credentials')).data.total as number;
  const before = await count();
  const body = {
    service_id: 'shop',
    credential_type: 'username_password',
    plaintext_data: { username: 'u', password: 'p' },
  };
  sandbox.enclave.script['vault.record'] = () => ({ refusal: { code: 'AUDIT_UNAVAILABLE' } });
  expect(await sandbox.ask('POST', '/credentials', { body })).toMatchObject(refused(500, 'internal_error'));
  expect(await sandbox.ask('DELETE', `/credentials/${id}`)).toMatchObject(refused(500, 'internal_error'));
  sandbox.enclave.script['vault.record'] = () => ({ refusal: { code: 'INVALID_COMMAND' } });
  expect(await sandbox.ask('POST', '/credentials', { body })).toMatchObject(refused(400, 'invalid_request'));
  delete sandbox.enclave.script['vault.record'];
  expect(await count()).toBe(before);
});

test('what cannot be recorded is not changed [vault.audit.event.credential-updated] [vault.audit.event.credential-use-revoked]', async () => {
  const { credential, operate, uses } = await newFill();
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({
    reply: { ...done(operationId), learned: atLogin },
  });
  await operate();
  const before = await uses();
  const patch = () => sandbox.ask('PATCH', `/credentials/${credential}`, { body: { allowed_urls: [] } });
  sandbox.enclave.script['vault.record'] = () => ({ refusal: { code: 'AUDIT_UNAVAILABLE' } });
  expect(await patch()).toMatchObject(refused(500, 'internal_error'));
  const path = `/credentials/${credential}/uses/${before.items[0].id}`;
  expect(await sandbox.ask('DELETE', path)).toMatchObject(refused(500, 'internal_error'));
  sandbox.enclave.script['vault.record'] = () => ({ refusal: { code: 'INVALID_COMMAND' } });
  expect(await patch()).toMatchObject(
    refused(400, 'invalid_request', expect.stringContaining('make it in several steps')),
  );
  delete sandbox.enclave.script['vault.record'];
  expect(await uses()).toEqual(before);
  expect((await sandbox.ask('GET', `/credentials/${credential}`)).data.allowed_urls).toEqual([
    'https://shop.example',
  ]);
});

test('no generated token says where a credential may be used, whatever its scopes [vault.credential.addresses.person]', async () => {
  const { credential } = await newFill();
  const token = await sandbox.newToken(['admin', 'credential:write', 'credential:use']);
  const body = { allowed_urls: ['https://elsewhere.example'] };
  expect(await sandbox.ask('PATCH', `/credentials/${credential}`, { token, body })).toMatchObject(
    refused(403, 'insufficient_scope'),
  );
});

test('a token without the scope neither lists nor revokes; another tenant’s credential is none [vault.credential.uses]', async () => {
  const { credential } = await newFill();
  const reader = await sandbox.newToken(['audit:read']);
  const path = `/credentials/${credential}/uses`;
  expect(await sandbox.ask('GET', path, { token: reader })).toMatchObject(refused(403, 'insufficient_scope'));
  const writer = await sandbox.newToken(['credential:read']);
  const one = `${path}/${credential}`;
  expect(await sandbox.ask('DELETE', one, { token: writer })).toMatchObject(
    refused(403, 'insufficient_scope'),
  );
  expect(await sandbox.ask('GET', '/credentials/00000000-0000-4000-8000-000000000000/uses')).toMatchObject(
    refused(404, 'not_found'),
  );
});

test('what waits is shown to the log-ins of people alone, with place and picture [vault.sandbox.approval.look]', async () => {
  const agent = await sandbox.newToken(['credential:use']);
  const { session, operate } = await newFill(agent);
  sandbox.enclave.script['session.operate'] = ({ operationId }) => ({
    reply: done(operationId, { status: 'pending_approval' }),
  });
  sandbox.enclave.script['session.approval'] = () => ({
    reply: {
      place: atLogin,
      secrets: [{ credentialId: session.id, field: 'password', place: atLogin }],
      left: left('approval_picture', 3),
    },
    body: Buffer.from('PNG'),
  });
  const { data } = await operate();
  const path = `/sandbox/sessions/${session.id}/approvals/${data.operation_id}`;
  expect(await sandbox.ask('GET', path)).toMatchObject({
    status: 200,
    data: {
      operation_id: data.operation_id,
      operation: { type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' },
      review: { verdict: 'allow' },
      place: atLogin,
      secrets: [{ credential_id: session.id, field: 'password', place: atLogin }],
      image: Buffer.from('PNG').toString('base64'),
      left: left('approval_picture', 3),
      requested_at: expect.any(String),
    },
  });
  expect(await sandbox.ask('GET', path, { token: agent })).toMatchObject(refused(403, 'insufficient_scope'));
  // To other tokens there is no such session.
  const token = await sandbox.newToken(['admin', 'credential:decrypt', 'credential:read']);
  expect(await sandbox.ask('GET', path, { token })).toMatchObject(refused(404, 'not_found'));
  const absent = `/sandbox/sessions/${session.id}/approvals/${session.id}`;
  expect(await sandbox.ask('GET', absent)).toMatchObject(refused(404, 'not_found'));
});
