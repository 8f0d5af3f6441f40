import { expect, test } from 'vitest';
import { readGatewayConfig } from '../config.ts';

const key = `0x${'11'.repeat(32)}`;
const read = (services: unknown, more: Record<string, string> = {}) =>
  readGatewayConfig({ EVM_PRIVATE_KEY: key, HTTP_SERVICES: JSON.stringify(services), ...more }, 'stdio');
const errorsOf = (services: unknown, more: Record<string, string> = {}) => {
  const config = read(services, more);
  return config.ok ? [] : config.error;
};

test('documents and endpoints are named, and then no MCP service need be [gateway.config.http-services]', () => {
  const config = read({
    weather: { openapi: 'https://api.example.com/openapi.json', server: 'https://calls.example.com/v2' },
    quote: { endpoint: 'https://quotes.example/{symbol}', method: 'POST', inputSchema: { type: 'object' } },
    bare: { endpoint: 'http://127.0.0.1:1/x' },
  });
  expect(config).toMatchObject({
    ok: true,
    value: {
      downstreams: [],
      httpServices: [
        { kind: 'openapi', serviceId: 'weather', server: { href: 'https://calls.example.com/v2' } },
        { kind: 'endpoint', serviceId: 'quote', method: 'POST', inputSchema: { type: 'object' } },
        { kind: 'endpoint', serviceId: 'bare', method: 'GET', name: null, inputSchema: null },
      ],
    },
  });
  const noUrls = ['DOWNSTREAM_MCP_URLS is required: comma-separated URLs, or id=url'];
  expect(readGatewayConfig({ EVM_PRIVATE_KEY: key }, 'stdio')).toEqual({ ok: false, error: noUrls });
});

const credential = '3e4666bf-d5e5-4aa7-b8ce-cefe41c7568a';

test('a service with a credential needs the vault and its token [gateway.config.http-services]', () => {
  const headers = { authorization: 'Bearer {{CREDENTIAL.key}}' };
  const errors = errorsOf({ a: { endpoint: 'https://a.example', credential, headers } });
  expect(errors).toEqual([
    expect.stringMatching(/^VAULT_URL is required/),
    expect.stringMatching(/^VAULT_TOKEN is required/),
  ]);
});

test.each([
  [[]],
  ['text'],
  [{ 'bad id': { openapi: 'https://a.example' } }],
  [{ a: 'https://a.example' }],
  [{ a: {} }],
  [{ a: { openapi: 'https://a.example', endpoint: 'https://a.example' } }],
  [{ a: { openapi: 'file:///etc/passwd' } }],
  [{ a: { openapi: 'https://user:hunter2@a.example' } }],
  [{ a: { openapi: 'https://xn--80ak6aa92e.com/' } }],
  [{ a: { endpoint: 'https://a.example', method: 'TRACE' } }],
  [{ a: { endpoint: 'https://a.example', method: 'DELETE' } }],
  [{ a: { endpoint: 'https://a.example', inputSchema: { type: 'string' } } }],
  [{ a: { endpoint: 'https://a.example', headers: { authorization: 'hunter2' } } }],
  [{ a: { endpoint: 'https://a.example', credential, headers: { authorization: 'hunter2' } } }],
  [
    {
      a: {
        endpoint: 'https://a.example',
        credential,
        headers: { 'payment-signature': '{{CREDENTIAL.key}}' },
      },
    },
  ],
  [{ a: { endpoint: 'https://a.example', credential, headers: { authorization: '{{ CREDENTIAL.key }}' } } }],
  [{ a: { endpoint: 'https://a.example', headers: { authorization: '{{CREDENTIAL.key}}' } } }],
  [{ a: { endpoint: 'https://a.example', credential } }],
])('%j is refused, and no value is repeated [gateway.config.http-services]', (services) => {
  const errors = errorsOf(services);
  expect(errors).toEqual([expect.stringMatching(/^HTTP_SERVICES must/)]);
  expect(errors.join()).not.toContain('hunter2');
});

test('an id names one service, of either kind, and may be trusted more as any fixed id [gateway.config.http-services]', () => {
  const services = { quote: { endpoint: 'https://quotes.example/' } };
  expect(errorsOf(services, { DOWNSTREAM_MCP_URLS: 'quote=https://a.example/mcp' })).toEqual([
    'HTTP_SERVICES names a service "quote", as DOWNSTREAM_MCP_URLS does',
  ]);
  expect(errorsOf(services, { CART_POLICY: 'require,quote=budget' })).toEqual([]);
});
