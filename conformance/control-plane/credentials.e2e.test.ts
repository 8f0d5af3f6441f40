import { generateKeyPairSync, randomBytes, randomUUID, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connectControlPlane } from '@countersign/sdk/control-plane';
import { unwrap } from '@countersign/sdk/unwrap';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sealFor } from '../vault/fixtures/sealing.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startTarget } from './fixtures/target.ts';

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
beforeAll(async () => {
  [control, target] = await Promise.all([startControlPlane(), startTarget()]);
});
afterAll(async () => {
  await control?.stop();
  await target?.stop();
});

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
  const secret = `sk_${randomBytes(16).toString('hex')}`;
  const { status, data } = await create({ ...about, value: secret });
  expect(status).toBe(201);
  expect(data).toEqual({
    credential_id: expect.any(String),
    namespace: 'billing',
    label: 'stripe',
    sensitivity: 3,
    created_at: expect.any(String),
    fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    certificate_expires_at: null,
  });
  // The same value kept again does not show as such.
  const again = await create({ ...about, value: secret });
  expect(again.data.fingerprint).not.toBe(data.fingerprint);
  const rotation_due_at = new Date(Date.parse(data.created_at) + 30 * 86_400_000).toISOString();
  const value = { version: 1, value_at: data.created_at, rotation_due_at, rotation: null };
  const whole = { ...data, ...about, ...value, policy_id: null };
  expect((await read(`/v1/vault/credentials/${data.credential_id}`)).data).toEqual(whole);
  expect((await read('/v1/vault/credentials?namespace=billing')).data.items).toContainEqual(whole);
  expect((await read('/v1/vault/credentials?namespace=other')).data).toEqual({ items: [], total: 0 });
  expect(await read('/v1/vault/credentials/nobody')).toMatchObject({ status: 404 });
  const records = JSON.stringify((await read('/v1/audit/records')).data);
  expect(records).toContain('credential_created');
  expect(records).not.toContain(secret);
  expect(filesWith(secret)).toEqual([]);
});

test('a certificate is read when it is kept, and until when it is valid is told [control-plane.credential.certificate]', async () => {
  const endsAt = new Date(new X509Certificate(control.ca).validTo).toISOString();
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const of = (value: string) => create({ ...about, type: 'certificate', value });
  const { sealPublicKey } = (await read('/v1/attestation/report')).data;
  const sealed = async (certificate: string) => {
    const sealed_value = await sealFor(sealPublicKey, JSON.stringify({ certificate }));
    return create({ ...about, type: 'certificate', sealed_value });
  };
  for (const kept of [
    await of(control.ca),
    await of(control.ca + key),
    await of(JSON.stringify({ certificate: control.ca, private_key: key })),
    await sealed(control.ca),
  ]) {
    expect(kept).toMatchObject({ status: 201, data: { certificate_expires_at: endsAt } });
    const { data } = await read(`/v1/vault/credentials/${kept.data.credential_id}`);
    expect(data.certificate_expires_at).toBe(endsAt);
  }
  for (const refused of [
    await of('not a certificate'),
    await of(control.ca.replace(/\n[^-\n]+\n/, '\n')),
    await of(key),
    await of(JSON.stringify({ certificate: control.ca + key })),
    await sealed('not a certificate'),
  ])
    expect(refused).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
});

test('namespace and label may be as long as each of them may be [control-plane.credential.create]', async () => {
  const names = { namespace: 'n'.repeat(256), label: 'l'.repeat(256) };
  expect(await create({ ...about, ...names, value: 'a key' })).toMatchObject({ status: 201, data: names });
});

test('only a scheduled rotation needs an interval [control-plane.credential.rotation-policy]', async () => {
  const of = (rotation_policy: object) => create({ ...about, rotation_policy, value: 'x' });
  expect(await of({ type: 'manual' })).toMatchObject({ status: 201 });
  expect(await of({ type: 'scheduled' })).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('rotation_policy.interval_days') },
  });
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

describe('what is sealed of a type of the vault [control-plane.credential.typed]', () => {
  /** Sealed by the SDK. */
  async function sealedBySdk(type: string, data: object): Promise<string> {
    const { ca, keys, url, card } = control;
    const files = card.controlPlaneClientCert;
    const pem = (path = '') => readFileSync(path, 'utf8');
    const certificate = { cert: pem(files?.cert), key: pem(files?.key) };
    const trust = { simulated: true };
    const admin = connectControlPlane({ url: url.href, key: keys.admin, ca, certificate, trust });
    onTestFinished(() => admin.close());
    const body = { ...about, label: randomUUID(), type, value: JSON.stringify(data) };
    return (await unwrap(admin.createCredential({ body }))).credential_id;
  }

  /** What an execution of a connector of its own answers. */
  async function use(credential_id: string, type: string, definition: object, action: string) {
    const service = randomUUID();
    const connector = { service, type, credential_id, definition };
    expect(await control.admin('POST', '/v1/connectors', connector)).toMatchObject({ status: 201 });
    const cedar = 'permit(principal, action, resource);';
    const { policy_id } = (await control.admin('POST', '/v1/policies', { name: service, cedar })).data;
    const body = { policy_id, user_id: 'ann', service, action, params: {} };
    const headers = { 'idempotency-key': service };
    return (await control.ask('POST', '/v1/executions', { key: control.keys.service, headers, body })).data;
  }
  const pays = (scheme: string) => ({
    ...target.definition,
    components: { securitySchemes: { ours: { type: 'http', scheme } } },
    security: [{ ours: [] }],
  });
  const asks = { actions: { who: { sql: 'select current_user as name', read_only: true } } };
  const login = { username: 'ada', password: 'correct horse' };

  test('a username_password logs in by HTTP basic', async () => {
    const id = await sealedBySdk('username_password', login);
    expect(await use(id, 'http', pays('basic'), 'pay')).toMatchObject({ status: 'completed' });
    const { authorization } = target.received.at(-1)?.headers ?? {};
    expect(authorization).toBe(`Basic ${Buffer.from('ada:correct horse').toString('base64')}`);
  });

  /** What the creation of a connector answers. */
  const connect = (credential_id: string, type: string, definition: object) =>
    control.admin('POST', '/v1/connectors', { service: randomUUID(), type, credential_id, definition });

  test('a database_connection opens a database, and is shown to nobody else', async () => {
    const { hostname: host, port, pathname, username, password } = new URL(control.environment.DATABASE_URL);
    const connection = { host, port: Number(port), database: pathname.slice(1), username, password };
    const id = await sealedBySdk('database_connection', connection);
    expect(await use(id, 'postgres', asks, 'who')).toMatchObject({ data: { rows: [{ name: username }] } });
    expect(await connect(id, 'http', pays('bearer'))).toMatchObject({ status: 400 });
  });

  test('a key is kept as one whatever its type says; what is neither is refused', async () => {
    const { sealPublicKey } = (await read('/v1/attestation/report')).data;
    const sealedAs = async (type: string, data: object) =>
      create({
        ...about,
        label: randomUUID(),
        type,
        sealed_value: await sealFor(sealPublicKey, JSON.stringify(data)),
      });
    const { credential_id } = (await sealedAs('username_password', { key: 'sk_any' })).data;
    expect(await use(credential_id, 'http', pays('bearer'), 'pay')).toMatchObject({ status: 'completed' });
    expect(target.received.at(-1)?.headers['authorization']).toBe('Bearer sk_any');
    for (const [type, data] of [
      ['username_password', { username: 'ada' }],
      ['of_ours', login],
    ] as const)
      expect(await sealedAs(type, data)).toMatchObject({
        status: 400,
        data: { detail: expect.stringContaining('the fields of its type') },
      });
  });

  test.each([
    ['oauth_token', () => ({ refresh_token: 'r-1' })],
    ['certificate', () => ({ certificate: control.ca })],
    ['ssh_key', () => ({ ssh_key: 'k-1' })],
  ])(
    'a connector that %s cannot open is refused, and told what opens it [control-plane.connector.credential-type]',
    async (type, data) => {
      const { total } = (await read('/v1/connectors')).data;
      const id = await sealedBySdk(type, data());
      for (const refused of [
        await connect(id, 'http', pays('bearer')),
        await connect(id, 'mcp-tool', { url: target.definition.servers[0]?.url }),
        await connect(id, 'postgres', asks),
      ])
        expect(refused).toMatchObject({
          status: 400,
          data: {
            code: 'invalid_request',
            detail: expect.stringMatching(/^credential_id: .*(username_password|database_connection)/),
          },
        });
      expect((await read('/v1/connectors')).data.total).toBe(total);
    },
  );
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
