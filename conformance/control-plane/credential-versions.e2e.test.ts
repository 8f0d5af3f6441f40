import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connectControlPlane } from '@countersign/sdk/control-plane';
import { unwrap } from '@countersign/sdk/unwrap';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startTarget } from './fixtures/target.ts';

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
let policy_id = '';
beforeAll(async () => {
  [control, target] = await Promise.all([joinControlPlane(), startTarget()]);
  const policy = { name: 'all', cedar: 'permit(principal, action, resource);' };
  policy_id = (await control.admin('POST', '/v1/policies', policy)).data.policy_id;
});
afterAll(async () => {
  target?.release();
  await control?.stop();
  await target?.stop();
});

const secret = () => `sk_${randomBytes(16).toString('hex')}`;
const newCredential = async (value: string, more: object = {}): Promise<string> => {
  const about = { namespace: 'billing', label: randomUUID(), type: 'api_key', sensitivity: 3, ...more };
  return (await control.admin('POST', '/v1/vault/credentials', { ...about, value })).data.credential_id;
};
const at = (id: string) => `/v1/vault/credentials/${id}`;
const put = (id: string, body: object) => control.admin('PUT', `${at(id)}/value`, body);
const read = (path: string) => control.ask('GET', path, { key: control.keys.service });

/** A service of its own that wants the credential: its name. */
async function newService(credential_id: string): Promise<string> {
  const service = randomUUID();
  const definition = {
    ...target.definition,
    components: { securitySchemes: { ours: { type: 'http', scheme: 'bearer' } } },
  };
  const connector = { service, type: 'http', credential_id, definition };
  expect(await control.admin('POST', '/v1/connectors', connector)).toMatchObject({ status: 201 });
  return service;
}
const run = (service: string, more: object = {}) =>
  control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers: { 'idempotency-key': randomUUID() },
    body: { policy_id, user_id: 'ann', service, action: 'pay', params: {}, ...more },
  });
const shown = () => target.received.at(-1)?.headers['authorization'];
const recordsOf = async (id: string) => (await read(`/v1/audit/records?credentialId=${id}`)).data.items;

test('a new value takes the place of the old one, is recorded, and what runs ends on what it began with [control-plane.credential.put-value]', async () => {
  const [old, next] = [secret(), secret()];
  const id = await newCredential(old, { rotation_policy: { type: 'scheduled', interval_days: 30 } });
  const service = await newService(id);
  const before = (await read(at(id))).data;
  expect(before).toMatchObject({ version: 1, value_at: before.created_at });
  const running = await run(service, { action: 'hold', mode: 'async' });
  await target.got('/held', 1);
  const { status, data } = await put(id, { value: next });
  expect(status).toBe(200);
  expect(data).toMatchObject({ credential_id: id, version: 2 });
  expect(data.fingerprint).not.toBe(before.fingerprint);
  expect(Date.parse(data.rotation_due_at) - Date.parse(data.value_at)).toBe(30 * 86_400_000);
  expect((await read(at(id))).data).toEqual(data);
  expect(await run(service)).toMatchObject({ data: { status: 'completed' } });
  expect(shown()).toBe(`Bearer ${next}`);
  target.release();
  const path = `/v1/executions/${running.data.execution_id}`;
  await expect.poll(async () => (await read(path)).data.status).toBe('completed');
  const held = target.received.find((one) => one.path === '/held');
  expect(held?.headers['authorization']).toBe(`Bearer ${old}`);
  const [record] = (await recordsOf(id)).filter(
    ({ eventType }: { eventType: string }) => eventType === 'credential_updated',
  );
  expect(record).toMatchObject({
    detail: { version: 2, fingerprint: data.fingerprint, before: before.fingerprint, because: 'put' },
  });
  const records = JSON.stringify(await recordsOf(id));
  for (const value of [old, next]) expect(records).not.toContain(value);
});

test('twenty values at once, at two processes, are twenty versions one after the other [control-plane.credential.put-value]', async () => {
  const other = await control.startAnother();
  const id = await newCredential(secret());
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, each) =>
      control.ask('PUT', `${at(id)}/value`, {
        key: control.keys.admin,
        certified: true,
        body: { value: secret() },
        ...(each % 2 === 0 && { url: other.url }),
      }),
    ),
  );
  expect(answers.map(({ data }) => data.version).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, each) => each + 2),
  );
  const last = answers.find(({ data }) => data.version === 21)?.data;
  expect((await read(at(id))).data).toEqual(last);
  await other.stop();
});

test('the SDK seals a new value: the control plane never sees it [control-plane.credential.put-value]', async () => {
  const login = JSON.stringify({ username: 'ann', password: 'first' });
  const id = await newCredential(login, { type: 'username_password' });
  const service = await newService(id);
  const { ca, keys, url, card } = control;
  const pem = (path = '') => readFileSync(path, 'utf8');
  const files = card.controlPlaneClientCert;
  const certificate = { cert: pem(files?.cert), key: pem(files?.key) };
  const admin = connectControlPlane({
    url: url.href,
    key: keys.admin,
    ca,
    certificate,
    trust: { simulated: true },
  });
  onTestFinished(() => admin.close());
  const value = JSON.stringify({ username: 'ann', password: 'second' });
  expect(await unwrap(admin.putCredentialValue({ params: { id }, body: { value } }))).toMatchObject({
    version: 2,
  });
  expect(await run(service)).toMatchObject({ data: { status: 'completed' } });
  expect(shown()).toBe('Bearer ann:second');
});

test('a new value of another form than the one in use is refused, and nothing changes [control-plane.credential.put-value]', async () => {
  const login = (password: string) => JSON.stringify({ username: 'ann', password });
  const named = await newCredential(login('first'), { type: 'username_password' });
  const service = await newService(named);
  for (const wrong of ['newpw', 'ann:newpw', '{"username":"ann"}', '{"key":"newpw"}'])
    expect(await put(named, { value: wrong })).toMatchObject({
      status: 400,
      data: { code: 'invalid_request', detail: expect.stringContaining('JSON with username, password') },
    });
  expect(await run(service)).toMatchObject({ data: { status: 'completed' } });
  expect(shown()).toBe('Bearer ann:first');
  expect(await put(named, { value: login('second') })).toMatchObject({ status: 200, data: { version: 2 } });
  const key = await newCredential('token', { type: 'oauth_token' });
  expect(await put(key, { value: '{"refresh_token":"r"}' })).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('stored as api_key') },
  });
  expect(await put(key, { value: 'another' })).toMatchObject({ status: 200, data: { version: 2 } });
});

test('a value is put by an admin with a certificate alone, in one form, into what is there [control-plane.credential.put-value]', async () => {
  const id = await newCredential(secret());
  const path = `${at(id)}/value`;
  const body = { value: 'x' };
  expect(await control.ask('PUT', path, { key: control.keys.admin, body })).toMatchObject({
    data: { code: 'client_certificate_required' },
  });
  expect(await control.ask('PUT', path, { key: control.keys.service, certified: true, body })).toMatchObject({
    data: { code: 'insufficient_role' },
  });
  for (const wrong of [{}, { value: 'x', sealed_value: 'eA==' }, { sealed_value: 'eA==' }, { value: '' }])
    expect(await put(id, wrong)).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
  for (const nobody of [randomUUID(), 'nobody'])
    expect(await put(nobody, body)).toMatchObject({ status: 404, data: { code: 'not_found' } });
  const theirs = control.newKey('admin', 'others');
  expect(await control.ask('PUT', path, { key: theirs, certified: true, body })).toMatchObject({
    status: 404,
  });
  expect(await control.ask('DELETE', at(id), { key: theirs, certified: true })).toMatchObject({
    status: 404,
  });
  expect((await read(at(id))).data).toMatchObject({ version: 1 });
});

test('a credential that no connector needs is deleted, with its record; one that is needed is not [control-plane.credential.delete]', async () => {
  const id = await newCredential(secret());
  const service = await newService(id);
  expect(await control.admin('DELETE', at(id))).toMatchObject({
    status: 409,
    data: { code: 'credential_in_use', services: [service] },
  });
  const { items } = (await read('/v1/connectors?limit=200')).data;
  const { connector_id } = items.find((one: { service: string }) => one.service === service);
  await control.admin('DELETE', `/v1/connectors/${connector_id}`);
  expect(await control.admin('DELETE', at(id))).toMatchObject({
    status: 200,
    data: { credential_id: id, deleted: true },
  });
  expect(await read(at(id))).toMatchObject({ status: 404 });
  expect(await control.admin('DELETE', at(id))).toMatchObject({ status: 404 });
  expect(await put(id, { value: 'x' })).toMatchObject({ status: 404 });
  expect((await recordsOf(id))[0]).toMatchObject({ eventType: 'credential_deleted', detail: { version: 1 } });
});

test('a connector made while its credential is deleted is refused, or keeps it: never is one without [control-plane.credential.delete]', async () => {
  const { definition } = target;
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const credential_id = await newCredential(secret());
      const connector = { service: randomUUID(), type: 'http', credential_id, definition };
      const [made, deleted] = await Promise.all([
        control.admin('POST', '/v1/connectors', connector),
        control.admin('DELETE', at(credential_id)),
      ]);
      return `${made.status} ${deleted.status}`;
    }),
  );
  for (const outcome of outcomes) expect(['201 409', '404 200']).toContain(outcome);
});
