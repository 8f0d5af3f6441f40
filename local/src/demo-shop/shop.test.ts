import { createLogger } from '@countersign/service/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpServer } from '../http-server.ts';
import { startShop } from './shop.ts';

let shop: HttpServer;
const customer = { username: '<ada>', password: 'a b&c' };
beforeAll(async () => {
  const log = createLogger('shop', 'silent');
  shop = await startShop({ host: '127.0.0.1', port: 0, customer, log });
});
afterAll(() => shop.stop());

const send = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, shop.url), { ...init, redirect: 'manual' });
const logIn = (password: string) =>
  send('/login', { method: 'POST', body: new URLSearchParams({ ...customer, password }) });

test('the orders are shown to whoever logged in, until they log out [system.sample.shop]', async () => {
  expect((await send('/account')).headers.get('location')).toBe('/login');
  const refused = await logIn('another');
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('User name or password is wrong.');

  const { headers } = await logIn(customer.password);
  expect(headers.get('location')).toBe('/account');
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const account = await (await send('/account', { headers: { cookie } })).text();
  expect(account).toContain('&#60;ada&#62;');
  expect(account.match(/LR-\d{4}/g)).toHaveLength(8);

  await send('/logout', { method: 'POST', headers: { cookie } });
  expect((await send('/account', { headers: { cookie } })).headers.get('location')).toBe('/login');
});

test('orders are taken from whoever shows the login, as JSON', async () => {
  const credentials = Buffer.from(`${customer.username}:${customer.password}`).toString('base64');
  const order = (authorization: string, body: string) =>
    send('/api/orders', { method: 'POST', headers: { authorization }, body });
  const wanted = JSON.stringify({ goods: '8 kg House Blend', cents: 18_000 });
  expect((await order('Basic eDp5', wanted)).status).toBe(401);
  for (const none of ['', '{', '{"goods":"","cents":1}', '{"goods":"x","cents":1.5}'])
    expect((await order(`Basic ${credentials}`, none)).status).toBe(400);
  const placed = await order(`Basic ${credentials}`, wanted);
  expect([placed.status, await placed.json()]).toEqual([
    201,
    { number: 'LR-2051', date: '2026-01-15', goods: '8 kg House Blend', cents: 18_000, status: 'Open' },
  ]);
});

test('what it does not know is no page', async () => {
  expect((await send('/toString')).status).toBe(404);
  expect((await send('/login', { method: 'DELETE' })).status).toBe(404);
});
