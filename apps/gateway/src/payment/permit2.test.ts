import {
  exactProxyAddress,
  gasSponsoring,
  permit2Address,
  uptoProxyAddress,
} from '@countersign/protocol/gateway/permit2';
import {
  PERMIT2_ADDRESS,
  permit2WitnessTypes,
  uptoPermit2WitnessTypes,
  x402ExactPermit2ProxyAddress,
  x402UptoPermit2ProxyAddress,
} from '@x402/evm';
import { hashTypedData, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { address, merchant, now, owner, policy, required, stranger } from '../../test/samples.ts';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import { readDemand } from '../rules/demand.ts';
import { allowanceFor } from './allowance.ts';
import { signPayment } from './payment.ts';

const seconds = Math.floor(now / 1000);
const nonce = `0x${'cd'.repeat(32)}` as const;
const unsigned = {
  nonce,
  callKey: null,
  callHash: 'c1',
  mandateId: 'mdt_1',
  holdId: null,
  heldUntil: null,
  ifSettled: { serviceName: 'shop', serviceResult: 'pass', chain: 'base' } as PaymentEntry['ifSettled'],
};

function demandOf(changes: object, extra: object, extensions?: object) {
  const asked = { ...required(changes, extra), ...(extensions && { extensions }) };
  const payer = { payer: address(owner), owner: null };
  const demand = readDemand(asked, payer, { ...policy, methods: ['permit2', 'upto'] });
  if (!demand.ok) throw new Error(demand.error.why);
  return demand.value;
}
const exact = { assetTransferMethod: 'permit2' };
const upto = { facilitatorAddress: stranger.address };

/** What is sent for a price, and every hash that the wallet was made to sign for it. */
function signed(demand: ReturnType<typeof demandOf>, approvalNonce: bigint | null) {
  const hashes: string[] = [];
  const wallet = {
    address: address(owner),
    sign: (hash: Uint8Array) => {
      hashes.push(`0x${Buffer.from(hash).toString('hex')}`);
      return `0x${'11'.repeat(65)}` as const;
    },
    derive: () => nonce,
  };
  const entry = signPayment(wallet, demand, unsigned, now, approvalNonce);
  return { entry, hashes, sent: entry.payload as { payload: object; extensions?: Record<string, object> } };
}

const domain = { name: 'Permit2', chainId: 84532, verifyingContract: PERMIT2_ADDRESS } as const;
const message = {
  permitted: { token: policy.tokens[0]?.address as Hex, amount: 10_000n },
  nonce: BigInt(nonce),
  deadline: BigInt(seconds + 59),
};
const primaryType = 'PermitWitnessTransferFrom';

test('the addresses are those of the official package', () => {
  expect([permit2Address, exactProxyAddress, uptoProxyAddress]).toEqual([
    PERMIT2_ADDRESS,
    x402ExactPermit2ProxyAddress,
    x402UptoPermit2ProxyAddress,
  ]);
});

test('for exact one message is signed: the official one, of this price, and of a second less than EIP-3009 [gateway.permit2.signs]', () => {
  const { entry, hashes, sent } = signed(demandOf({}, exact), null);
  const witness = { to: merchant.address, validAfter: 0n };
  const spender = x402ExactPermit2ProxyAddress;
  expect(hashes).toEqual([
    hashTypedData({
      domain,
      types: permit2WitnessTypes,
      primaryType,
      message: { ...message, spender, witness },
    }),
  ]);
  expect(entry).toMatchObject({ nonce, validBefore: seconds + 60, amount: '0.01' });
  expect(sent.payload).toMatchObject({
    permit2Authorization: {
      from: owner.address,
      spender,
      witness: { to: merchant.address, validAfter: '0' },
    },
  });
});

test('for upto the facilitator that was named is in it, and the price is the maximum [gateway.permit2.signs]', () => {
  const { entry, hashes } = signed(demandOf({ scheme: 'upto' }, upto), null);
  const witness = { to: merchant.address, facilitator: stranger.address, validAfter: 0n };
  expect(hashes).toEqual([
    hashTypedData({
      domain,
      types: uptoPermit2WitnessTypes,
      primaryType,
      message: { ...message, spender: x402UptoPermit2ProxyAddress, witness },
    }),
  ]);
  expect(entry).toMatchObject({ amount: '0.01', decimals: 6 });
});

test('whatever a service writes where the approval goes, it is of exactly the amount and for Permit2 [gateway.permit2.signs] [gateway.permit2.allowance]', () => {
  const asked = {
    description: 'ours',
    amount: (2n ** 256n - 1n).toString(),
    spender: stranger.address,
    from: stranger.address,
  };
  const extensions = { [gasSponsoring]: { info: asked, schema: {} }, other: { info: { b: 1 } } };
  const { hashes, sent } = signed(demandOf({}, exact, extensions), 7n);
  const token = policy.tokens[0];
  const field = (name: string, type: string) => ({ name, type });
  expect(hashes).toHaveLength(2);
  expect(hashes[1]).toBe(
    hashTypedData({
      domain: { ...token?.domain, chainId: 84532, verifyingContract: token?.address as Hex },
      types: {
        Permit: [
          field('owner', 'address'),
          field('spender', 'address'),
          field('value', 'uint256'),
          field('nonce', 'uint256'),
          field('deadline', 'uint256'),
        ],
      },
      primaryType: 'Permit',
      message: {
        owner: owner.address,
        spender: PERMIT2_ADDRESS,
        value: 10_000n,
        nonce: 7n,
        deadline: message.deadline,
      },
    }),
  );
  expect(sent.extensions).toMatchObject({
    [gasSponsoring]: {
      info: {
        description: 'ours',
        amount: '10000',
        spender: permit2Address,
        from: owner.address,
        nonce: '7',
      },
    },
    other: { info: { b: 1 } },
  });
});

const standing = (allowance: string, approvalNonce: string | null) => ({
  permit2Standing: async () => ({ allowance, approvalNonce }),
});
const wallet = { address: address(owner) };

test.each([
  ['sponsored', true, standing('0', '3'), { kind: 'allowed', approvalNonce: 3n }],
  ['sponsored, where less stands', true, standing('9999', '3'), { kind: 'allowed', approvalNonce: 3n }],
  ['sponsored, where enough stands', true, standing('10000', '3'), { kind: 'allowed', approvalNonce: null }],
  ['sponsored, where more stands', true, standing('99999999', '3'), { kind: 'allowed', approvalNonce: null }],
  ['sponsored, of a token without EIP-2612', true, standing('0', null), { kind: 'refused' }],
  ['the same where enough stands', true, standing('10000', null), { kind: 'allowed', approvalNonce: null }],
  ['what stands', false, standing('10000', '3'), { kind: 'allowed', approvalNonce: null }],
  ['a unit less than that', false, standing('9999', '3'), { kind: 'refused', code: 'PAYMENT_UNSUPPORTED' }],
  ['no chain', true, null, { kind: 'refused', why: expect.stringContaining('EVM_RPC_URL') as string }],
])(
  'an allowance is needed, and is asked for by no wider approval: %s [gateway.permit2.allowance]',
  async (_, isSponsored, chain, outcome) => {
    const demand = demandOf({}, exact, isSponsored ? { [gasSponsoring]: { info: {} } } : undefined);
    expect(await allowanceFor({ chain, wallet }, demand)).toMatchObject(outcome);
  },
);

test('EIP-3009 asks nobody', async () => {
  const demand = demandOf({}, {});
  expect(await allowanceFor({ chain: null, wallet }, demand)).toEqual({
    kind: 'allowed',
    approvalNonce: null,
  });
});
