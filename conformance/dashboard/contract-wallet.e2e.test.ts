import { oneOwnerWallet } from '@countersign/contracts/one-owner-wallet';
import { expectOk } from '@countersign/local/dashboard-account';
import { callRpc } from '@countersign/local/json-rpc';
import { type Address, addressText } from '@countersign/protocol/address';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { payeeClaimTypedData } from '@countersign/protocol/dashboard/payee-claim';
import {
  type RecoveryMessages,
  type RecoveryStatement,
  recoveryTypedData,
} from '@countersign/protocol/dashboard/recovery-statement';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import { createClient } from '@countersign/service/client';
import {
  concatHex,
  encodeDeployData,
  getContractAddress,
  hashMessage,
  hashTypedData,
  type Hex,
  keccak256,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../contracts/test-chain.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

const chainId = 84532;
/** anvil's first account, unlocked, and its deployer of contracts at addresses that are known before. */
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const salt = `0x${'00'.repeat(32)}` as const;

let chain: TestChain;
let dashboard: OwnDashboard;
beforeAll(async () => {
  chain = await startTestChain();
  dashboard = await startOwnDashboard({
    SETTLEMENT_CHAIN_ID: String(chainId),
    EVM_RPC_URL: chain.url,
    EVIDENCE_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
});
afterAll(async () => {
  await dashboard?.stop();
  await chain?.stop();
});

/** A wallet that is a contract of one owner: where it will be, how it is deployed, and how its owner signs for it. */
function newContractWallet() {
  const privateKey = generatePrivateKey();
  const { abi, bytecode } = oneOwnerWallet;
  const owner = privateKeyToAccount(privateKey).address;
  const code = encodeDeployData({ abi, bytecode, args: [owner] });
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt,
    bytecodeHash: keccak256(code),
  });
  const deployment = concatHex([salt, code]);
  const signHash = (hash: Hex) => sign({ hash, privateKey, to: 'hex' });
  const wrapped = async (hash: Hex) =>
    serializeErc6492Signature({ address: factory, data: deployment, signature: await signHash(hash) });
  return {
    address,
    owner,
    deploy: () =>
      callRpc(chain.url, 'eth_sendTransaction', [{ from: account, to: factory, data: deployment }]),
    sign: (message: string) => signHash(hashMessage(message)),
    /** With the way to deploy it wrapped around (ERC-6492). */
    signUndeployed: (message: string) => wrapped(hashMessage(message)),
    signTypedData: (typedData: unknown) => signHash(hashOf(typedData)),
    signTypedDataUndeployed: (typedData: unknown) => wrapped(hashOf(typedData)),
  };
}

const hashOf = (typedData: unknown): Hex => hashTypedData(typedData as Parameters<typeof hashTypedData>[0]);

async function logIn(
  on: OwnDashboard,
  wallet: { readonly address: Hex },
  signed: (message: string) => Promise<Hex>,
) {
  const nonce = await on.client.nonce({});
  if (nonce.kind !== 'ok') throw new Error('no nonce');
  const { host: domain, origin: uri } = new URL(on.url);
  const about = {
    domain,
    uri,
    version: '1',
    chainId,
    nonce: nonce.data.nonce,
    issuedAt: new Date(),
  } as const;
  const message = createSiweMessage({ address: wallet.address, ...about });
  return on.client.login({ body: { message, signature: await signed(message) } });
}

const refused = { kind: 'refused', status: 401, code: 'AUTHENTICATION_FAILED' };

test('a contract wallet logs in with what its owner signed, deployed or not yet [dashboard.login.contract-wallet]', async () => {
  const wallet = newContractWallet();
  expect(await logIn(dashboard, wallet, wallet.sign)).toMatchObject(refused);
  const first = await logIn(dashboard, wallet, wallet.signUndeployed);
  expect(first).toMatchObject({
    kind: 'ok',
    data: { account: { walletAddress: wallet.address, publicKey: null } },
  });
  await wallet.deploy();
  const second = await logIn(dashboard, wallet, wallet.sign);
  if (first.kind !== 'ok' || second.kind !== 'ok') throw new Error('must log in');
  expect(second.data.account).toEqual(first.data.account);
  const me = await dashboard.client.me({ token: second.data.token });
  expect(me).toMatchObject({ kind: 'ok', data: { account: { walletAddress: wallet.address } } });
});

test('what somebody else signed does not log a contract wallet in [dashboard.login.contract-wallet] [dashboard.login.wrong-signature]', async () => {
  const [wallet, other] = [newContractWallet(), newContractWallet()];
  await wallet.deploy();
  for (const signed of [
    other.sign,
    other.signUndeployed,
    async () => wallet.sign('another message'),
    async () => '0x' as const,
    async () => `0x${'ff'.repeat(65)}` as const,
  ])
    expect(await logIn(dashboard, wallet, signed)).toMatchObject(refused);
  // Its owner is another account than the wallet.
  expect(await logIn(dashboard, { address: wallet.owner }, wallet.sign)).toMatchObject({ kind: 'ok' });
});

test('a node of another chain is not believed, and neither is silence [dashboard.login.contract-wallet]', async () => {
  const wallet = newContractWallet();
  await wallet.deploy();
  for (const env of [
    { SETTLEMENT_CHAIN_ID: String(chainId) },
    { SETTLEMENT_CHAIN_ID: String(chainId), EVM_RPC_URL: 'http://127.0.0.1:1' },
  ]) {
    const deaf = await startOwnDashboard(env);
    expect(await logIn(deaf, wallet, wallet.sign)).toMatchObject(refused);
    await deaf.stop();
  }
  await callRpc(chain.url, 'anvil_setChainId', [8453]);
  expect(await logIn(dashboard, wallet, wallet.sign)).toMatchObject(refused);
  await callRpc(chain.url, 'anvil_setChainId', [chainId]);
  expect(await logIn(dashboard, wallet, wallet.sign)).toMatchObject({ kind: 'ok' });
});

/** A contract wallet that is logged in, not deployed so far. */
async function newOwner() {
  const wallet = newContractWallet();
  const { token } = expectOk('log in', await logIn(dashboard, wallet, wallet.signUndeployed));
  return { ...wallet, token };
}

const terms = { title: 'Research agent', perTxLimit: '1', totalBudget: '20', validDays: 30 };
const notSigned = { kind: 'refused', status: 403, code: 'UNAUTHORIZED_OPERATION' };

test('a contract wallet signs mandates, deployed or not yet; what it did not sign stays pending [dashboard.mandate.sign.contract-wallet] [dashboard.mandate.sign.wrong-signer]', async () => {
  const [owner, other] = [await newOwner(), newContractWallet()];
  const { token } = owner;
  const draft = async () => expectOk('draft', await dashboard.client.createMandate({ token, body: terms }));
  const signed = ({ mandateId }: { mandateId: string }, signature: string) =>
    dashboard.client.signMandate({ token, body: { mandateId, signature } });

  const [first, second] = [await draft(), await draft()];
  for (const bad of [
    await other.signTypedDataUndeployed(first.typedData),
    await owner.signTypedDataUndeployed(second.typedData),
    // There is no contract yet that could be asked without it.
    await owner.signTypedData(first.typedData),
    '0x',
  ])
    expect(await signed(first, bad)).toMatchObject(notSigned);
  const active = { kind: 'ok', data: { mandate: { status: 'active' } } };
  expect(await signed(first, await owner.signTypedDataUndeployed(first.typedData))).toMatchObject(active);
  await owner.deploy();
  expect(await signed(second, await other.signTypedData(second.typedData))).toMatchObject(notSigned);
  expect(await signed(second, await owner.signTypedData(second.typedData))).toMatchObject(active);
});

test('a contract wallet approves a payment, and nobody else for it [dashboard.approvals.approve.contract-wallet] [dashboard.approvals.approve.wrong-signer]', async () => {
  const [owner, other] = [await newOwner(), newContractWallet()];
  await owner.deploy();
  const { token } = owner;
  const { apiKey } = expectOk('key', await dashboard.client.createKey({ token, body: { name: 'gateway' } }));
  const gateway = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(dashboard.url),
    timeoutMs: 10_000,
    apiKey,
  });
  const message = {
    approvalId: 'apr_contract',
    serviceId: 'reports',
    toolName: 'write_report',
    argumentsHash: `0x${'ab'.repeat(32)}` as const,
    payer: owner.address as Address,
    payTo: other.address as Address,
    asset: factory as Address,
    amount: '5250000',
    expiresAt: new Date(Date.now() + 15 * 60_000).toISOString(),
  };
  const about = { amount: '5.25', currency: 'USDC', reason: 'PER_TX_LIMIT_EXCEEDED' };
  const typedData = paymentMandateTypedData(message, chainId);
  expectOk('ask', await gateway.createApproval({ body: { ...message, ...about, typedData } }));
  await gateway.close();
  const approve = (signature: string) =>
    dashboard.client.approveApproval({ token, params: { approvalId: 'apr_contract' }, body: { signature } });
  expect(await approve(await other.signTypedData(typedData))).toMatchObject(notSigned);
  expect(await approve(await owner.signTypedData(typedData))).toMatchObject({
    kind: 'ok',
    data: { approval: { state: 'approved' } },
  });
});

test('a payout address that is a contract signs for a business, deployed or not yet; what others signed is refused [dashboard.business.claim]', async () => {
  const submit = async (
    sign: (typedData: unknown) => Promise<Hex>,
    payout: { readonly address: Hex },
    domain = 'shop.invalid',
  ) => {
    const owner = await newOwner();
    const issuedAt = new Date().toISOString();
    const [account, address] = [addressText.parse(owner.address), addressText.parse(payout.address)];
    const signature = await sign(payeeClaimTypedData({ account, address, domain, issuedAt }));
    const addresses = [{ address, networks: null, claim: { issuedAt, signature } }];
    const body = { legalName: 'Shop', domain: 'shop.invalid', addresses };
    return dashboard.client.submitBusiness({ token: owner.token, body });
  };
  const [till, other] = [newContractWallet(), newContractWallet()];
  expect(await submit(till.signTypedData, till)).toMatchObject(notSigned);
  expect(await submit(other.signTypedDataUndeployed, till)).toMatchObject(notSigned);
  expect(await submit(till.signTypedDataUndeployed, till, 'other.invalid')).toMatchObject(notSigned);
  expect(await submit(till.signTypedDataUndeployed, till)).toMatchObject({ kind: 'ok' });
  await till.deploy();
  expect(await submit(till.signTypedData, till)).toMatchObject({ kind: 'ok' });
});

/** Terms of a statement about recovery with a fresh nonce, and what the wallet signs of it. */
async function stated<S extends RecoveryStatement>(
  sign: (typedData: unknown) => Promise<Hex>,
  name: S,
  message: Omit<RecoveryMessages[S], 'nonce'>,
) {
  const { nonce } = expectOk('nonce', await dashboard.client.nonce({}));
  const whole = { ...message, nonce } as RecoveryMessages[S];
  return { nonce, signature: await sign(recoveryTypedData(name, whole, chainId)) };
}

test('a contract wallet names another one, which recovers; what the contract becomes then changes nothing [dashboard.recovery.contract]', async () => {
  const [owner, helper, other] = [await newOwner(), await newOwner(), newContractWallet()];
  const { token } = owner;
  const [lost, recoveryAddress] = [addressText.parse(owner.address), addressText.parse(helper.address)];
  const { account } = expectOk('me', await dashboard.client.me({ token }));
  const name = async (sign: (typedData: unknown) => Promise<Hex>) => {
    const message = { accountId: account.id, wallet: lost, recoveryAddress };
    const proof = await stated(sign, 'NameRecoveryAddress', message);
    return dashboard.client.nameRecovery({ token, body: { recoveryAddress, ...proof } });
  };
  expect(await name(other.signTypedDataUndeployed)).toMatchObject(notSigned);
  expect(await name(owner.signTypedData)).toMatchObject(notSigned);
  expect(await name(owner.signTypedDataUndeployed)).toMatchObject({ kind: 'ok' });

  await helper.deploy();
  const me = expectOk('me', await dashboard.client.me({ token: helper.token }));
  const claim = async (sign: (typedData: unknown) => Promise<Hex>) => {
    const message = { wallet: lost, recoveryAddress, recoveringAccountId: me.account.id };
    const proof = await stated(sign, 'RecoverAccount', message);
    return dashboard.client.recoverAccount({ token: helper.token, body: { walletAddress: lost, ...proof } });
  };
  expect(await claim(other.signTypedData)).toMatchObject(notSigned);
  const claimed = expectOk('claim', await claim(helper.signTypedData));
  const id = claimed.recovery.namedBy[0]?.claim?.id ?? '';
  await callRpc(chain.url, 'anvil_setCode', [helper.address, '0x']);
  const withdrawn = await stated(helper.signTypedData, 'ObjectToRecovery', { id, wallet: recoveryAddress });
  expect(
    await dashboard.client.objectToRecovery({ token: helper.token, body: { id, ...withdrawn } }),
  ).toMatchObject(notSigned);
  const read = async () => expectOk('read', await dashboard.client.getRecovery({ token })).recovery.claim;
  expect(await read()).toMatchObject({ walletAddress: recoveryAddress });

  const objection = await stated(owner.signTypedDataUndeployed, 'ObjectToRecovery', { id, wallet: lost });
  expect(await dashboard.client.objectToRecovery({ token, body: { id, ...objection } })).toMatchObject({
    kind: 'ok',
  });
  expect(await read()).toBeNull();
});
