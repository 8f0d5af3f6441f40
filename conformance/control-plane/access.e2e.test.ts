import { connect, type SecureVersion } from 'node:tls';
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

describe('whoever watches it', () => {
  test('needs no key for health, metrics and the report about the enclave [control-plane.health] [control-plane.metrics] [control-plane.attestation] [control-plane.listen.prefix]', async () => {
    expect(await control.ask('GET', '/health')).toMatchObject({ status: 200, data: { status: 'up' } });
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
    expect(await control.ask('POST', '/v1/policies', { key, certified: true, body: next })).toMatchObject({
      status: 404,
    });
    expect(create('--role', 'admin', '--tenant', 'other', '--name', 'ops')).toMatchObject({ status: 1 });
    expect(create('--role', 'root')).toMatchObject({ status: 2 });
  });
});
