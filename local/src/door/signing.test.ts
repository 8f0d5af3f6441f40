import { decisionTypedData } from '@countersign/protocol/control/decision';
import { intentMandateTypedData } from '@countersign/protocol/dashboard/mandate-credential';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { recoverMessageAddress, recoverTypedDataAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { expect, test } from 'vitest';
import { newPrivateKey } from '../market.ts';
import { keyBytes } from '../private-key.ts';
import { signWish, type Wish, wish } from './signing.ts';

const privateKey = newPrivateKey();
const address = addressOfPrivateKey(keyBytes(privateKey));
const origin = 'http://127.0.0.1:4030';
const about = { wallet: { privateKey, address }, origin, chainId: 84_532 };

const logIn = (more: Partial<Parameters<typeof createSiweMessage>[0]> = {}) =>
  createSiweMessage({
    address,
    domain: '127.0.0.1:4030',
    uri: origin,
    version: '1',
    chainId: 84_532,
    nonce: 'a'.repeat(32),
    ...more,
  });

const mandate = intentMandateTypedData(
  {
    id: 'mdt_1',
    accountId: 'acc',
    payerAddress: address,
    perTxLimit: '1',
    totalBudget: '20',
    expiresAt: '2026-12-01T00:00:00.000Z',
  },
  84_532,
);
const approval = paymentMandateTypedData(
  {
    approvalId: 'apr_1',
    serviceId: 'quotes',
    toolName: 'get_report',
    argumentsHash: `0x${'1'.repeat(64)}`,
    payer: address,
    payTo: address,
    asset: address,
    amount: '5000000',
    expiresAt: '2026-12-01T00:00:00.000Z',
  },
  84_532,
);
const decision = decisionTypedData({
  executionId: 'exe_1',
  policyId: 'coffee',
  policyVersion: 3,
  service: 'shop',
  action: 'order',
  paramsHash: `sha256:${'0'.repeat(64)}`,
  decision: 'approve',
});

/** As it comes from a page: JSON, read by the schema. */
const asked = (wanted: unknown): Wish => wish.parse(JSON.parse(JSON.stringify(wanted)));

test('what the console has people sign is signed, and viem agrees [system.door.signs-only]', async () => {
  const text = logIn({ statement: 'Sign in to Countersign.' });
  const signed = signWish(asked({ text }), about);
  expect(await recoverMessageAddress({ message: text, signature: signed.ok ? signed.value : '0x' })).toBe(
    address,
  );
  for (const typedData of [mandate, approval, decision]) {
    const answer = signWish(asked({ typedData }), about);
    expect(answer.ok).toBe(true);
    const signature = answer.ok ? answer.value : '0x';
    const given = { ...typedData, signature } as Parameters<typeof recoverTypedDataAddress>[0];
    expect(await recoverTypedDataAddress(given)).toBe(address);
  }
});

const transfer = {
  domain: { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: address },
  types: { TransferWithAuthorization: [{ name: 'from', type: 'address' }] },
  primaryType: 'TransferWithAuthorization',
  message: { from: address },
};

test.each([
  ['a text', { text: 'I owe you' }],
  ['a cart', { text: '{"merchant_id":"1","total_amount":"5"}' }],
  ['a log-in at another site', { text: logIn({ domain: 'evil.example', uri: 'https://evil.example' }) }],
  ['a log-in at another port', { text: logIn({ domain: '127.0.0.1:4021', uri: 'http://127.0.0.1:4021' }) }],
  ['a log-in of another chain', { text: logIn({ chainId: 1 }) }],
  ['a log-in with words behind it', { text: `${logIn()}\nand more` }],
  ['a log-in of another key', { text: logIn({ address: `0x${'1'.repeat(40)}` }) }],
  ['a transfer of money', { typedData: transfer }],
  ['a type that is no own property', { typedData: { ...mandate, primaryType: 'constructor' } }],
  [
    'other fields under a known name',
    { typedData: { ...mandate, types: transfer.types, primaryType: 'IntentMandate' } },
  ],
  ['a mandate of another chain', { typedData: { ...mandate, domain: { ...mandate.domain, chainId: 1 } } }],
  ['a mandate without a field', { typedData: { ...mandate, message: { id: 'mdt_1' } } }],
  ['a mandate with a field more', { typedData: { ...mandate, message: { ...mandate.message, also: '1' } } }],
  [
    'an address that is none',
    { typedData: { ...mandate, message: { ...mandate.message, payerAddress: '0x12' } } },
  ],
])('%s is not signed [system.door.signs-only]', (_, wanted) => {
  expect(signWish(asked(wanted), about).ok).toBe(false);
});
