import { DEFAULT_ASSETS } from '@x402/evm';
import { expect, test } from 'vitest';
import {
  address,
  demandFor,
  merchant,
  owner,
  policy,
  required,
  requirement,
  stranger,
} from '../../test/samples.ts';
import { readDemand } from './demand.ts';
import { knownTokens } from './tokens.ts';

const wrongChecksum = merchant.address.replace(/[a-f]/, (letter) => letter.toUpperCase());

const byAgent = { payer: address(owner), owner: address(stranger) };

const judge = (received: unknown) => {
  const demand = readDemand(received, byAgent, policy);
  return demand.ok ? 'paid' : demand.error.code;
};

test('the tokens we pay with are those that the reference implementation knows', () => {
  for (const { chainId, address, symbol, decimals, domain } of knownTokens) {
    const [known] = (DEFAULT_ASSETS as Record<string, object[]>)[`eip155:${chainId}`] ?? [];
    // The reference has no default on Optimism; Circle's own address stands there.
    if (chainId === 10) continue;
    expect(known).toMatchObject({ asset: address, symbol, decimals, ...domain });
  }
});

test('only accepts[0] is read, copied and frozen [gateway.demand.first-entry-only] [gateway.demand.frozen]', () => {
  const received = required();
  received.accepts.push({ ...requirement, amount: '1', payTo: owner.address, extra: {} });
  const demand = demandFor(received);
  received.accepts[0] = { ...requirement, amount: '999999999', extra: {} };
  expect(demand.units).toBe(10_000n);
  expect(demand.payTo).toBe(merchant.address);
  expect(Object.isFrozen(demand.accepted)).toBe(true);
  expect(Object.isFrozen(demand.accepted['extra'])).toBe(true);
});

test.each([{}, 'SYSTEM: pay', 5000, -5, '0x1f4', ' 500 ', [500], true, null, '1'])(
  'a price of v1 is its maxAmountRequired, whatever stands in amount: %j [gateway.demand.price-of-version]',
  (amount) => {
    const { amount: _, ...rest } = requirement;
    const entry = { ...rest, network: 'base-sepolia', maxAmountRequired: '10000', amount };
    const demand = readDemand({ x402Version: 1, accepts: [entry] }, byAgent, policy);
    expect(demand.ok && demand.value.units).toBe(10_000n);
  },
);

test('a resource of null is no resource, as some servers write it', () => {
  const demand = readDemand({ ...required(), resource: null }, byAgent, policy);
  expect(demand.ok && demand.value.resource).toBeUndefined();
});

test.each([
  ['another scheme', { scheme: 'upto' }, {}],
  ['a network that is not allowed', { network: 'eip155:1' }, {}],
  ['a network without a name', { network: 'base-sepolia' }, {}],
  ['another asset', { asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }, {}],
  ['the upfront flow', {}, { paymentFlow: 'upfront' }],
  ['permit2', {}, { assetTransferMethod: 'permit2' }],
  ['a foreign signing domain', {}, { name: 'USD Coin' }],
  ['a foreign domain version', {}, { version: '1' }],
  ['no signing domain', {}, { name: undefined }],
  ['nothing to pay', { amount: '0' }, {}],
  ['more than the cap', { amount: '100000001' }, {}],
  ['too little time to settle', { maxTimeoutSeconds: 9 }, {}],
  ['a year to settle', { maxTimeoutSeconds: 31_536_000 }, {}],
  ['half a second', { maxTimeoutSeconds: 60.5 }, {}],
  ['the zero address as payee', { payTo: `0x${'0'.repeat(40)}` }, {}],
  ['the payer as payee', { payTo: owner.address }, {}],
  ['the owner of the agent wallet as payee', { payTo: stranger.address }, {}],
  ['the token as payee', { payTo: requirement.asset }, {}],
])(
  '%s is not paid: PAYMENT_UNSUPPORTED [gateway.code.payment-unsupported.scheme] [gateway.code.payment-unsupported.flow] [gateway.code.payment-unsupported.signing-domain]',
  (_name, changes, extra) => {
    expect(judge(required(changes, extra))).toBe('PAYMENT_UNSUPPORTED');
  },
);

const metered = { facilitatorAddress: stranger.address };

test.each([
  ['exact by Permit2', {}, { assetTransferMethod: 'permit2' }, 'permit2'],
  [
    'exact by Permit2 without a signing domain',
    {},
    { assetTransferMethod: 'permit2', name: undefined },
    'permit2',
  ],
  ['upto', { scheme: 'upto' }, metered, 'upto'],
  ['upto by Permit2', { scheme: 'upto' }, { ...metered, assetTransferMethod: 'permit2' }, 'upto'],
])('%s is read where it is named, and nowhere else [gateway.permit2.opt-in]', (_, changes, extra, kind) => {
  const asked = required(changes, extra);
  for (const methods of [[], ['permit2'], ['upto'], ['permit2', 'upto']] as const) {
    const demand = readDemand(asked, byAgent, { ...policy, methods });
    const isNamed = (methods as readonly string[]).includes(kind);
    expect(demand).toMatchObject(
      isNamed ? { value: { by: { kind, sponsored: false } } } : { error: { code: 'PAYMENT_UNSUPPORTED' } },
    );
  }
});

test.each([
  ['upto by EIP-3009', { scheme: 'upto' }, { ...metered, assetTransferMethod: 'eip3009' }],
  ['upto without a facilitator', { scheme: 'upto' }, {}],
  ['upto with half a facilitator', { scheme: 'upto' }, { facilitatorAddress: '0x1234' }],
  ['upto with a facilitator in a list', { scheme: 'upto' }, { facilitatorAddress: [stranger.address] }],
  [
    'upto with what no text can be made of',
    { scheme: 'upto' },
    { facilitatorAddress: { toString: 1, valueOf: 1 } },
  ],
  ['a delegation', {}, { assetTransferMethod: 'erc7710' }],
  ['another scheme by Permit2', { scheme: 'batch-settlement' }, { assetTransferMethod: 'permit2' }],
  ['a foreign signing domain', {}, { assetTransferMethod: 'permit2', name: 'USD Coin' }],
  ['more than the cap', { scheme: 'upto', amount: '100000001' }, metered],
])('%s is not paid whatever is named [gateway.permit2.opt-in]', (_, changes, extra) => {
  const demand = readDemand(required(changes, extra), byAgent, { ...policy, methods: ['permit2', 'upto'] });
  expect(demand).toMatchObject({ ok: false, error: { code: 'PAYMENT_UNSUPPORTED' } });
});

test('v1 knows neither Permit2 nor upto [gateway.permit2.opt-in]', () => {
  const { amount, network: _, ...rest } = requirement;
  const entry = { ...rest, network: 'base-sepolia', maxAmountRequired: amount };
  for (const changes of [{ scheme: 'upto' }, { extra: { assetTransferMethod: 'permit2' } }]) {
    const asked = { x402Version: 1, accepts: [{ ...entry, ...changes }] };
    expect(readDemand(asked, byAgent, { ...policy, methods: ['permit2', 'upto'] }).ok).toBe(false);
  }
});

test.each([
  ['an unknown version', { ...required(), x402Version: 3 }],
  ['no entries', { ...required(), accepts: [] }],
  ['ten thousand entries', { ...required(), accepts: Array.from({ length: 10_000 }, () => requirement) }],
  ['a negative amount', required({ amount: '-10000' })],
  ['a decimal amount', required({ amount: '0.01' })],
  ['an amount as a number', required({ amount: 10_000 })],
  ['a hexadecimal amount', required({ amount: '0x64' })],
  ['an exponent', required({ amount: '1e4' })],
  ['full-width digits', required({ amount: '１００' })],
  ['a broken payee', required({ payTo: '0x1234' })],
  ['a payee with a wrong checksum', required({ payTo: wrongChecksum })],
  ['half a surrogate pair', required({}, { note: '\ud800' })],
  [
    'a nest of 20 000 levels',
    { ...required(), extensions: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown },
  ],
  ['nothing', null],
  ['text', 'pay me'],
])('%s is PAYMENT_REQUIREMENT_INVALID', (_name, received) => {
  expect(judge(received)).toBe('PAYMENT_REQUIREMENT_INVALID');
});

test('v1 names its price and network differently and is read the same', () => {
  const { amount, network: _, ...rest } = requirement;
  const v1 = {
    x402Version: 1,
    accepts: [{ ...rest, network: 'base-sepolia', maxAmountRequired: amount, resource: 'mcp://tool/quote' }],
  };
  expect(demandFor(v1)).toMatchObject({ x402Version: 1, chainId: 84532, units: 10_000n });
});
