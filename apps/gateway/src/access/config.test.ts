import { expect, test } from 'vitest';
import { readGatewayConfig } from '../config.ts';

const needed = { EVM_PRIVATE_KEY: `0x${'11'.repeat(32)}`, DOWNSTREAM_MCP_URLS: 'http://127.0.0.1:1/mcp' };
const owned = {
  OWNER_ADDRESS: '0x00000000000000000000000000000000000000aa',
  COMPLIANCE_BASE_URL: 'http://127.0.0.1:4021',
  COMPLIANCE_API_KEY: 'key',
};
const oauth = { GATEWAY_PUBLIC_URL: 'https://gateway.example', OAUTH_ISSUER: 'https://dashboard.example' };

const read = (env: Record<string, string>, mode: 'http' | 'stdio' = 'http') =>
  readGatewayConfig({ ...needed, ...env }, mode);
const errorsOf = (env: Record<string, string>): readonly string[] => {
  const config = read(env);
  return config.ok ? [] : config.error;
};

test('both settings make the gateway a protected resource, without them nothing does [gateway.oauth.config]', () => {
  expect(read({ ...owned, ...oauth })).toMatchObject({
    ok: true,
    value: { access: { resource: 'https://gateway.example/mcp', issuer: 'https://dashboard.example' } },
  });
  expect(read(owned)).toMatchObject({ ok: true, value: { access: null } });
  expect(read({ ...owned, ...oauth }, 'stdio')).toMatchObject({ ok: true, value: { access: null } });
});

test('one without the other, or without an owner and a dashboard, is refused [gateway.oauth.config]', () => {
  const { GATEWAY_PUBLIC_URL, OAUTH_ISSUER } = oauth;
  expect(errorsOf({ ...owned, GATEWAY_PUBLIC_URL })).toEqual([expect.stringContaining('OAUTH_ISSUER')]);
  expect(errorsOf({ ...owned, OAUTH_ISSUER })).toEqual([expect.stringContaining('GATEWAY_PUBLIC_URL')]);
  expect(errorsOf(oauth)).toEqual([
    expect.stringContaining('OWNER_ADDRESS'),
    expect.stringContaining('COMPLIANCE_API_KEY'),
  ]);
});

test('tokens travel in the clear on this machine alone, and addresses are origins [gateway.oauth.config]', () => {
  for (const url of [
    'http://127.0.0.1:4020',
    'http://localhost:4020',
    'http://[::1]:4020',
    'https://gw.example:8443',
  ])
    expect(errorsOf({ ...owned, ...oauth, GATEWAY_PUBLIC_URL: url })).toEqual([]);
  for (const url of [
    'http://gw.example',
    'https://gw.example/mcp',
    'https://gw.example/?a',
    'ftp://gw.example',
    'gw',
  ])
    expect(errorsOf({ ...owned, ...oauth, GATEWAY_PUBLIC_URL: url })).toEqual([
      expect.stringContaining('GATEWAY_PUBLIC_URL'),
      expect.stringContaining('GATEWAY_PUBLIC_URL'),
    ]);
});

test('beyond loopback OAuth is enough: no other token has to be set [gateway.oauth.config]', () => {
  expect(errorsOf({ ...owned, ...oauth, GATEWAY_HOST: '0.0.0.0' })).toEqual([]);
  expect(errorsOf({ ...owned, GATEWAY_HOST: '0.0.0.0' })).toEqual([
    expect.stringContaining('GATEWAY_AUTH_TOKENS'),
  ]);
});
