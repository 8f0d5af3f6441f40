import {
  type Address,
  BaseError,
  createTestClient,
  defineChain,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  http,
  parseEventLogs,
  parseSignature,
  publicActions,
  serializeSignature,
  type TransactionReceipt,
  toHex,
  walletActions,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usdcAddress } from './src/addresses.ts';
import { oneOwnerWallet } from './src/one-owner-wallet.ts';
import { testUsdc } from './src/test-usdc.ts';
import { startTestChain, type TestChain } from './test-chain.ts';

const { abi } = testUsdc;
const primaryType = 'TransferWithAuthorization';
const domain = { name: 'USDC', version: '2', chainId: 84532, verifyingContract: usdcAddress } as const;
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

type Authorization = Record<'value' | 'validAfter' | 'validBefore', bigint> & {
  from: Address;
  to: Address;
  nonce: Hex;
};

/** anvil's first account, unlocked: it carries every authorization here and signs none. */
const carrier = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const merchant = '0x00000000000000000000000000000000000A11cE';

let chain: TestChain;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  chain = await startTestChain();
  client = connect(chain.url);
  await client.setCode({ address: usdcAddress, bytecode: testUsdc.deployedBytecode });
});

afterAll(() => chain?.stop());

describe.each([
  { overload: 'v, r, s', encode: encodeSplit },
  { overload: 'bytes', encode: encodeBytes },
])('transferWithAuthorization by $overload', ({ encode }) => {
  test('moves the money, uses the nonce up and says so', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address, { value: 300n });
    expect(await isUsed(authorization)).toBe(false);
    const before = await balanceOf(merchant);

    const { logs } = await mine(encode(authorization, await sign(payer, authorization)));

    expect(await isUsed(authorization)).toBe(true);
    expect(await balanceOf(payer.address)).toBe(700n);
    expect(await balanceOf(merchant)).toBe(before + 300n);
    expect(parseEventLogs({ abi, logs })).toMatchObject([
      { eventName: 'AuthorizationUsed', args: { authorizer: payer.address, nonce: authorization.nonce } },
      { eventName: 'Transfer', args: { from: payer.address, to: merchant, value: 300n } },
    ]);
  });

  test('refuses a replay, by this overload and by the other', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address, { value: 300n });
    const signature = await sign(payer, authorization);
    await mine(encode(authorization, signature));

    for (const replay of [encodeSplit(authorization, signature), encodeBytes(authorization, signature)]) {
      expect(await refusal(replay)).toBe('FiatTokenV2: authorization is used or canceled');
    }
    expect(await balanceOf(payer.address)).toBe(700n);
  });

  test('refuses more than the balance and leaves the nonce unused', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address, { value: 1001n });

    const data = encode(authorization, await sign(payer, authorization));

    expect(await refusal(data)).toBe('ERC20: transfer amount exceeds balance');
    expect(await balanceOf(payer.address)).toBe(1000n);
    expect(await isUsed(authorization)).toBe(false);
  });

  test('refuses one that is expired', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address, { validBefore: await latestTimestamp() });
    const data = encode(authorization, await sign(payer, authorization));
    expect(await refusal(data)).toBe('FiatTokenV2: authorization is expired');
  });

  test('refuses one that is not yet valid', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address, { validAfter: (await latestTimestamp()) + 3600n });
    const data = encode(authorization, await sign(payer, authorization));
    expect(await refusal(data)).toBe('FiatTokenV2: authorization is not yet valid');
  });

  test('refuses the signature of somebody else', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address);
    const data = encode(authorization, await sign(newAccount(), authorization));
    expect(await refusal(data)).toBe('FiatTokenV2: invalid signature');
  });

  test.each([
    { field: 'payee', change: { to: carrier } },
    { field: 'value', change: { value: 301n } },
    { field: 'start', change: { validAfter: 1n } },
    { field: 'end', change: { validBefore: 2n ** 65n } },
    { field: 'nonce', change: { nonce: toHex(1, { size: 32 }) } },
  ] as const)('refuses another $field than was signed', async ({ change }) => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address, { value: 300n });
    const data = encode({ ...authorization, ...change }, await sign(payer, authorization));
    expect(await refusal(data)).toBe('FiatTokenV2: invalid signature');
  });

  test.each([
    { part: 'chain', change: { chainId: 8453 } },
    { part: 'contract', change: { verifyingContract: merchant } },
    { part: 'name', change: { name: 'USD Coin' } },
    { part: 'version', change: { version: '1' } },
  ] as const)('refuses a signature for another $part', async ({ change }) => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address);
    const data = encode(authorization, await sign(payer, authorization, { ...domain, ...change }));
    expect(await refusal(data)).toBe('FiatTokenV2: invalid signature');
  });

  test('refuses the high-s twin of a good signature', async () => {
    const payer = await fundedAccount(1000n);
    const authorization = authorizationOf(payer.address);
    const data = encode(authorization, highTwin(await sign(payer, authorization)));
    expect(await refusal(data)).toBe("ECRecover: invalid signature 's' value");
  });

  test('refuses garbage as a signature of the zero address', async () => {
    // No point of the curve has x = 5, so nobody made this signature.
    const garbage = serializeSignature({ r: toHex(5, { size: 32 }), s: toHex(1, { size: 32 }), yParity: 0 });
    const data = encode(authorizationOf(zeroAddress, { value: 0n }), garbage);
    expect(await refusal(data)).toBe('ECRecover: invalid signature');
  });

  test('pays from a wallet contract whose owner signed', async () => {
    const owner = newAccount();
    const wallet = await fundedWallet(owner, 1000n);
    const authorization = authorizationOf(wallet, { value: 300n });

    await mine(encode(authorization, await sign(owner, authorization)));

    expect(await balanceOf(wallet)).toBe(700n);
    expect(await isUsed(authorization)).toBe(true);
  });

  test('refuses what the wallet contract does not accept', async () => {
    const owner = newAccount();
    const authorization = authorizationOf(await fundedWallet(owner, 1000n));
    const signature = await sign(owner, authorization);
    const bySomebodyElse = await sign(newAccount(), authorization);

    expect(await refusal(encode(authorization, bySomebodyElse))).toBe('FiatTokenV2: invalid signature');
    expect(await refusal(encode(authorization, highTwin(signature)))).toBe('FiatTokenV2: invalid signature');
  });

  test('refuses to pay from a contract that judges no signatures', async () => {
    await mine(encodeFunctionData({ abi, functionName: 'mint', args: [usdcAddress, 1000n] }));
    const authorization = authorizationOf(usdcAddress);
    const data = encode(authorization, await sign(newAccount(), authorization));
    expect(await refusal(data)).toBe('FiatTokenV2: invalid signature');
  });
});

test('a signature that is not 65 bytes long is refused', async () => {
  const payer = await fundedAccount(1000n);
  const authorization = authorizationOf(payer.address);
  const signature = await sign(payer, authorization);
  expect(await refusal(encodeBytes(authorization, `${signature}00`))).toBe(
    'ECRecover: invalid signature length',
  );
  expect(await refusal(encodeBytes(authorization, '0x'))).toBe('ECRecover: invalid signature length');
});

test('an authorization holds after validAfter and before validBefore, not at either', async () => {
  const payer = await fundedAccount(1000n);
  const start = (await latestTimestamp()) + 1000n;
  const outcomes: string[] = [];

  for (const timestamp of [start, start + 1n, start + 9n, start + 10n]) {
    const authorization = authorizationOf(payer.address, { validAfter: start, validBefore: start + 10n });
    const data = encodeBytes(authorization, await sign(payer, authorization));
    await client.setNextBlockTimestamp({ timestamp });
    outcomes.push((await send(data)).status);
  }
  expect(outcomes).toEqual(['reverted', 'success', 'success', 'reverted']);
});

test('the domain is that of the chain and the address where the code stands', async () => {
  const elsewhere = '0x00000000000000000000000000000000000e15E1';
  await client.setCode({ address: elsewhere, bytecode: testUsdc.deployedBytecode });
  expect(await separatorAt(usdcAddress)).toBe(domainSeparator({ domain }));
  expect(await separatorAt(elsewhere)).toBe(
    domainSeparator({ domain: { ...domain, verifyingContract: elsewhere } }),
  );

  await client.request({ method: 'anvil_setChainId', params: [8453] } as never);
  const onBase = await separatorAt(usdcAddress);
  await client.request({ method: 'anvil_setChainId', params: [domain.chainId] } as never);
  expect(onBase).toBe(domainSeparator({ domain: { ...domain, chainId: 8453 } }));
});

test('it presents itself as USDC on Base Sepolia does', async () => {
  const names = ['name', 'symbol', 'version', 'decimals', 'TRANSFER_WITH_AUTHORIZATION_TYPEHASH'] as const;
  const answers = names.map((functionName) =>
    client.readContract({ abi, address: usdcAddress, functionName }),
  );
  expect(await Promise.all(answers)).toEqual([
    'USDC',
    'USDC',
    '2',
    6,
    '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267', // As published in EIP-3009.
  ]);
});

test('an allowance is spent once', async () => {
  await mine(encodeFunctionData({ abi, functionName: 'mint', args: [carrier, 1000n] }));
  const approved = await mine(encodeFunctionData({ abi, functionName: 'approve', args: [carrier, 600n] }));
  expect(parseEventLogs({ abi, logs: approved.logs })).toMatchObject([
    { eventName: 'Approval', args: { owner: carrier, spender: carrier, value: 600n } },
  ]);
  const take = encodeFunctionData({ abi, functionName: 'transferFrom', args: [carrier, merchant, 600n] });
  await mine(take);
  expect(await refusal(take)).toBe('ERC20: transfer amount exceeds allowance');
});

test('a wallet contract vouches for what its owner signed and nobody else', async () => {
  const owner = newAccount();
  const address = await fundedWallet(owner, 0n);
  const message = 'I approve';
  const verify = async (signer: PrivateKeyAccount) =>
    client.verifyMessage({ address, message, signature: await signer.signMessage({ message }) });

  expect(await verify(owner)).toBe(true);
  expect(await verify(newAccount())).toBe(false);
});

function connect(url: string) {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const baseSepolia = defineChain({
    id: domain.chainId,
    name: 'Base Sepolia',
    nativeCurrency,
    rpcUrls: { default: { http: [url] } },
  });
  return createTestClient({
    mode: 'anvil',
    account: carrier,
    chain: baseSepolia,
    transport: http(),
    pollingInterval: 10,
  })
    .extend(publicActions)
    .extend(walletActions);
}

function authorizationOf(from: Address, terms: Partial<Authorization> = {}): Authorization {
  const nonce = generatePrivateKey(); // As good as any 32 random bytes.
  return { from, to: merchant, value: 1n, validAfter: 0n, validBefore: 2n ** 64n, nonce, ...terms };
}

function sign(
  signer: PrivateKeyAccount,
  message: Authorization,
  under: typeof domain | object = domain,
): Promise<Hex> {
  return signer.signTypedData({ domain: under, types, primaryType, message });
}

/** The other signature that the curve allows for the same message and key. */
function highTwin(signature: Hex): Hex {
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const { r, s, yParity } = parseSignature(signature);
  return serializeSignature({ r, s: toHex(curveOrder - BigInt(s), { size: 32 }), yParity: 1 - yParity });
}

function encodeSplit(authorization: Authorization, signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const args = [...inOrder(authorization), 27 + yParity, r, s] as const;
  return encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args });
}

function encodeBytes(authorization: Authorization, signature: Hex): Hex {
  const args = [...inOrder(authorization), signature] as const;
  return encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args });
}

function inOrder({ from, to, value, validAfter, validBefore, nonce }: Authorization) {
  return [from, to, value, validAfter, validBefore, nonce] as const;
}

/** Sends without asking first whether it will succeed, so that a refusal is mined too. */
async function send(data: Hex): Promise<TransactionReceipt> {
  const hash = await client.sendTransaction({ to: usdcAddress, data, gas: 200_000n });
  return client.waitForTransactionReceipt({ hash });
}

async function mine(data: Hex): Promise<TransactionReceipt> {
  const receipt = await send(data);
  expect(receipt.status).toBe('success');
  return receipt;
}

/** Why the token refuses the call, which is mined, reverts and leaves no event. */
async function refusal(data: Hex): Promise<string> {
  expect(await send(data)).toMatchObject({ status: 'reverted', logs: [] });
  const error: unknown = await client.call({ to: usdcAddress, data }).catch((reason: unknown) => reason);
  if (!(error instanceof BaseError)) throw new Error('refused when mined, but not when called');
  return error.details.replace('execution reverted: ', '');
}

function newAccount(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

async function fundedAccount(value: bigint): Promise<PrivateKeyAccount> {
  const account = newAccount();
  await mine(encodeFunctionData({ abi, functionName: 'mint', args: [account.address, value] }));
  return account;
}

async function fundedWallet(owner: PrivateKeyAccount, value: bigint): Promise<Address> {
  const hash = await client.deployContract({ ...oneOwnerWallet, args: [owner.address] });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('no wallet was deployed');
  await mine(encodeFunctionData({ abi, functionName: 'mint', args: [contractAddress, value] }));
  return contractAddress;
}

function balanceOf(account: Address): Promise<bigint> {
  return client.readContract({ abi, address: usdcAddress, functionName: 'balanceOf', args: [account] });
}

function isUsed({ from, nonce }: Authorization): Promise<boolean> {
  return client.readContract({
    abi,
    address: usdcAddress,
    functionName: 'authorizationState',
    args: [from, nonce],
  });
}

function separatorAt(address: Address): Promise<Hex> {
  return client.readContract({ abi, address, functionName: 'DOMAIN_SEPARATOR' });
}

async function latestTimestamp(): Promise<bigint> {
  return (await client.getBlock()).timestamp;
}
