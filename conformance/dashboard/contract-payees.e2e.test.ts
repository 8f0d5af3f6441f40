import { expectOk } from '@countersign/local/dashboard-account';
import { callRpc } from '@countersign/local/json-rpc';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import type { Address } from '@countersign/protocol/address';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { payeeClaimTypedData } from '@countersign/protocol/dashboard/payee-claim';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../contracts/test-chain.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

const [here, elsewhere] = ['eip155:84532', 'eip155:1'];
const desk = newPrivateKey();
const domain = 'shop.example';

let chain: TestChain;
let dashboard: OwnDashboard;
let operator: string;
let mandateId: string;
let gateway: OwnDashboard['client'];
beforeAll(async () => {
  chain = await startTestChain();
  const wallet = { privateKey: desk, address: addressOfPrivateKey(keyBytes(desk)) };
  dashboard = await startOwnDashboard({
    SETTLEMENT_CHAIN_ID: '84532',
    EVM_RPC_URL: chain.url,
    OPERATOR_ADDRESSES: wallet.address,
  });
  operator = await dashboard.logIn(wallet);
  const { client, token, apiKey, url } = dashboard;
  const at = { baseUrl: new URL(url), timeoutMs: 10_000, apiKey };
  gateway = createClient(dashboardRoutes, dashboardDialect, at);
  const terms = { title: 'Agent', perTxLimit: '1', totalBudget: '20', validDays: 30 };
  const draft = expectOk('draft', await client.createMandate({ token, body: terms }));
  mandateId = draft.mandateId;
  const hash = hashTypedData(draft.typedData as Parameters<typeof hashTypedData>[0]);
  const signature = await sign({ hash, privateKey: dashboard.wallet.privateKey, to: 'hex' });
  expectOk('sign', await client.signMandate({ token, body: { mandateId, signature } }));
});
afterAll(async () => {
  await gateway?.close();
  await dashboard?.stop();
  await chain?.stop();
});

/** An account of its own that submits this payout address, with what was signed for it. */
async function submitter() {
  const privateKey = newPrivateKey();
  const account = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const token = await dashboard.logIn(account);
  return (address: Address, by: `0x${string}`, networks: string[] | null) => {
    const issuedAt = new Date().toISOString();
    const typedData = payeeClaimTypedData({ account: account.address, address, domain, issuedAt });
    const hash = hashTypedData(typedData as Parameters<typeof hashTypedData>[0]);
    return sign({ hash, privateKey: by, to: 'hex' }).then((signature) =>
      dashboard.client.submitBusiness({
        token,
        body: {
          legalName: 'Shop KG',
          domain,
          addresses: [{ address, networks, claim: { issuedAt, signature } }],
        },
      }),
    );
  };
}

async function admit(id: string) {
  const body = { decision: 'admit' as const, validUntil: new Date(Date.now() + 86_400_000).toISOString() };
  expectOk('admit', await dashboard.client.decideBusiness({ token: operator, params: { id }, body }));
}

let holds = 0;
async function hold(payee: Address, network: string) {
  const body = {
    holdId: `hld_${holds++}`,
    mandateId,
    amount: '0.01',
    ttlSeconds: 60,
    payee,
    chain: network,
  };
  const answer = await gateway.holdMandate({ body });
  return answer.kind === 'refused' ? answer.msg : answer.kind;
}

/** Says yes to every signature (ERC-1271), as a contract may that somebody else has elsewhere at this address. */
const saysYes = '0x631626ba7e60e01b60005260206000f3';
const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address as Address;

test('what a contract signs counts on the chain where it was asked, and nobody is paid by it on another [dashboard.business.contract] [dashboard.payees.networks.hold]', async () => {
  const contract = newAddress();
  await callRpc(chain.url, 'anvil_setCode', [contract, saysYes]);
  const submit = await submitter();
  const stranger = generatePrivateKey();
  const refused = await submit(contract, stranger, [here, elsewhere]);
  expect(refused).toMatchObject({
    kind: 'refused',
    status: 403,
    msg: expect.stringContaining(`counts on ${here} alone`),
  });
  const { business } = expectOk('submit', await submit(contract, stranger, null));
  expect(business.facts?.addresses).toEqual([{ address: contract, networks: [here] }]);
  await admit(business.id);
  const status = expectOk('check', await gateway.kycCheck({ body: { walletAddress: contract } }));
  expect(status.kycStatus).toBe('approved');
  expect(await hold(contract, here)).toBe('ok');
  expect(await hold(contract, elsewhere)).toBe('PAYEE_ON_OTHER_NETWORKS');
});

test('a key is one and the same on every chain: what it signs for any network is paid on any [dashboard.business.contract]', async () => {
  const key = generatePrivateKey();
  const address = privateKeyToAccount(key).address as Address;
  const submit = await submitter();
  const { business } = expectOk('submit', await submit(address, key, null));
  expect(business.facts?.addresses).toEqual([{ address, networks: null }]);
  await admit(business.id);
  for (const network of [here, elsewhere]) expect(await hold(address, network)).toBe('ok');
});
