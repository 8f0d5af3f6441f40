import { exactProxyStandIn } from '@countersign/contracts/exact-proxy-stand-in';
import { uptoProxyStandIn } from '@countersign/contracts/upto-proxy-stand-in';
import { callRpc } from '@countersign/local/json-rpc';
import { newPrivateKey } from '@countersign/local/market';
import type { FacilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { createMerchant } from '@countersign/local/merchant/merchant';
import {
  exactProxyAddress,
  type Permit2Authorization,
  uptoProxyAddress,
} from '@countersign/protocol/gateway/permit2';
import { type Address, concatHex, encodeFunctionData, type Hex, size, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowPermit2, sendAs, startPermit2Facilitator } from './fixtures/permit2.ts';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { startWorld, type World } from './fixtures/world.ts';

// Money moves on chain, and no transaction carries the nonce of what was signed: who settles hides it in the code of a contract.

let world: World;
let facilitator: Awaited<ReturnType<typeof startPermit2Facilitator>>;
beforeAll(async () => {
  world = await startWorld();
  facilitator = await startPermit2Facilitator(world);
});
afterAll(async () => {
  await facilitator?.stop();
  await world?.stop();
});

const newAddress = (): Address => privateKeyToAccount(newPrivateKey()).address;

/** The code of a contract that calls `to` with this, whatever it is called with, and fails where that fails. */
function codeThatCalls(to: Address, data: Hex): Hex {
  const length = toHex(size(data), { size: 2 });
  const [begins, jumpsTo] = ['0x0033', '0x31'] as const;
  return concatHex([
    // CODECOPY(0, begins, length), CALL(gas, to, 0, 0, length, 0, 0)
    ...(['0x61', length, '0x61', begins, '0x600039'] as const),
    ...(['0x60006000', '0x61', length, '0x60006000', '0x73', to, '0x5af1'] as const),
    // JUMPI, REVERT(0, 0), JUMPDEST, STOP
    ...(['0x60', jumpsTo, '0x57', '0x5f5ffd', '0x5b00'] as const),
    data,
  ]);
}

type Signed = { readonly signature: Hex; readonly permit2Authorization: Permit2Authorization };

/** What the proxy is called with; of `upto` a quarter is taken. */
function settling({ signature, permit2Authorization: signed }: Signed): { to: Address; data: Hex } {
  const { permitted, nonce, deadline, from, witness } = signed;
  const amount = BigInt(permitted.amount);
  const permit = {
    permitted: { token: permitted.token as Address, amount },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  };
  const payer = from as Address;
  const to = { to: witness.to as Address, validAfter: 0n };
  if (witness.facilitator === undefined)
    return {
      to: exactProxyAddress,
      data: encodeFunctionData({
        abi: exactProxyStandIn.abi,
        functionName: 'settle',
        args: [permit, payer, to, signature],
      }),
    };
  const named = { ...to, facilitator: witness.facilitator as Address };
  return {
    to: uptoProxyAddress,
    data: encodeFunctionData({
      abi: uptoProxyStandIn.abi,
      functionName: 'settle',
      args: [permit, amount / 4n, payer, named, signature],
    }),
  };
}

test.each([
  ['exact', 10_000n],
  ['upto', 2_500n],
] as const)(
  'what was taken where no transaction shows it is charged as the whole, though the service says that nothing was: %s [gateway.permit2.hidden]',
  async (scheme, moved) => {
    const { rpcUrl, chainId, tokenAddress, merchant: card } = world.card;
    const owner = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.02' } });
    await allowPermit2(world, owner.wallet.address, 50_000n);
    const hidden = newAddress();
    const hides: FacilitatorClient = {
      verify: () => Promise.resolve({ isValid: true }),
      settle: async ({ payment }) => {
        const { to, data } = settling((payment as unknown as { payload: Signed }).payload);
        await callRpc(rpcUrl, 'anvil_setCode', [hidden, codeThatCalls(to, data)]);
        await sendAs(rpcUrl, newAddress(), hidden, '0x');
        return { success: false, errorReason: 'insufficient_funds', transaction: '' };
      },
    };
    const merchant = createMerchant({
      network: `eip155:${chainId}`,
      asset: tokenAddress,
      facilitator: hides,
      id: 'shop',
      privateKey: card.privateKey,
    });
    const tool = sellTool(merchant, {
      cart: 'none',
      mutate: (required) => ({
        ...required,
        accepts: required.accepts.map((entry) => ({
          ...entry,
          scheme,
          maxTimeoutSeconds: 10,
          extra: {
            ...entry.extra,
            assetTransferMethod: 'permit2',
            ...(scheme === 'upto' && { facilitatorAddress: hidden }),
          },
        })),
      }),
    });
    const shop = await world.service('shop', [tool]);
    const { agent } = await world.gateway(owner, { shop }, { PAYMENT_SCHEMES: 'exact,permit2,upto' });
    const answer = await agent.call({ ...sale, idempotencyKey: 'the first call' });
    expect(answer).toMatchObject({ detail: { paymentMade: false } });
    expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - moved);

    const records = await until(
      async () => {
        // The chain has to come past the validity of what was signed.
        await callRpc(rpcUrl, 'evm_mine', []);
        return world.records(owner);
      },
      (all) => all.some(({ serviceResult }) => serviceResult === 'pass'),
    );
    const paid = records.filter(({ serviceResult }) => serviceResult === 'pass');
    expect(paid).toMatchObject([{ amountExact: '0.01', txHash: null }]);
    expect(await world.mandateOf(owner)).toMatchObject({ usedAmount: '0.01', heldAmount: '0' });
  },
);
