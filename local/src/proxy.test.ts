import { expect, test } from 'vitest';
import { whyProxied } from './proxy.ts';

const proxy = { HTTPS_PROXY: 'http://proxy.example:3128' };

test('a proxy that Node was told to ask for everything is told, with the exception that it needs [system.start.proxy]', () => {
  for (const told of [
    { ...proxy, NODE_USE_ENV_PROXY: '1' },
    { http_proxy: 'http://proxy.example:3128', NODE_OPTIONS: '--enable-source-maps --use-env-proxy' },
    { ...proxy, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'corp.example' },
  ])
    expect(whyProxied(told, '24.21.0')).toMatch(/: set NO_PROXY=127\.0\.0\.1,localhost$/);
  expect(whyProxied({ ...proxy, NODE_USE_ENV_PROXY: '1' }, '24.21.0')).not.toContain('proxy.example');
});

test('a proxy that Node does not ask, or not for this machine, is in nobody’s way [system.start.proxy]', () => {
  for (const fine of [
    {},
    proxy,
    { NODE_USE_ENV_PROXY: '1' },
    { ...proxy, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost, 127.0.0.1' },
    { ...proxy, NODE_USE_ENV_PROXY: '1', no_proxy: '*' },
  ])
    expect(whyProxied(fine, '24.21.0')).toBeNull();
});

test('what each version of Node takes for being told to ask a proxy decides, as it was tried [system.start.proxy]', () => {
  const option = { NODE_OPTIONS: '--use-env-proxy' };
  const [one, zero] = [{ NODE_USE_ENV_PROXY: '1' }, { NODE_USE_ENV_PROXY: '0' }];
  for (const [version, asks] of [
    ['20.19.0', []],
    ['22.20.0', []],
    ['22.23.3', [one, option]],
    ['24.4.0', [one, zero]],
    ['24.21.0', [one, option]],
    ['26.12.1', [one, option]],
  ] as const) {
    const told = [one, zero, option].filter((env) => whyProxied({ ...proxy, ...env }, version) !== null);
    expect([version, told]).toEqual([version, [...asks]]);
  }
});
