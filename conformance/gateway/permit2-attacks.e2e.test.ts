import { exactProxyStandIn } from '@countersign/contracts/exact-proxy-stand-in';
import { testUsdc } from '@countersign/contracts/test-usdc';
import { uptoProxyStandIn } from '@countersign/contracts/upto-proxy-stand-in';
import { facilitatorClient } from '@countersign/local/merchant/facilitator-client';
import type { FacilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { createMerchant } from '@countersign/local/merchant/merchant';
import { newPrivateKey } from '@countersign/local/market';
import {
  exactProxyAddress,
  gasSponsoring,
  type Permit2Authorization,
  permit2Address,
  type SponsoredApproval,
  uptoProxyAddress,
} from '@countersign/protocol/gateway/permit2';
import { declareEip2612GasSponsoringExtension } from '@x402/extensions';
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseSignature,
  recoverTypedDataAddress,
  toHex,
  encodeAbiParameters,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowanceOf, allowPermit2, sendAs, startPermit2Facilitator } from './fixtures/permit2.ts';
import { keeping, sellTool } from './fixtures/sell-tool.ts';
import { startWorld, type World } from './fixtures/world.ts';

/** Permit2's own functions that move money by a signature or by an allowance. */
const permit2Abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Details { address to; uint256 requestedAmount; }',
  'function permitWitnessTransferFrom(PermitTransferFrom permit, Details details, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
  'function permitTransferFrom(PermitTransferFrom permit, Details details, address owner, bytes signature)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
]);

let world: World;
let facilitator: Awaited<ReturnType<typeof startPermit2Facilitator>>;
let client: ReturnType<typeof createPublicClient>;
const attacker = privateKeyToAccount(newPrivateKey());
const network = () => `eip155:${world.card.chainId}`;

beforeAll(async () => {
  world = await startWorld();
  facilitator = await startPermit2Facilitator(world);
  client = createPublicClient({ transport: http(world.card.rpcUrl) });
});
afterAll(async () => {
  await facilitator?.stop();
  await world?.stop();
});

type Payment = {
  readonly payload: { readonly signature: Hex; readonly permit2Authorization: Permit2Authorization };
  readonly extensions?: { readonly [gasSponsoring]?: { readonly info: SponsoredApproval } };
};

type Terms = { readonly scheme?: 'exact' | 'upto'; readonly sponsored?: boolean };

/** Sells by Permit2 through a facilitator of the test's own; gives what an agent of a new owner's gateway answers, and what it sent. */
async function buys(
  { scheme = 'exact', sponsored = false }: Terms,
  through: FacilitatorClient,
  allowed: bigint,
) {
  const owner = await world.newOwner();
  if (allowed > 0n) await allowPermit2(world, owner.wallet.address, allowed);
  const { tokenAddress, merchant: card } = world.card;
  const ofMerchant = { network: network(), asset: tokenAddress, facilitator: through };
  const merchant = createMerchant({ ...ofMerchant, id: 'shop', privateKey: card.privateKey });
  const payments: Payment[] = [];
  const tool = sellTool(merchant, {
    cart: 'none',
    mutate: (required) => ({
      ...required,
      accepts: required.accepts.map((entry) => ({
        ...entry,
        scheme,
        extra: {
          ...entry.extra,
          assetTransferMethod: 'permit2',
          ...(scheme === 'upto' && { facilitatorAddress: facilitator.address }),
        },
      })),
      ...(sponsored && { extensions: declareEip2612GasSponsoringExtension() }),
    }),
  });
  const shop = await world.service('shop', [keeping(tool, payments)]);
  const { agent } = await world.gateway(owner, { shop }, { PAYMENT_SCHEMES: 'exact,permit2,upto' });
  const buy = (idempotencyKey: string) => agent.call({ serviceId: 'shop', toolName: 'sell', idempotencyKey });
  const answer = await buy('the first call');
  const [payment] = payments;
  if (payment === undefined) throw new Error(`nothing was paid: ${answer.code} ${answer.message}`);
  return { owner, payment, payments, answer, buy };
}

/** Takes the payment and does not settle it: whoever holds it may try what it is good for. */
const keeps: FacilitatorClient = {
  verify: () => Promise.resolve({ isValid: true }),
  settle: () => Promise.resolve(null),
};

type Permit = { permitted: { token: Address; amount: bigint }; nonce: bigint; deadline: bigint };
type Order = {
  permit: Permit;
  owner: Address;
  witness: { to: Address; facilitator: Address; validAfter: bigint };
  signature: Hex;
};

function orderOf({ payload: { signature, permit2Authorization: signed } }: Payment): Order {
  const { permitted, nonce, deadline, from, witness } = signed;
  return {
    permit: {
      permitted: { token: permitted.token as Address, amount: BigInt(permitted.amount) },
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
    },
    owner: from as Address,
    witness: {
      to: witness.to as Address,
      facilitator: (witness.facilitator ?? facilitator.address) as Address,
      validAfter: BigInt(witness.validAfter),
    },
    signature,
  };
}

const settle = ({ permit, owner, witness, signature }: Order): Hex =>
  encodeFunctionData({
    abi: exactProxyStandIn.abi,
    functionName: 'settle',
    args: [permit, owner, { to: witness.to, validAfter: witness.validAfter }, signature],
  });
const settleUpto = ({ permit, owner, witness, signature }: Order, amount: bigint): Hex =>
  encodeFunctionData({
    abi: uptoProxyStandIn.abi,
    functionName: 'settle',
    args: [permit, amount, owner, witness, signature],
  });

/** Whether the chain would do this for whoever sends it, now or at another time (Unix seconds). */
async function works(to: string, data: Hex, from: string = attacker.address, at?: bigint): Promise<boolean> {
  const blockOverrides = at === undefined ? {} : { blockOverrides: { time: at } };
  const call = client.call({ account: from as Address, to: to as Address, data, ...blockOverrides });
  return call.then(
    () => true,
    () => false,
  );
}

test('what is signed for Permit2 is good for this one payment alone: no other spender, payee, amount, time or chain, and once [gateway.permit2.attacks]', async () => {
  const { owner, payment } = await buys({}, keeps, 50_000_000n);
  const order = orderOf(payment);
  const { permit, witness } = order;
  const victim = await world.newOwner();
  await allowPermit2(world, victim.wallet.address, 50_000_000n);
  const changed = (change: Partial<Permit>): Order => ({ ...order, permit: { ...permit, ...change } });
  const { token, amount } = permit.permitted;

  expect(await works(exactProxyAddress, settle(order))).toBe(true);
  const attacks: Record<string, Order> = {
    'another payee': { ...order, witness: { ...witness, to: attacker.address } },
    'another time': { ...order, witness: { ...witness, validAfter: 1n } },
    more: changed({ permitted: { token, amount: amount + 1n } }),
    less: changed({ permitted: { token, amount: amount - 1n } }),
    'another nonce': changed({ nonce: permit.nonce + 1n }),
    'a later end': changed({ deadline: permit.deadline + 1n }),
    'another owner': { ...order, owner: victim.wallet.address },
  };
  const working: string[] = [];
  for (const [name, attack] of Object.entries(attacks))
    if (await works(exactProxyAddress, settle(attack))) working.push(name);
  expect(working).toEqual([]);
  expect(await works(uptoProxyAddress, settleUpto(order, amount), facilitator.address)).toBe(false);

  // Straight at Permit2, as a spender that is not the proxy; the proxy itself may.
  const typeHash = keccak256(toHex('Witness(address to,uint256 validAfter)'));
  const words = [{ type: 'bytes32' }, { type: 'address' }, { type: 'uint256' }] as const;
  const hash = keccak256(encodeAbiParameters(words, [typeHash, witness.to, witness.validAfter]));
  const types =
    'Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)';
  const direct = (to: Address) =>
    encodeFunctionData({
      abi: permit2Abi,
      functionName: 'permitWitnessTransferFrom',
      args: [permit, { to, requestedAmount: amount }, order.owner, hash, types, order.signature],
    });
  expect(await works(permit2Address, direct(attacker.address), exactProxyAddress)).toBe(true);
  expect(await works(permit2Address, direct(attacker.address))).toBe(false);
  const pulled = encodeFunctionData({
    abi: permit2Abi,
    functionName: 'transferFrom',
    args: [order.owner, attacker.address, amount, token],
  });
  expect(await works(permit2Address, pulled)).toBe(false);

  expect(await works(exactProxyAddress, settle(order), attacker.address, permit.deadline)).toBe(true);
  expect(await works(exactProxyAddress, settle(order), attacker.address, permit.deadline + 1n)).toBe(false);
  const { from: _, witness: signedWitness, ...message } = payment.payload.permit2Authorization;
  const field = (name: string, type: string) => ({ name, type });
  const signer = (chainId: number) =>
    recoverTypedDataAddress({
      domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
      primaryType: 'PermitWitnessTransferFrom',
      types: {
        PermitWitnessTransferFrom: [
          field('permitted', 'TokenPermissions'),
          field('spender', 'address'),
          field('nonce', 'uint256'),
          field('deadline', 'uint256'),
          field('witness', 'Witness'),
        ],
        TokenPermissions: [field('token', 'address'), field('amount', 'uint256')],
        Witness: [field('to', 'address'), field('validAfter', 'uint256')],
      },
      message: { ...message, witness: signedWitness },
      signature: order.signature,
    });
  expect(await signer(world.card.chainId)).toBe(owner.wallet.address);
  expect(await signer(8453)).not.toBe(owner.wallet.address);

  await sendAs(world.card.rpcUrl, attacker.address, exactProxyAddress, settle(order));
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  expect(await works(exactProxyAddress, settle(order))).toBe(false);
});

test('where an allowance stands another message of the key in the domain of Permit2 is money: the gateway signs none [gateway.permit2.attacks]', async () => {
  const { owner, payment } = await buys({}, keeps, 50_000_000n);
  const key = privateKeyToAccount(owner.wallet.privateKey);
  const { permit } = orderOf(payment);
  const stolen = { ...permit, permitted: { ...permit.permitted, amount: 5_000_000n }, nonce: 7n };
  const take = (signature: Hex, of: Permit) =>
    encodeFunctionData({
      abi: permit2Abi,
      functionName: 'permitTransferFrom',
      args: [
        of,
        { to: attacker.address, requestedAmount: of.permitted.amount },
        owner.wallet.address,
        signature,
      ],
    });
  // Another client of this wallet signs what it is shown.
  const field = (name: string, type: string) => ({ name, type });
  const signature = await key.signTypedData({
    domain: { name: 'Permit2', chainId: world.card.chainId, verifyingContract: permit2Address },
    primaryType: 'PermitTransferFrom',
    types: {
      PermitTransferFrom: [
        field('permitted', 'TokenPermissions'),
        field('spender', 'address'),
        field('nonce', 'uint256'),
        field('deadline', 'uint256'),
      ],
      TokenPermissions: [field('token', 'address'), field('amount', 'uint256')],
    },
    message: { ...stolen, spender: attacker.address },
  });
  expect(await works(permit2Address, take(signature, stolen))).toBe(true);
  expect(await works(permit2Address, take(payment.payload.signature, permit))).toBe(false);
  await allowPermit2(world, owner.wallet.address, 0n);
  expect(await works(permit2Address, take(signature, stolen))).toBe(false);
});

test('a sponsored approval is for exactly the amount and for Permit2; whoever brings it first changes nothing [gateway.permit2.attacks]', async () => {
  const { owner, payment } = await buys({ sponsored: true }, keeps, 0n);
  const order = orderOf(payment);
  const info = payment.extensions?.[gasSponsoring]?.info;
  if (info === undefined) throw new Error('there is no approval');
  const { r, s, yParity } = parseSignature(info.signature as Hex);
  const v = 27 + yParity;
  const approve = (spender: Address, value: bigint) =>
    encodeFunctionData({
      abi: testUsdc.abi,
      functionName: 'permit',
      args: [order.owner, spender, value, BigInt(info.deadline), v, r, s],
    });
  const token = order.permit.permitted.token;
  expect(info).toMatchObject({ spender: permit2Address, amount: '10000', from: order.owner, asset: token });
  expect(await works(token, approve(permit2Address, 10_000n))).toBe(true);
  expect(await works(token, approve(permit2Address, 2n ** 256n - 1n))).toBe(false);
  expect(await works(token, approve(attacker.address, 10_000n))).toBe(false);

  await sendAs(world.card.rpcUrl, attacker.address, token, approve(permit2Address, 10_000n));
  const approval = { value: 10_000n, deadline: BigInt(info.deadline), r, s, v };
  const sponsored = (to: Address) =>
    encodeFunctionData({
      abi: exactProxyStandIn.abi,
      functionName: 'settleWithPermit',
      args: [approval, order.permit, order.owner, { to, validAfter: 0n }, order.signature],
    });
  expect(await works(exactProxyAddress, sponsored(attacker.address))).toBe(false);
  await sendAs(world.card.rpcUrl, attacker.address, exactProxyAddress, sponsored(order.witness.to));
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  expect(await allowanceOf(world, owner.wallet.address)).toBe(0n);
});

test('of upto the facilitator that was named takes up to the maximum, once; nobody else takes anything [gateway.permit2.attacks]', async () => {
  const { payment } = await buys({ scheme: 'upto', sponsored: false }, keeps, 50_000_000n);
  const order = orderOf(payment);
  const by = (amount: bigint, from: string, changes: Partial<Order['witness']> = {}) =>
    works(
      uptoProxyAddress,
      settleUpto({ ...order, witness: { ...order.witness, ...changes } }, amount),
      from,
    );
  expect(await by(10_000n, facilitator.address)).toBe(true);
  expect(await by(1n, facilitator.address)).toBe(true);
  expect(await by(10_001n, facilitator.address)).toBe(false);
  expect(await by(10_000n, attacker.address)).toBe(false);
  expect(await by(10_000n, attacker.address, { facilitator: attacker.address })).toBe(false);
  expect(await by(10_000n, facilitator.address, { to: attacker.address })).toBe(false);
  expect(await works(exactProxyAddress, settle(order), facilitator.address)).toBe(false);
});

test('a facilitator that took the whole and shows a cheaper payment of the wallet is not believed [gateway.upto.taken] [gateway.permit2.chain]', async () => {
  const { url } = facilitator;
  const real = facilitatorClient(url);
  let cheaper: string | null = null;
  const taking = (amount: string): FacilitatorClient => ({
    verify: real.verify,
    settle: async (order) => {
      const settled = await real.settle({ ...order, requirement: { ...order.requirement, amount } });
      if (settled?.success !== true || cheaper === null) return settled;
      return { ...settled, transaction: cheaper, amount: '100' };
    },
  });
  // The cheaper one is honest.
  const honest = await buys({ scheme: 'upto', sponsored: true }, taking('100'), 0n);
  expect(honest.answer).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentContext: { amountTaken: '0.0001' } },
  });
  cheaper = String(honest.answer.detail.paymentResponse?.['transaction']);
  const { answer, buy, owner } = await buys({ scheme: 'upto', sponsored: true }, taking('10000'), 0n);
  expect(answer).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN', detail: { paymentMade: false } });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  // The same key asks the chain, which has the transaction that took it.
  expect(await buy('the first call')).toMatchObject({
    detail: { paymentMade: true, paymentContext: { amountTaken: '0.01' } },
  });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
});

test.each(['exact', 'upto'] as const)(
  'a service that takes the money and says that it did not is found out by the chain: %s [gateway.permit2.chain]',
  async (scheme) => {
    const real = facilitatorClient(facilitator.url);
    const denies: FacilitatorClient = {
      verify: real.verify,
      settle: async (order) => {
        await real.settle(order);
        return { success: false, errorReason: 'insufficient_funds', transaction: '' };
      },
    };
    const { answer, owner } = await buys({ scheme, sponsored: true }, denies, 0n);
    expect(answer).toMatchObject({ code: 'DOWNSTREAM_TOOL_ERROR', detail: { paymentMade: true } });
    expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
  },
);

test('of two sponsored payments that name one nonce of the token one settles, and the other never does [gateway.permit2.attacks]', async () => {
  const one = await buys({ sponsored: true }, keeps, 0n);
  const two = await one.buy('another call');
  expect(two).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  const [first, second] = one.payments.map((payment) => {
    const info = payment.extensions?.[gasSponsoring]?.info;
    if (info === undefined) throw new Error('there is no approval');
    const { r, s, yParity } = parseSignature(info.signature as Hex);
    const { permit, owner, witness, signature } = orderOf(payment);
    const approval = { value: 10_000n, deadline: BigInt(info.deadline), r, s, v: 27 + yParity };
    const to = { to: witness.to, validAfter: 0n };
    return encodeFunctionData({
      abi: exactProxyStandIn.abi,
      functionName: 'settleWithPermit',
      args: [approval, permit, owner, to, signature],
    });
  });
  if (first === undefined || second === undefined) throw new Error('there are not two');
  expect([await works(exactProxyAddress, first), await works(exactProxyAddress, second)]).toEqual([
    true,
    true,
  ]);
  await sendAs(world.card.rpcUrl, attacker.address, exactProxyAddress, second);
  expect(await works(exactProxyAddress, first)).toBe(false);
  expect(await world.balance(one.owner.wallet.address)).toBe(100_000_000n - 10_000n);
  // With an allowance that stands it would.
  await allowPermit2(world, one.owner.wallet.address, 10_000n);
  expect(await works(exactProxyAddress, first)).toBe(true);
});
