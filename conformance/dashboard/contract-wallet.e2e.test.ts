import { oneOwnerWallet } from '@countersign/contracts/one-owner-wallet';
import { callRpc } from '@countersign/local/json-rpc';
import {
  concatHex,
  encodeDeployData,
  getContractAddress,
  hashMessage,
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
  dashboard = await startOwnDashboard({ SETTLEMENT_CHAIN_ID: String(chainId), EVM_RPC_URL: chain.url });
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
  return {
    address,
    owner,
    deploy: () =>
      callRpc(chain.url, 'eth_sendTransaction', [{ from: account, to: factory, data: deployment }]),
    sign: (message: string) => signHash(hashMessage(message)),
    /** With the way to deploy it wrapped around (ERC-6492). */
    signUndeployed: async (message: string) =>
      serializeErc6492Signature({
        address: factory,
        data: deployment,
        signature: await signHash(hashMessage(message)),
      }),
  };
}

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

const refused = { kind: 'refused', status: 401, code: 80000019 };

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
