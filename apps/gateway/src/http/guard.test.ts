import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { checkOrigin } from './guard.ts';

const request = (headers: IncomingHttpHeaders) => ({ headers }) as IncomingMessage;
const allowed = (headers: IncomingHttpHeaders, boundHost = '127.0.0.1') =>
  checkOrigin(request(headers), boundHost) === null;

test('on loopback only loopback names pass [gateway.http.host-header]', () => {
  for (const host of ['127.0.0.1', '127.0.0.1:4020', 'localhost', 'LocalHost:1', '[::1]:4020'])
    expect(allowed({ host })).toBe(true);
  for (const host of [
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    'local host',
  ])
    expect(allowed({ ...(host !== undefined && { host }) })).toBe(false);
});

test('an origin must be a loopback one, or beyond loopback the gateway’s own [gateway.http.origin-header]', () => {
  const host = 'localhost:4020';
  for (const origin of ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]'])
    expect(allowed({ host, origin })).toBe(true);
  for (const origin of ['', 'null', 'http://evil.example', 'http://localhost.evil.example'])
    expect(allowed({ host, origin })).toBe(false);
  expect(allowed({ host: 'gw.example', origin: 'https://gw.example' }, '0.0.0.0')).toBe(true);
  expect(allowed({ host: 'gw.example', origin: 'https://evil.example' }, '0.0.0.0')).toBe(false);
  expect(allowed({ host: 'not a host', origin: 'null' }, '0.0.0.0')).toBe(false);
});

test('behind a proxy the gateway’s public name passes too, and no other [gateway.http.host-header]', () => {
  const passes = (host: string) => checkOrigin(request({ host }), '127.0.0.1', 'gw.example') === null;
  expect(['gw.example', 'localhost:1', 'gw.example.evil', 'evil.example'].map(passes)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
