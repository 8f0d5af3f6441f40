import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem, type System } from '@countersign/local/system';
import { connectControlPlane } from '@countersign/sdk/control-plane';
import { connectGateway } from '@countersign/sdk/gateway';
import { unwrap } from '@countersign/sdk/unwrap';
import { connectVault } from '@countersign/sdk/vault';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../fixtures/new-database.ts';

const dir = mkdtempSync(join(tmpdir(), 'sdk-'));
const cardFile = join(dir, 'local.json');
const examples = join(import.meta.dirname, '..', '..', 'examples');
let system: System;
beforeAll(async () => {
  const env = { ...process.env, DATABASE_URL: await newDatabase() };
  system = await startSystem({ dir, portBase: 0, env });
});
afterAll(async () => {
  await system?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs one of the examples as a newcomer would; its exit code, and what it said. */
const run = (name: string, ...args: readonly string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const argv = [join(examples, 'run.js'), name, ...args];
    execFile(process.execPath, argv, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
    );
  });

describe('examples', () => {
  const names = readdirSync(examples)
    .filter((file) => file.endsWith('.ts') && file !== 'card.ts')
    .map((file) => file.slice(0, -3));

  test.each(names)(
    '%s does what it says [system.examples.check-themselves] [system.repository.examples-run]',
    async (name) => {
      const { code, said } = await run(name, cardFile, system.shopUrl);
      expect(said).toMatch(/^ok {2}/m);
      expect({ code, said }).toMatchObject({ code: 0 });
    },
  );

  test('an example that meets something else ends with 1 [system.examples.check-themselves] [system.repository.examples-run]', async () => {
    const other = join(dir, 'other.json');
    writeFileSync(other, JSON.stringify({ ...system.card, gatewayToken: 'of nobody' }));
    expect(await run('pay-for-a-tool', other)).toMatchObject({ code: 1 });
  });
});

/** Passes bytes on to where `url` leads, and keeps them: all that a process in between would see. */
async function listenBetween(url: string) {
  const seen: Buffer[] = [];
  const between = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => seen.push(chunk));
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void between.close());
  return {
    url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    text: () => Buffer.concat(seen).toString('latin1'),
  };
}

const secret = 'correct-Horse&battery 7';
const shown = [
  secret,
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').slice(4, 20),
];

test('a credential passes between client and vault sealed, both ways [system.sdk.sealed] [vault.sealed.default]', async () => {
  const between = await listenBetween(String(system.card.vaultUrl));
  const as = system.card.vaultUser ?? { token: '' };
  const vault = connectVault({ url: between.url, as, trust: { simulated: true } });
  const plaintext_data = { username: 'ada', password: secret };
  const about = { service_id: 'shop', credential_type: 'username_password' as const };
  const { id } = await unwrap(vault.createCredential({ body: { ...about, plaintext_data } }));
  const opened = await unwrap(vault.decryptCredential({ params: { id }, body: { reason: 'a test' } }));
  expect(opened).toMatchObject({ id, plaintext_data });
  const anew = { username: 'ada', password: `${secret}-anew` };
  const put = await unwrap(vault.putCredentialValue({ params: { id }, body: { plaintext_data: anew } }));
  expect(put).toMatchObject({ id, version: 2 });
  const again = await unwrap(vault.decryptCredential({ params: { id }, body: { reason: 'a test' } }));
  expect(again).toMatchObject({ plaintext_data: anew });
  expect(between.text()).toContain('sealed_data');
  expect(shown.filter((text) => between.text().includes(text))).toEqual([]);

  const careful = connectVault({ url: between.url, as });
  const refused = await careful.createCredential({ body: { ...about, plaintext_data } });
  expect(refused).toMatchObject({ kind: 'failed', why: 'not-attested' });
  const { total } = await unwrap(vault.listCredentials({ query: { service_id: 'shop' } }));
  expect(total).toBe(1);
  await Promise.all([vault.close(), careful.close()]);
});

/** Clients of the control plane by role; `trust` as on any machine without hardware. */
function controlPlane() {
  const { controlPlaneUrl, controlPlaneCa, controlPlaneKeys, controlPlaneClientCert } = system.card;
  if (!controlPlaneUrl || !controlPlaneCa || !controlPlaneKeys || !controlPlaneClientCert)
    throw new Error('the control plane is not up');
  const pem = (path: string) => readFileSync(path, 'utf8');
  const certificate = { cert: pem(controlPlaneClientCert.cert), key: pem(controlPlaneClientCert.key) };
  const ca = pem(controlPlaneCa);
  const connect = (key: string, tls: object) => {
    const client = connectControlPlane({ url: controlPlaneUrl, key, trust: { simulated: true }, ...tls });
    onTestFinished(() => client.close());
    return client;
  };
  const { admin, service } = controlPlaneKeys;
  return {
    admin: connect(admin, { ca, certificate }),
    withoutCertificate: connect(admin, { ca }),
    withoutCa: connect(admin, { certificate }),
    service: connect(service, { ca }),
  };
}

test('the control plane is reached with a certificate, and its refusals have names [system.sdk.sealed] [system.sdk.attested]', async () => {
  const { admin, withoutCertificate, withoutCa } = controlPlane();
  const body = { namespace: 'prod', label: 'payroll', type: 'api_key', sensitivity: 3, value: secret };
  const { credential_id } = await unwrap(admin.createCredential({ body }));
  const read = await unwrap(admin.getCredential({ params: { id: credential_id } }));
  expect(read).toMatchObject({ namespace: 'prod', label: 'payroll' });
  expect(await withoutCertificate.createCredential({ body })).toMatchObject({
    kind: 'refused',
    status: 403,
    code: 'client_certificate_required',
  });
  expect(await withoutCa.listCredentials({})).toMatchObject({ kind: 'failed', why: 'unreachable' });
  const cedar = 'permit(principal, action, resource) when { context.params.amount < };';
  expect(await admin.createPolicy({ body: { name: 'broken', cedar } })).toMatchObject({
    kind: 'refused',
    code: 'invalid_policy',
    data: { line: 1 },
  });
});

test('an execution has a key of its own, by which it can be asked for again and done once [system.sdk.execution-once]', async () => {
  const { admin, service } = controlPlane();
  const requestBody = { content: { 'application/json': { schema: { properties: { amount: {} } } } } };
  const paths = { '/': { post: { ...nothing.get, requestBody } } };
  const definition = { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:1' }], paths };
  await unwrap(admin.createConnector({ body: { service: 'nothing', type: 'http', definition } }));
  const cedar = 'forbid(principal, action, resource);';
  const { policy_id } = await unwrap(admin.createPolicy({ body: { name: 'nothing', cedar } }));
  const body = { policy_id, user_id: 'ada', service: 'nothing', action: 'do', params: { amount: 1 } };
  const first = await service.createExecution({ body });
  const second = await service.createExecution({ body });
  const again = await service.createExecution({ body, idempotencyKey: first.idempotencyKey });
  if (first.kind !== 'ok' || second.kind !== 'ok') throw new Error(JSON.stringify({ first, second }));
  expect(again).toEqual(first);
  expect(second.data.execution_id).not.toBe(first.data.execution_id);
  const params = { execution_id: first.data.execution_id };
  expect(await unwrap(service.waitForExecution({ params }))).toMatchObject({ ...params, status: 'denied' });
  const other = { ...body, params: { amount: 2 } };
  expect(await service.createExecution({ body: other, idempotencyKey: first.idempotencyKey })).toMatchObject({
    kind: 'refused',
    code: 'idempotency_key_reused',
  });
});

test('who waits for an execution waits until it has ended, no longer than was said, and never against their will', async () => {
  const { admin, service } = controlPlane();
  const definition = { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:1' }], paths: { '/': nothing } };
  await unwrap(admin.createConnector({ body: { service: 'slow', type: 'http', definition } }));
  const policy = { name: 'ask', cedar: 'permit(principal, action, resource);', hitl: { when: 'true' } };
  const { policy_id } = await unwrap(admin.createPolicy({ body: policy }));
  const body = { policy_id, user_id: 'ada', service: 'slow', action: 'do', params: {} };
  const { execution_id, status } = await unwrap(service.createExecution({ body }));
  expect(status).toBe('pending_hitl');
  const params = { execution_id };
  const late = await service.waitForExecution({ params, deadlineMs: 50 });
  expect(late).toMatchObject({ kind: 'failed', why: 'timeout' });
  const stopped = service.waitForExecution({ params, signal: AbortSignal.timeout(50) });
  expect(await stopped).toMatchObject({ kind: 'failed', why: 'aborted' });
  const waiting = service.waitForExecution({ params });
  await unwrap(service.cancelExecution({ params }));
  expect(await unwrap(waiting)).toMatchObject({ execution_id, status: 'cancelled' });
});

const nothing = { get: { operationId: 'do', responses: { 200: { description: 'nothing' } } } };

test('a gateway that is not there is an error, and one that went away an answer that cannot be believed', async () => {
  await expect(connectGateway({ url: 'http://127.0.0.1:1/mcp' })).rejects.toThrow('fetch failed');
  const { gatewayUrl, gatewayToken } = system.card;
  const gateway = await connectGateway({ url: String(gatewayUrl), token: gatewayToken, timeoutMs: 1 });
  const late = await gateway.call({ serviceId: 'quotes', toolName: 'ping' });
  expect(late).toMatchObject({ kind: 'failed', why: 'timeout' });
  const unknown = await connectGateway({ url: String(gatewayUrl), token: gatewayToken });
  expect(await unknown.call({ serviceId: 'nobody', toolName: 'ping' })).toMatchObject({
    kind: 'refused',
    code: 'SERVICE_NOT_FOUND',
  });
  await Promise.all([gateway.close(), unknown.close()]);
});
