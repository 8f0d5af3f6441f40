import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealFor } from '../vault/fixtures/sealing.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startTarget } from './fixtures/target.ts';

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
let database: Pool;
let policy_id = '';
beforeAll(async () => {
  [control, target] = await Promise.all([startControlPlane(), startTarget()]);
  database = new Pool({ connectionString: control.environment.DATABASE_URL, max: 1 });
  policy_id = (await control.admin('POST', '/v1/policies', { name: 'all', cedar })).data.policy_id;
});
afterAll(async () => {
  await control?.stop();
  await database?.end();
  await target?.stop();
});

const cedar = 'permit(principal, action, resource);';
const read = (path: string) => control.ask('GET', path, { key: control.keys.service });
/** As a build before the rule kept it. */
const keptBefore = (sql: string, ...about: unknown[]) => database.query(sql, about);

test('a policy whose id an earlier build kept with unseen characters gets its next version; no new one has such an id [control-plane.names.kept]', async () => {
  const [seen, hidden] = [`pay ${randomUUID()}`, `pay\u200bpal\u202e ${randomUUID()}`];
  const next = { policy_id: hidden, name: 'limits', cedar };
  const refused = { status: 400, data: { detail: expect.stringMatching(/^policy_id: .*U\+200B/) } };
  expect(await control.admin('POST', '/v1/policies', next)).toMatchObject(refused);
  await control.admin('POST', '/v1/policies', { ...next, policy_id: seen });
  await keptBefore('update control_plane.policy set policy_id = $2 where policy_id = $1', seen, hidden);
  const answers = await Promise.all([1, 2].map(() => control.admin('POST', '/v1/policies', next)));
  expect(answers.map(({ data }): number => data.policy_version).toSorted((a, b) => a - b)).toEqual([2, 3]);
  const path = `/v1/policies/${encodeURIComponent(hidden)}`;
  expect(await read(path)).toMatchObject({ data: { policy_id: hidden, policy_version: 3 } });
  expect(await control.admin('POST', '/v1/policies', { ...next, name: 'pay\u200bpal' })).toMatchObject({
    status: 400,
    data: { detail: expect.stringMatching(/name: .*U\+200B/) },
  });
});

test('a connector of a service that an earlier build kept under such a name can be put anew; none begins under it [control-plane.names.kept]', async () => {
  const [seen, hidden] = [`bank ${randomUUID()}`, `bank\u00ad ${randomUUID()}`];
  const connector = { service: hidden, type: 'http', definition: target.definition };
  const { total } = (await read('/v1/connectors')).data;
  expect(await control.admin('POST', '/v1/connectors', connector)).toMatchObject({
    status: 400,
    data: { code: 'invalid_request', detail: expect.stringMatching(/^service: .*U\+00AD/) },
  });
  expect((await read('/v1/connectors')).data.total).toBe(total);
  await control.admin('POST', '/v1/connectors', { ...connector, service: seen });
  await keptBefore('update control_plane.connector set service = $2 where service = $1', seen, hidden);
  expect(await control.admin('POST', '/v1/connectors', connector)).toMatchObject({
    status: 201,
    data: { service: hidden },
  });
});

test('a certificate that an earlier build kept as a key takes a new one, as a text or sealed, and its connector goes on [control-plane.credential.put-value]', async () => {
  const about = { namespace: 'billing', label: randomUUID(), type: 'session', sensitivity: 3, value: 'old' };
  const { credential_id } = (await control.admin('POST', '/v1/vault/credentials', about)).data;
  await keptBefore(`update control_plane.credential set kind = 'certificate' where id = $1`, credential_id);
  const components = { securitySchemes: { ours: { type: 'http', scheme: 'bearer' } } };
  const service = randomUUID();
  const definition = { ...target.definition, components };
  const connector = { service, type: 'http', credential_id, definition };
  expect(await control.admin('POST', '/v1/connectors', connector)).toMatchObject({ status: 201 });
  const put = (body: object) => control.admin('PUT', `/v1/vault/credentials/${credential_id}/value`, body);
  const shown = async () => {
    const body = { policy_id, user_id: 'ann', service, action: 'pay', params: {} };
    const headers = { 'idempotency-key': randomUUID() };
    await control.ask('POST', '/v1/executions', { key: control.keys.service, headers, body });
    return target.received.at(-1)?.headers['authorization'];
  };
  expect(await put({ value: 'second' })).toMatchObject({ status: 200, data: { version: 2 } });
  expect(await shown()).toBe('Bearer second');
  const { sealPublicKey } = (await read('/v1/attestation/report')).data;
  const sealed_value = await sealFor(sealPublicKey, JSON.stringify({ key: 'third' }));
  expect(await put({ sealed_value })).toMatchObject({ status: 200, data: { version: 3 } });
  expect(await shown()).toBe('Bearer third');
  expect(await put({ value: JSON.stringify({ certificate: control.ca }) })).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('stored as api_key') },
  });
});
