import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { countersign } from '../fixtures/countersign.ts';
import { type LocalCa, localCaIn, makeLocalCa } from '@countersign/local/local-ca';
import { type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';

let control: TestControlPlane;
beforeAll(async () => {
  control = await startControlPlane();
});
afterAll(() => control?.stop());

const somePolicy = { name: 'anything', cedar: 'permit(principal, action, resource);' };

describe('transport', () => {
  /** The cipher suite of a connection, or the code of the alert that refused it. */
  function handshake(
    options: { minVersion?: SecureVersion; maxVersion?: SecureVersion; ciphers?: string } = {},
  ) {
    return new Promise<string>((resolve) => {
      const { hostname: host, port } = control.url;
      const socket = connect({ host, port: Number(port), ca: control.ca, ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  }

  test('speaks TLS 1.3 alone, with exactly the two suites [control-plane.tls.version] [control-plane.tls.suites] [control-plane.listen.address]', async () => {
    expect(control.url.protocol).toBe('https:');
    expect(await handshake()).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384');
    for (const suite of ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'])
      expect(await handshake({ ciphers: suite })).toBe(`TLSv1.3 ${suite}`);
    for (const suite of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_CCM_SHA256'])
      expect(await handshake({ ciphers: suite })).toBe('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE');
    for (const maxVersion of ['TLSv1.2', 'TLSv1.1'] as const)
      expect(await handshake({ minVersion: 'TLSv1', maxVersion, ciphers: 'ALL@SECLEVEL=0' })).toBe(
        'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
      );
  });

  test('tells every fault of its configuration at once, with exit code 2 [control-plane.tls.configuration]', async () => {
    const { status, stderr } = runCommand(['control-plane'], { CONTROL_TLS_CERT: '/nowhere' });
    expect(status).toBe(2);
    for (const name of ['CONTROL_TLS_CERT', 'CONTROL_TLS_KEY', 'CONTROL_TLS_CLIENT_CA'])
      expect(stderr).toContain(name);
  });
});

describe('a renewed certificate', () => {
  const files = mkdtempSync(join(tmpdir(), 'tls-'));
  let processes: OwnedProcesses;
  beforeAll(async () => {
    processes = await ownedProcesses({ logDir: files });
  });
  afterAll(async () => {
    await processes?.stopAll();
    rmSync(files, { recursive: true, force: true });
  });

  test('is taken on SIGHUP, without an end of the connections that there are; one that cannot be used changes nothing [control-plane.tls.renewal]', async () => {
    const [old, renewed] = ['old', 'renewed'].map((name) => makeLocalCa(join(files, name), new Date()));
    if (old === undefined || renewed === undefined) throw new Error('there are no certificates');
    const inUse = localCaIn(join(files, 'in use'));
    const use = ({ ca, server }: LocalCa) => {
      mkdirSync(dirname(inUse.ca), { recursive: true });
      copyFileSync(ca, inUse.ca);
      copyFileSync(server.cert, inUse.server.cert);
      copyFileSync(server.key, inUse.server.key);
    };
    use(old);
    const { pid, ready } = processes.spawn({
      name: 'renewing',
      ...countersign('control-plane'),
      env: {
        ...control.environment,
        CONTROL_PORT: '0',
        CONTROL_TLS_CERT: inUse.server.cert,
        CONTROL_TLS_KEY: inUse.server.key,
        CONTROL_TLS_CLIENT_CA: inUse.ca,
      },
      ipc: true,
    });
    const url = await ready;
    const hangUp = async (said: string) => {
      const log = () => readFileSync(join(files, 'renewing.log'), 'utf8');
      const before = log().split(said).length;
      process.kill(pid, 'SIGHUP');
      await expect.poll(() => log().split(said).length).toBe(before + 1);
    };
    /** Whether an admin's write succeeds who believes one authority, and shows a certificate of one. */
    const writes = (believed: LocalCa, shown: LocalCa, agent: Agent | false = false) => {
      const [ca, cert, key] = [believed.ca, shown.client.cert, shown.client.key].map((path) =>
        readFileSync(path),
      );
      const text = JSON.stringify(somePolicy);
      const headers = {
        authorization: `Bearer ${control.keys.admin}`,
        'content-type': 'application/json',
        'content-length': text.length,
      };
      return new Promise<number | string>((resolve) => {
        const tls = { ca, cert, key };
        const sent = request(`${url}/v1/policies`, { method: 'POST', headers, agent, ...tls }, (response) => {
          response.resume();
          response.once('end', () => resolve(response.statusCode ?? 0));
        });
        sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
        sent.end(text);
      });
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await writes(old, old, agent)).toBe(201);
    expect(await writes(old, renewed)).toBeGreaterThanOrEqual(400);

    writeFileSync(inUse.server.key, readFileSync(renewed.server.key));
    await hangUp('the TLS certificate before stays in use');
    expect(await writes(old, old)).toBe(201);

    use(renewed);
    await hangUp('new connections get the renewed TLS certificate');
    expect(await writes(renewed, renewed)).toBe(201);
    expect(await writes(renewed, old)).toBeGreaterThanOrEqual(400);
    expect(await writes(old, old)).toMatch(/CERT|SIGNATURE|VERIFY/);
    expect(await writes(old, old, agent)).toBe(201);
    agent.destroy();
  });
});

describe('the end', () => {
  const opened = (socket: Socket, event: string) =>
    new Promise<Socket>((resolve, reject) => {
      socket.once(event, () => resolve(socket));
      socket.once('error', reject);
    });

  test('finishes a request in flight, and does not wait for those who say nothing [system.service.silent-connections] [system.service.sigterm]', async () => {
    const other = await control.startAnother();
    const { hostname: host, port: text } = new URL(other.url);
    const port = Number(text);
    const silent = [
      await opened(connectTcp({ host, port }), 'connect'),
      await opened(connect({ host, port, ca: control.ca }), 'secureConnect'),
    ];
    const cut = Promise.all(silent.map((one) => new Promise((resolve) => one.once('close', resolve))));
    for (const one of silent) one.on('error', () => {});
    const speaking = await opened(connect({ host, port, ca: control.ca }), 'secureConnect');
    const answer = new Promise<string>((resolve) => speaking.once('data', (data) => resolve(String(data))));
    const body = JSON.stringify(somePolicy);
    const head = [
      'POST /v1/policies HTTP/1.1',
      `host: ${host}`,
      `authorization: Bearer ${control.keys.admin}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
    ];
    speaking.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(await answer).toMatch(/^HTTP\/1.1 100 /);
    const end = other.stop();
    await cut;
    const last = new Promise<string>((resolve) => speaking.once('data', (data) => resolve(String(data))));
    speaking.write(body);
    expect(await last).toMatch(/^HTTP\/1.1 403 /);
    expect((await end).code).toBe(0);
  });
});

describe('whoever watches it', () => {
  test('needs no key for health, metrics and the report about the enclave [control-plane.health] [control-plane.metrics] [control-plane.attestation] [control-plane.listen.prefix] [system.cli.control-plane]', async () => {
    expect(await control.ask('GET', '/health')).toMatchObject({
      status: 200,
      data: {
        status: 'up',
        tee: expect.stringMatching(/^SIMULATED: /),
        tls_valid_until: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    });
    expect(await control.ask('GET', '/ready')).toMatchObject({ status: 200, data: { ready: true } });
    expect((await control.ask('GET', '/metrics')).data).toContain('# TYPE');
    const report = await control.ask('GET', '/v1/attestation/report?nonce=00ff');
    expect(report).toMatchObject({ status: 200, data: { provider: 'simulated', nonce: '00ff' } });
    expect(await control.ask('GET', '/vault/credentials')).toMatchObject({
      status: 404,
      data: { code: 'not_found' },
    });
  });
});

describe('keys', () => {
  test('are needed for everything else, and refusals are problem details [control-plane.key.bearer] [control-plane.error.problem-details]', async () => {
    const unauthorized = { status: 401, data: { code: 'unauthorized' } };
    expect(await control.ask('GET', '/v1/policies')).toMatchObject(unauthorized);
    expect(await control.ask('GET', '/v1/policies', { key: 'csk_admin_guessed' })).toMatchObject(
      unauthorized,
    );
    const wrong = await control.admin('POST', '/v1/policies', { name: 3 });
    expect(wrong).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
    expect(await control.admin('PATCH', '/v1/policies')).toMatchObject({
      status: 405,
      data: { code: 'method_not_allowed' },
    });
  });

  test('of an admin write with a client certificate alone, and the certificate alone does nothing [control-plane.tls.client-certificate] [control-plane.tls.client-certificate.and-key] [control-plane.key.role.admin]', async () => {
    const { admin } = control.keys;
    const refused = { status: 403, data: { code: 'client_certificate_required' } };
    expect(await control.ask('POST', '/v1/policies', { key: admin, body: somePolicy })).toMatchObject(
      refused,
    );
    expect(await control.ask('POST', '/v1/policies', { certified: true, body: somePolicy })).toMatchObject({
      status: 401,
    });
    expect(await control.admin('POST', '/v1/policies', somePolicy)).toMatchObject({ status: 201 });
  });

  test('of services and approvers read, and write nothing [control-plane.key.role.service] [control-plane.key.role.approver]', async () => {
    for (const key of [control.keys.service, control.keys.approver]) {
      expect(await control.ask('GET', '/v1/policies', { key })).toMatchObject({ status: 200 });
      expect(
        await control.ask('POST', '/v1/policies', { key, certified: true, body: somePolicy }),
      ).toMatchObject({ status: 403, data: { code: 'insufficient_role' } });
    }
  });

  test('of services keep credentials too, with a client certificate [control-plane.key.role.service]', async () => {
    const body = { namespace: 'n', label: 'of a service', type: 'api_key', sensitivity: 1, value: 'v' };
    const keep = (key: string, certified: boolean) =>
      control.ask('POST', '/v1/vault/credentials', { key, certified, body });
    const { service, approver } = control.keys;
    const refused = { status: 403, data: { code: 'client_certificate_required' } };
    expect(await keep(service, false)).toMatchObject(refused);
    expect(await keep(service, true)).toMatchObject({ status: 201 });
    expect(await keep(approver, true)).toMatchObject({ status: 403, data: { code: 'insufficient_role' } });
  });

  test('are made by the command line, shown once, and see their tenant alone [control-plane.key.create] [control-plane.key.tenant]', async () => {
    const { environment: env } = control;
    const create = (...args: string[]) => runCommand(['control-plane', 'create-key', ...args], env);
    const made = create('--role', 'admin', '--tenant', 'other', '--name', 'ops');
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^csk_admin_[\w-]{43}\n$/) });
    const key = made.stdout.trim();
    const { data } = await control.admin('POST', '/v1/policies', somePolicy);
    const path = `/v1/policies/${data.policy_id}`;
    expect(await control.ask('GET', path, { key })).toMatchObject({ status: 404 });
    expect(await control.ask('GET', '/v1/policies', { key })).toMatchObject({ data: { total: 0 } });
    const next = { ...somePolicy, policy_id: data.policy_id };
    // The name is free in their own tenant.
    expect(await control.ask('POST', '/v1/policies', { key, certified: true, body: next })).toMatchObject({
      status: 201,
      data: { policy_version: 1 },
    });
    const { items } = (await control.ask('GET', `${path}/versions`, { key: control.keys.admin })).data;
    expect(items).toHaveLength(1);
    expect(create('--role', 'admin', '--tenant', 'other', '--name', 'ops')).toMatchObject({ status: 1 });
    expect(create('--role', 'root')).toMatchObject({ status: 2 });
  });

  test('are revoked by name: at once, everywhere, on record, and never again in use [control-plane.key.revoke]', async () => {
    const { environment: env } = control;
    const run = (...args: string[]) => runCommand(['control-plane', ...args], env);
    const of = ['--tenant', 'leaving'];
    const key = run('create-key', '--role', 'admin', '--name', 'their ci', ...of).stdout.trim();
    expect(await control.ask('GET', '/v1/policies', { key })).toMatchObject({ status: 200 });

    expect(run('revoke-key', 'their ci')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('tenant default has no key named their ci in use'),
    });
    expect(run('revoke-key', 'their ci', ...of)).toMatchObject({ status: 0 });
    expect(await control.ask('GET', '/v1/policies', { key })).toMatchObject({ status: 401 });
    expect(run('revoke-key', 'their ci', ...of)).toMatchObject({ status: 1 });

    const heir = run('create-key', '--role', 'admin', '--name', 'their ci', ...of).stdout.trim();
    const { data } = await control.ask('GET', '/v1/audit/records', { key: heir });
    const detail = { name: 'their ci', role: 'admin', keyId: expect.any(String) };
    expect(data.items).toMatchObject([
      { eventType: 'key_created', detail },
      { eventType: 'key_revoked', detail },
      { eventType: 'key_created', actor: 'command:create-key', detail },
    ]);
    const lines = run('list-keys')
      .stdout.split('\n')
      .filter((line) => line.startsWith('leaving\t'));
    expect(lines.map((line) => line.split('\t')[4])).toEqual([expect.stringMatching(/^20/), 'in use']);
    expect(lines.join()).not.toContain(heir);
  });

  test('are recorded before they are first heard, once, though the enclave was out of reach when they were made [control-plane.key.recorded]', async () => {
    const nowhere = { ...control.environment, ENCLAVE_SOCKET: `${control.dir}/nobody.sock` };
    const made = ['create-key', '--role', 'service', '--tenant', 'late'];
    const key = runCommand(['control-plane', ...made], nowhere).stdout.trim();
    const ask = () => control.ask('GET', '/v1/audit/records', { key });
    await Promise.all([ask(), ask(), ask()]);
    const { items, total } = (await ask()).data;
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      eventType: 'key_created',
      tenantId: 'late',
      detail: { role: 'service' },
    });
  });

  test('are not revoked while nobody could record it [control-plane.key.revoke]', async () => {
    const { environment: env } = control;
    const nowhere = { ...env, ENCLAVE_SOCKET: `${control.dir}/nobody.sock` };
    expect(runCommand(['control-plane', 'revoke-key', 'nobody'], nowhere)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is "countersign enclave" running?'),
    });
    expect(runCommand(['control-plane', 'revoke-key'], env)).toMatchObject({ status: 2 });
  });
});
