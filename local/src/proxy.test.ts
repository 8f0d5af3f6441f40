import { expect, test } from 'vitest';
import { whyProxied } from './proxy.ts';

const proxy = { HTTPS_PROXY: 'http://proxy.example:3128' };

test('a proxy that Node was told to ask for everything is told, with the exception that it needs [system.start.proxy]', () => {
  for (const told of [
    { ...proxy, NODE_USE_ENV_PROXY: '1' },
    { http_proxy: 'http://proxy.example:3128', NODE_OPTIONS: '--enable-source-maps --use-env-proxy' },
    { ...proxy, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'corp.example' },
  ])
    expect(whyProxied(told)).toMatch(/: set NO_PROXY=127\.0\.0\.1,localhost$/);
  expect(whyProxied({ ...proxy, NODE_USE_ENV_PROXY: '1' })).not.toContain('proxy.example');
});

test('a proxy that Node does not ask, or not for this machine, is in nobody’s way [system.start.proxy]', () => {
  for (const fine of [
    {},
    proxy,
    { NODE_USE_ENV_PROXY: '1' },
    { ...proxy, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost, 127.0.0.1' },
    { ...proxy, NODE_USE_ENV_PROXY: '1', no_proxy: '*' },
  ])
    expect(whyProxied(fine)).toBeNull();
});
