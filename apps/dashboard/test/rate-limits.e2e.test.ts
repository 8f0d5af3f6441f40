import { request } from 'node:http';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openDashboardForTest, type Reply, type TestDashboard } from './dashboard.ts';

const limitsOf = (env: Record<string, string>) => {
  const config = readConfig(env);
  if (!config.ok) throw new Error(config.error.join());
  return config.value.limits;
};

const attempt = (dashboard: TestDashboard) =>
  dashboard.post('/api/auth/login', { message: 'x', signature: 'x' });

/** The status of a request that comes from another address of this machine. */
const statusFrom = (localAddress: string, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    // A connection of its own: one that is kept may be closed by the server just as it is used again.
    request(url, { localAddress, agent: false, method: 'GET' }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

const tooMany = { status: 429, code: 80000061, data: null };
const retryAfter = ({ headers }: Reply) => headers.get('retry-after');

test('RATE_LIMIT_LOGINS bounds logins a minute, and nothing else [dashboard.rate-limit.logins] [dashboard.error.rate-limited]', async () => {
  expect(limitsOf({}).logins).toBe(30);
  const dashboard = await openDashboardForTest({ limits: limitsOf({ RATE_LIMIT_LOGINS: '3' }) });
  for (let i = 0; i < 3; i++) expect(await attempt(dashboard)).toMatchObject({ status: 401 });
  dashboard.clock.advance(20_000);
  const refused = await attempt(dashboard);
  expect(refused).toMatchObject(tooMany);
  expect(retryAfter(refused)).toBe('40');
  expect(await dashboard.post('/api/auth/nonce', {})).toMatchObject({ status: 200 });
  dashboard.clock.advance(39_999);
  expect(retryAfter(await attempt(dashboard))).toBe('1');
  dashboard.clock.advance(1);
  expect(await attempt(dashboard)).toMatchObject({ status: 401 });
});

test('guesses without a wallet leave the wallet’s login its room [dashboard.rate-limit.logins]', async () => {
  const dashboard = await openDashboardForTest({ limits: limitsOf({ RATE_LIMIT_LOGINS: '3' }) });
  const guess = () => dashboard.post('/api/auth/passkey/login', {});
  for (let i = 0; i < 3; i++) expect(await guess()).toMatchObject({ status: 400 });
  expect(await guess()).toMatchObject(tooMany);
  expect(await attempt(dashboard)).toMatchObject({ status: 401 });
});

test('RATE_LIMIT_REQUESTS bounds all requests a minute together, also those to nowhere [dashboard.rate-limit.requests] [dashboard.error.rate-limited]', async () => {
  expect(limitsOf({}).requests).toBe(1200);
  const dashboard = await openDashboardForTest({ limits: limitsOf({ RATE_LIMIT_REQUESTS: '5' }) });
  const calls = [
    () => dashboard.post('/api/auth/nonce', {}),
    () => dashboard.request('GET', '/api/auth/me'),
    () => dashboard.request('GET', '/api/nowhere'),
    () => dashboard.request('DELETE', '/api/auth/nonce'),
    () => attempt(dashboard),
  ];
  for (const call of calls) expect((await call()).status).not.toBe(429);
  for (const call of calls) {
    const refused = await call();
    expect(refused).toMatchObject(tooMany);
    expect(retryAfter(refused)).toBe('60');
  }
  dashboard.clock.advance(60_000);
  for (const call of calls) expect((await call()).status).not.toBe(429);
});

test('each address is counted apart, and whoever watches the service is not counted [dashboard.rate-limit.requests]', async () => {
  const dashboard = await openDashboardForTest({ limits: limitsOf({ RATE_LIMIT_REQUESTS: '2' }) });
  const me = `${dashboard.url}/api/auth/me`;
  const from = async (address: string) => [
    await statusFrom(address, me),
    await statusFrom(address, me),
    await statusFrom(address, me),
  ];
  expect(await from('127.0.0.2')).toEqual([401, 401, 429]);
  expect(await from('127.0.0.3')).toEqual([401, 401, 429]);
  // Without a list that screens it is not ready, which is no limit of whoever asks.
  for (const [path, status] of Object.entries({ '/health': 200, '/ready': 503, '/metrics': 200 }))
    expect(await statusFrom('127.0.0.2', dashboard.url + path)).toBe(status);
});
