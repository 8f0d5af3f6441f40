import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealFor } from '../vault/fixtures/sealing.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';

let control: TestControlPlane;
beforeAll(async () => {
  control = await startControlPlane();
});
afterAll(() => control?.stop());

const about = {
  namespace: 'billing',
  label: 'stripe',
  type: 'api_key',
  sensitivity: 3,
  rotation_policy: { type: 'scheduled', interval_days: 30 },
  tags: { team: 'finance' },
};
const create = (body: object) => control.admin('POST', '/v1/vault/credentials', body);
const read = (path: string) => control.ask('GET', path, { key: control.keys.service });

test('a credential is kept, and only told about [control-plane.credential.create] [control-plane.credential.reply] [control-plane.credential.fingerprint] [control-plane.credential.rotation-policy] [control-plane.credential.get] [control-plane.credential.list]', async () => {
  const value = `sk_${randomBytes(16).toString('hex')}`;
  const { status, data } = await create({ ...about, value });
  expect(status).toBe(201);
  expect(data).toEqual({
    credential_id: expect.any(String),
    namespace: 'billing',
    label: 'stripe',
    sensitivity: 3,
    created_at: expect.any(String),
    fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  const whole = { ...data, ...about, policy_id: null };
  expect((await read(`/v1/vault/credentials/${data.credential_id}`)).data).toEqual(whole);
  expect((await read('/v1/vault/credentials?namespace=billing')).data.items).toContainEqual(whole);
  expect((await read('/v1/vault/credentials?namespace=other')).data).toEqual({ items: [], total: 0 });
  expect(await read('/v1/vault/credentials/nobody')).toMatchObject({ status: 404 });
  const records = JSON.stringify((await read('/v1/audit/records')).data);
  expect(records).toContain('credential_created');
  expect(records).not.toContain(value);
  expect(filesWith(value)).toEqual([]);
});

test('a sealed value never passes the control plane in the clear', async () => {
  const { sealPublicKey } = (await read('/v1/attestation/report')).data;
  const sealed_value = await sealFor(sealPublicKey, JSON.stringify({ key: 'sk_sealed' }));
  expect(await create({ ...about, label: 'sealed', sealed_value })).toMatchObject({ status: 201 });
  for (const body of [
    { ...about, value: 'a', sealed_value },
    about,
    { ...about, sealed_value: Buffer.from('not sealed').toString('base64') },
  ])
    expect(await create(body)).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
});

test('a policy is bound to it, and the binding recorded [control-plane.credential.bind-policy] [control-plane.audit.records] [control-plane.audit.record]', async () => {
  const { credential_id } = (await create({ ...about, label: 'bound', value: 'sk_bound' })).data;
  const bind = (policy_id: string | null) =>
    control.admin('PATCH', `/v1/vault/policies/${credential_id}`, { policy_id });
  expect(await bind('nobody-made-it')).toMatchObject({ status: 404 });
  const cedar = 'permit(principal, action, resource);';
  const { policy_id } = (await control.admin('POST', '/v1/policies', { name: 'open', cedar })).data;
  expect(await bind(policy_id)).toMatchObject({ status: 200, data: { policy_id } });
  const { items } = (await read(`/v1/audit/records?credentialId=${credential_id}`)).data;
  expect(items.map((record: { eventType: string }) => record.eventType)).toEqual([
    'policy_bound',
    'credential_created',
  ]);
  expect((await read(`/v1/audit/records/${items[0].auditId}`)).data).toEqual(items[0]);
  expect(await read('/v1/audit/records/nobody')).toMatchObject({ status: 404 });
});

function* filesBelow(dir: string): Generator<string> {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) yield* filesBelow(path);
    else if (stat?.isFile()) yield path;
  }
}
const filesWith = (text: string): string[] =>
  [...filesBelow(control.dir)].filter((path) => readFileSync(path).includes(text));
