import { expectOk } from '@countersign/local/dashboard-account';
import { callRpc } from '@countersign/local/json-rpc';
import type { Address } from '@countersign/protocol/address';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import { createClient } from '@countersign/service/client';
import { hashMessage, hashTypedData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../contracts/test-chain.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

const chainId = 84532;

let chain: TestChain;
let dashboard: OwnDashboard;
beforeAll(async () => {
  chain = await startTestChain();
  dashboard = await startOwnDashboard({ SETTLEMENT_CHAIN_ID: String(chainId), EVM_RPC_URL: chain.url });
});
afterAll(async () => {
  await dashboard?.stop();
  await chain?.stop();
});

/** Makes a signature of a 32-byte hash, by whomever and in whatever form. */
type Signs = (hash: Hex) => Promise<Hex>;

const keyOf =
  (privateKey: Hex): Signs =>
  (hash) =>
    sign({ hash, privateKey, to: 'hex' });

const setCode = (address: Address, code: Hex) => callRpc(chain.url, 'anvil_setCode', [address, code]);
/** Returns the magic value of ERC-1271 (`0x1626ba7e`) whatever it is asked; and one that reverts. */
const saysYes = '0x631626ba7e60e01b60005260206000f3';
const saysNothing = '0x60006000fd';

const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address as Address;

async function logIn(address: Address, signs: Signs) {
  const { nonce } = expectOk('nonce', await dashboard.client.nonce({}));
  const { host: domain, origin: uri } = new URL(dashboard.url);
  const about = { domain, uri, version: '1', chainId, nonce, issuedAt: new Date() } as const;
  const message = createSiweMessage({ address, ...about });
  return dashboard.client.login({ body: { message, signature: await signs(hashMessage(message)) } });
}

const hashOf = (typedData: unknown): Hex => hashTypedData(typedData as Parameters<typeof hashTypedData>[0]);

async function signMandate(token: string, signs: Signs) {
  const body = { title: 'Research agent', perTxLimit: '1', totalBudget: '20', validDays: 30 };
  const { mandateId, typedData } = expectOk('draft', await dashboard.client.createMandate({ token, body }));
  const signature = await signs(hashOf(typedData));
  return dashboard.client.signMandate({ token, body: { mandateId, signature } });
}

let approvals = 0;

async function approve(payer: Address, token: string, signs: Signs) {
  const { apiKey } = expectOk('key', await dashboard.client.createKey({ token, body: { name: 'gateway' } }));
  const gateway = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(dashboard.url),
    timeoutMs: 10_000,
    apiKey,
  });
  const approvalId = `apr_${approvals++}`;
  const message = {
    approvalId,
    serviceId: 'reports',
    toolName: 'write_report',
    argumentsHash: `0x${'ab'.repeat(32)}` as const,
    payer,
    payTo: newAddress(),
    asset: newAddress(),
    amount: '5250000',
    expiresAt: new Date(Date.now() + 15 * 60_000).toISOString(),
  };
  const about = { amount: '5.25', currency: 'USDC', reason: 'PER_TX_LIMIT_EXCEEDED' };
  const typedData = paymentMandateTypedData(message, chainId);
  expectOk('ask', await gateway.createApproval({ body: { ...message, ...about, typedData } }));
  await gateway.close();
  const signature = await signs(hashOf(typedData));
  return dashboard.client.approveApproval({ token, params: { approvalId }, body: { signature } });
}

/** What becomes of it at login, over a mandate and over an approval: the HTTP status where it is refused. */
async function judged(address: Address, token: string, signs: Signs) {
  const answers = [
    await logIn(address, signs),
    await signMandate(token, signs),
    await approve(address, token, signs),
  ];
  return answers.map((answer) => (answer.kind === 'refused' ? answer.status : answer.kind));
}

const accepted = ['ok', 'ok', 'ok'];
const notTheirs = [401, 403, 403];

test('a wallet that is a contract may sign with as many bytes as it logs in with [dashboard.signature.length]', async () => {
  const wallet = newAddress();
  await setCode(wallet, saysYes);
  const bytes =
    (count: number): Signs =>
    async () =>
      `0x${'ab'.repeat(count)}`;
  const { token } = expectOk('log in', await logIn(wallet, bytes(65)));
  // A passkey's signature with the way to deploy its wallet is some 3 kB.
  for (const count of [1, 3_000, 16_383]) expect(await judged(wallet, token, bytes(count))).toEqual(accepted);
  expect(await judged(wallet, token, bytes(16_384))).toEqual([400, 400, 400]);
});

test('a wallet that has logged in with a key signs with that key everywhere, whatever code it was given since [dashboard.signature.key-stays]', async () => {
  const [key, stranger] = [generatePrivateKey(), keyOf(generatePrivateKey())];
  const address = privateKeyToAccount(key).address as Address;
  const { token } = expectOk('log in', await logIn(address, keyOf(key)));
  // As an account of EIP-7702 that was talked into delegating to somebody's contract.
  await setCode(address, saysYes);
  expect(await judged(address, token, stranger)).toEqual(notTheirs);
  expect(await judged(address, token, keyOf(key))).toEqual(accepted);
  await setCode(address, saysNothing);
  expect(await judged(address, token, keyOf(key))).toEqual(accepted);
});

test('a contract that is no more says yes no more [dashboard.signature.key-stays]', async () => {
  const wallet = newAddress();
  await setCode(wallet, saysYes);
  const stranger = keyOf(generatePrivateKey());
  const { token } = expectOk('log in', await logIn(wallet, stranger));
  expect(await judged(wallet, token, stranger)).toEqual(accepted);
  await setCode(wallet, '0x');
  expect(await judged(wallet, token, stranger)).toEqual(notTheirs);
});
