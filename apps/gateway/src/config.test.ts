import { parseAmount } from '@countersign/protocol/amount';
import { describe, expect, test } from 'vitest';
import { type GatewayConfig, isLoopback, readGatewayConfig } from './config.ts';

const needed = {
  EVM_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
  DOWNSTREAM_MCP_URLS: 'http://127.0.0.1:1/mcp',
};

const errorsOf = (env: Record<string, string>, mode: 'stdio' | 'http' = 'stdio'): readonly string[] => {
  const read = readGatewayConfig({ ...needed, ...env }, mode);
  return read.ok ? [] : read.error;
};
function configOf(env: Record<string, string> = {}): GatewayConfig {
  const read = readGatewayConfig({ ...needed, ...env }, 'http');
  if (!read.ok) throw new Error(read.error.join('; '));
  return read.value;
}

test('the defaults are those of the documents', () => {
  const config = configOf();
  expect(config).toMatchObject({
    transport: 'auto',
    connectRetries: 3,
    downstreamTimeoutMs: 30_000,
    paymentTimeoutMs: 120_000,
    compliance: null,
    complianceChain: 'base',
    complianceTimeoutMs: 5000,
    rpcUrl: null,
    stateDir: '.countersign/gateway',
    http: { host: '127.0.0.1', port: 4020 },
    payment: {
      maxAmount: parseAmount('100'),
      maxUnmandatedAmount: parseAmount('1'),
      maxValiditySeconds: 600,
      methods: [],
      maxUnmandatedDaily: parseAmount('10'),
      missingCart: { otherwise: 'budget' },
    },
  });
  expect(config.payment.tokens.map(({ chainId, symbol }) => [chainId, symbol])).toEqual([[8453, 'USDC']]);
  expect(config.authTokens.size).toBe(0);
});

const bad: Record<string, readonly string[]> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://localhost:4317'],
  EVM_PRIVATE_KEY: [
    '11'.repeat(32),
    '0x11',
    `0x${'00'.repeat(32)}`,
    `0x${'ff'.repeat(32)}`,
    `0x${'zz'.repeat(32)}`,
  ],
  DOWNSTREAM_MCP_URLS: [
    'not a url',
    'ws://x/mcp',
    'http://user:pass@x/mcp',
    'http://a/mcp,,http://b/mcp',
    'bad id=http://a/mcp',
    `${'x'.repeat(65)}=http://a/mcp`,
    'a=http://a/mcp,a=http://b/mcp',
    'http://p\u0430y.example/mcp',
    'http://www.xn--py-7kc.example/mcp',
    'p\u0430y=http://pay.example/mcp',
  ],
  DOWNSTREAM_MCP_TRANSPORT: ['http', 'AUTO', 'stdio'],
  DOWNSTREAM_CONNECT_RETRIES: ['0', '11', '1.5', '-1', 'three', '1e1'],
  DOWNSTREAM_MCP_HEADERS: [
    '[]',
    '{',
    '"x"',
    '{"a": "x"}',
    '{"a": {"b": 1}}',
    '{"a": {"bad name": "x"}}',
    '{"a": {"b": "x\\r\\nevil: 1"}}',
    '{"unknown": {"b": "x"}}',
  ],
  TOOL_PINNING: ['no', 'OFF'],
  DISCOVERY_URLS: ['facilitator', 'ftp://x', 'http://user:pass@x', 'https://x,'],
  DOWNSTREAM_TIMEOUT_MS: ['0', '3600001', '1s'],
  PAYMENT_TIMEOUT_MS: ['0', '1.5'],
  COMPLIANCE_BASE_URL: ['dashboard', 'ftp://x', 'http://user:pass@x'],
  COMPLIANCE_TIMEOUT_MS: ['0', 'soon'],
  PAYMENT_NETWORKS: ['base', 'eip155:0', 'eip155:', 'solana:1', 'eip155:8453,', 'eip155:123456'],
  PAYMENT_ASSETS: [
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    'eip155:8453/USDC',
    `eip155:8453/0x${'11'.repeat(20)}`,
  ],
  PAYMENT_MAX_AMOUNT: ['-1', '1e3', '0x10', '1,5', 'NaN', 'all'],
  PAYMENT_UNMANDATED_MAX_AMOUNT: ['-1', 'one'],
  PAYMENT_UNMANDATED_DAILY: ['-1', 'ten'],
  PAYMENT_MAX_VALIDITY_SECONDS: ['9', '3601', '60.5'],
  CART_POLICY: ['allow', 'reject', 'budget,', 'budget,skip', 'a=reject', 'a=skip', 'require,a=budget'],
  CART_MANDATE_MISSING_POLICY: [
    'allow',
    'skip,',
    'skip,reject',
    'a=allow',
    '=skip',
    'a=skip=b',
    'a=skip,a=reject',
    'reject,a=skip',
    'challenge,a=skip',
    'reject,a=challenge',
  ],
  APPROVER_ADDRESSES: ['0x12', 'me', ''.padEnd(42, '0')],
  APPROVAL_ARGUMENTS: ['yes', 'none'],
  EVM_RPC_URL: ['ws://x', 'x'],
  GATEWAY_PORT: ['-1', '65536', 'http'],
  GATEWAY_AUTH_TOKENS: ['token', ':token', 'name:', 'na me:token', 'a:same,b:same'],
  LOG_LEVEL: ['loud'],
};
describe.each(Object.entries(bad))('%s', (name, values) => {
  test.each(values)('refuses %j, by the name of the variable', (value) => {
    const errors = errorsOf({ [name]: value });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(new RegExp(`^${name} `));
    expect(errors[0]).toMatch(/must|has|names|gives|is /);
  });
});

test('a missing dashboard is no error, and half of one is none at all [gateway.start.without-compliance]', () => {
  expect(configOf({ COMPLIANCE_BASE_URL: 'http://d' }).compliance).toBeNull();
  expect(configOf({ COMPLIANCE_API_KEY: 'k' }).compliance).toBeNull();
  const both = configOf({ COMPLIANCE_BASE_URL: 'http://d/x', COMPLIANCE_API_KEY: 'k' }).compliance;
  expect(both).toEqual({ baseUrl: new URL('http://d/x'), apiKey: 'k' });
});

test('services are URLs or id=url, and a query with = is no id [gateway.config.downstream-mcp-urls.fixed-id]', () => {
  const urls = 'http://a/mcp?x=1 , shop.v2=https://b/mcp?y=2';
  expect(configOf({ DOWNSTREAM_MCP_URLS: urls }).downstreams).toEqual([
    { serviceId: null, url: new URL('http://a/mcp?x=1') },
    { serviceId: 'shop.v2', url: new URL('https://b/mcp?y=2') },
  ]);
});

test('each wrong network is told with what to do about it', () => {
  expect(errorsOf({ PAYMENT_NETWORKS: 'eip155:8453,eip155:5,eip155:6' })).toHaveLength(2);
});

test('assets narrow the tokens down, and only on allowed networks', () => {
  const asset = 'eip155:84532/0x036cbd53842c5426634e7929541ec2318f3dcf7e';
  const networks = 'eip155:84532';
  expect(
    configOf({ PAYMENT_NETWORKS: networks, PAYMENT_ASSETS: asset }).payment.tokens.map((t) => t.chainId),
  ).toEqual([84532]);
  expect(errorsOf({ PAYMENT_ASSETS: asset })[0]).toMatch(/^PAYMENT_NETWORKS names eip155:8453/);
});

test('the cart policy has one word for all and pairs for some [gateway.config.cart-mandate-missing-policy.per-service]', () => {
  const { otherwise, byService } = configOf({
    // More trust than others have is for an id that nobody can take by calling himself so.
    DOWNSTREAM_MCP_URLS: 'shop=http://127.0.0.1:1/mcp',
    CART_MANDATE_MISSING_POLICY: 'challenge, shop=skip , other = reject',
  }).payment.missingCart;
  expect(otherwise).toBe('challenge');
  expect([...byService]).toEqual([
    ['shop', 'skip'],
    ['other', 'reject'],
  ]);
  expect(configOf({ CART_POLICY: 'a=require' }).payment.missingCart.otherwise).toBe('budget');
});

test('a wallet signs in only where its owner says so, and never instead of paying [gateway.config.payment-schemes]', () => {
  expect(configOf({}).schemes).toEqual(['exact']);
  expect(configOf({ PAYMENT_SCHEMES: 'exact' }).schemes).toEqual(['exact']);
  expect(configOf({ PAYMENT_SCHEMES: 'exact, mpp,sign-in-with-x' }).schemes).toEqual([
    'exact',
    'mpp',
    'sign-in-with-x',
  ]);
  for (const wrong of ['sign-in-with-x', 'exact,batch', 'exact,', 'EXACT', 'permit2'])
    expect(errorsOf({ PAYMENT_SCHEMES: wrong })).toEqual([
      'PAYMENT_SCHEMES must be exact, and after it permit2, upto, mpp and sign-in-with-x where they are wanted',
    ]);
});

test('what moves through Permit2 needs a chain to look at, and is off unless it is named [gateway.config.payment-schemes]', () => {
  const EVM_RPC_URL = 'http://127.0.0.1:8545';
  expect(configOf({ EVM_RPC_URL }).payment.methods).toEqual([]);
  const both = { PAYMENT_SCHEMES: 'exact,upto,permit2' };
  expect(configOf({ ...both, EVM_RPC_URL }).payment.methods).toEqual(['permit2', 'upto']);
  for (const PAYMENT_SCHEMES of ['exact,permit2', 'exact,upto'])
    expect(errorsOf({ PAYMENT_SCHEMES })).toEqual([
      'PAYMENT_SCHEMES names permit2 or upto, which need EVM_RPC_URL',
    ]);
});

test('keys that sign offers are given to services with a fixed id, and to no name that a service gives itself [gateway.config.offer-signers]', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const did = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
  const fixed = { DOWNSTREAM_MCP_URLS: 'shop=http://127.0.0.1:1/mcp' };
  const read = configOf({ ...fixed, OFFER_SIGNERS: `shop=${address}, shop=${did}` }).payment.offerSigners;
  expect([...(read ?? [])]).toMatchObject([['shop', [{ kind: 'address', address }, { kind: 'ed25519' }]]]);
  expect(configOf({}).payment.offerSigners).toEqual(new Map());
  expect(errorsOf({ ...fixed, OFFER_SIGNERS: `other=${address}` }).join()).toContain(
    'OFFER_SIGNERS has keys',
  );
  for (const wrong of [
    address,
    `shop=`,
    `shop=0x12`,
    `shop=${address},`,
    `a b=${address}`,
    `shop=did:web:a.example`,
  ])
    expect(errorsOf({ ...fixed, OFFER_SIGNERS: wrong })).toHaveLength(1);
});

test('OFFER_ORIGINS names origins of services in HTTP_SERVICES; anything else is an error [gateway.config.offer-origins]', () => {
  const fixed = {
    DOWNSTREAM_MCP_URLS: 'desk=http://127.0.0.1:1/mcp',
    HTTP_SERVICES: '{"shop":{"endpoint":"http://127.0.0.1:1/buy"}}',
  };
  const OFFER_ORIGINS = 'shop=https://shop.example, shop=http://shop.example:8080/';
  expect([...configOf({ ...fixed, OFFER_ORIGINS }).offerHosts]).toEqual([
    ['shop', ['shop.example', 'shop.example:8080']],
  ]);
  expect(configOf({}).offerHosts).toEqual(new Map());
  for (const service of ['other', 'desk'])
    expect(errorsOf({ ...fixed, OFFER_ORIGINS: `${service}=https://shop.example` })).toEqual([
      'OFFER_ORIGINS has an origin for a service that is not in HTTP_SERVICES',
    ]);
  for (const wrong of [
    'https://shop.example',
    'shop=',
    'shop=shop.example',
    'shop=https://shop.example/buy',
    'shop=https://shop.example?a',
    'shop=https://a:b@shop.example',
    'shop=mcp://tool',
    'shop=https://shop.example,',
  ])
    expect(errorsOf({ ...fixed, OFFER_ORIGINS: wrong })).toHaveLength(1);
});

test('a word under the variable’s earlier name means what it meant; both names at once are an error [gateway.config.cart-policy]', () => {
  const earlier = 'CART_MANDATE_MISSING_POLICY';
  for (const word of ['skip', 'challenge', 'reject'])
    expect(configOf({ [earlier]: word }).payment.missingCart.otherwise).toBe(word);
  for (const word of ['budget', 'skip', 'challenge', 'require'])
    expect(configOf({ CART_POLICY: word }).payment.missingCart.otherwise).toBe(word);
  expect(errorsOf({ [earlier]: 'skip', CART_POLICY: 'budget' })).toEqual([
    `${earlier} is the earlier name of CART_POLICY, and both are set`,
  ]);
});

test('a service earns no trust by calling itself as the owner calls another [gateway.attack.trust-by-fixed-id]', () => {
  const policy = { CART_MANDATE_MISSING_POLICY: 'reject,shop=skip' };
  expect(errorsOf(policy)).toEqual([
    'CART_MANDATE_MISSING_POLICY is more trusting than for others for an id that no entry of DOWNSTREAM_MCP_URLS fixes: write id=url there',
  ]);
  expect(errorsOf({ ...policy, DOWNSTREAM_MCP_URLS: 'shop=http://a/mcp,http://b/mcp' })).toEqual([]);
  expect(errorsOf({ CART_MANDATE_MISSING_POLICY: 'skip,shop=challenge,other=reject' })).toEqual([]);
});

test('one agent may have two tokens, for a change of tokens', () => {
  const tokens = configOf({ GATEWAY_AUTH_TOKENS: 'a:new, a:old, b:x:y' }).authTokens;
  expect([...tokens]).toEqual([
    ['new', 'a'],
    ['old', 'a'],
    ['x:y', 'b'],
  ]);
});

test('only loopback goes without tokens, and stdio never asks for them [gateway.auth.open-only-on-loopback]', () => {
  for (const host of ['127.0.0.1', '127.8.9.10', 'localhost', '::1', '[::1]'])
    expect(isLoopback(host)).toBe(true);
  for (const host of ['0.0.0.0', '::', '1127.0.0.1', '127.0.0.1.example', 'localhost.example', ''])
    expect(isLoopback(host)).toBe(false);
  expect(errorsOf({ GATEWAY_HOST: '0.0.0.0' }, 'http')).toHaveLength(1);
  expect(errorsOf({ GATEWAY_HOST: '0.0.0.0' }, 'stdio')).toEqual([]);
});

test('the key of an agent wallet is neither its owner nor an approver [gateway.config.owner-address]', () => {
  // The wallet of the key above.
  const wallet = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
  const owner = '0x1563915e194D8CfBA1943570603F7606A3115508';
  expect(configOf().ownerAddress).toBeNull();
  expect(configOf({ OWNER_ADDRESS: owner.toLowerCase() }).ownerAddress).toBe(owner);
  expect(errorsOf({ OWNER_ADDRESS: 'me' })).toMatchObject([expect.stringContaining('OWNER_ADDRESS')]);
  expect(errorsOf({ OWNER_ADDRESS: wallet })).toMatchObject([expect.stringContaining('OWNER_ADDRESS')]);
  expect(errorsOf({ APPROVER_ADDRESSES: wallet })).toEqual([]);
  expect(errorsOf({ OWNER_ADDRESS: owner, APPROVER_ADDRESSES: wallet })).toMatchObject([
    expect.stringContaining('APPROVER_ADDRESSES'),
  ]);
});
