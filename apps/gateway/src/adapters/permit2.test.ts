import { exactProxyAddress, uptoProxyAddress } from '@countersign/protocol/gateway/permit2';
import { x402UptoPermit2ProxyABI } from '@x402/evm';
import { encodeFunctionData, type Hex, keccak256, pad, toBytes, toHex } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { address, merchant, owner, policy, stranger } from '../../test/samples.ts';
import type { Ask } from './json-rpc.ts';
import { newReach, within } from './search-back.ts';
import { findPermitted, permittedIn, permittedUsed, standingOf, isTaken } from './permit2.ts';

const token = policy.tokens[0]?.address as Hex;
const nonce = BigInt(`0x${'ab'.repeat(32)}`);

function payment(spender: string) {
  const signed = {
    asset: address({ address: token }),
    payer: address(owner),
    nonce: toHex(nonce),
    payload: {
      payload: {
        permit2Authorization: {
          from: owner.address,
          permitted: { token, amount: '10000' },
          spender,
          nonce: nonce.toString(),
          deadline: '1795262120',
          witness: { to: merchant.address, facilitator: stranger.address, validAfter: '0' },
        },
      },
    },
  };
  const read = permittedIn(signed);
  if (read === null) throw new Error('it is not read');
  return read;
}
const exact = payment(exactProxyAddress);
const upto = payment(uptoProxyAddress);

/** A call of the proxy for `upto` that takes so much. */
const taking = (amount: bigint, changes: { nonce?: bigint; owner?: Hex } = {}): Hex =>
  encodeFunctionData({
    abi: x402UptoPermit2ProxyABI,
    functionName: 'settle',
    args: [
      { permitted: { token, amount: 10_000n }, nonce: changes.nonce ?? nonce, deadline: 1795262120n },
      amount,
      changes.owner ?? owner.address,
      { to: merchant.address, facilitator: stranger.address, validAfter: 0n },
      `0x${'11'.repeat(65)}`,
    ],
  });

type Mined = {
  readonly hash: string;
  readonly to: string;
  readonly input: string;
  readonly moved: bigint;
  readonly payee?: string;
  readonly status?: string;
};

let mined: Mined[];
let bits: bigint;
let isGone: boolean;
beforeEach(() => {
  mined = [];
  bits = 1n << (nonce & 255n);
  isGone = false;
});

const transfer = ({ moved, payee = merchant.address }: Mined) => ({
  address: token,
  topics: [
    keccak256(toBytes('Transfer(address,address,uint256)')),
    pad(owner.address).toLowerCase(),
    pad(payee as Hex).toLowerCase(),
  ],
  data: pad(toHex(moved)),
});

const byHash = (hash: unknown) => mined.find((each) => each.hash === hash);
const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  eth_blockNumber: () => '0x10',
  eth_call: () => toHex(bits),
  eth_getLogs: () => mined.map((each) => ({ ...transfer(each), transactionHash: each.hash })),
  eth_getTransactionReceipt: ([hash]) => {
    const found = byHash(hash);
    return found === undefined ? null : { status: found.status ?? '0x1', logs: [transfer(found)] };
  },
  eth_getTransactionByHash: ([hash]) => byHash(hash) ?? null,
};
const ask: Ask = async (answer, method, params) =>
  isGone ? undefined : answer.parse(methods[method]?.(params));

const openedAt = 2_000_000_000_000;
const looking = () => ({ since: openedAt, reach: newReach(), isBrief: false });
const find = (by: Ask, payment: typeof exact, more: Partial<ReturnType<typeof looking>> = {}) =>
  findPermitted(by, payment, { ...looking(), ...more });

const carrying = `0x12345678${nonce.toString(16)}`;
const whole: Mined = { hash: '0x1', to: exactProxyAddress, input: carrying, moved: 10_000n };

test('exact has settled where a transaction carries its nonce, moved its amount, and the nonce is used [gateway.permit2.chain]', async () => {
  mined = [whole];
  expect(await permittedUsed(ask, exact, '0x1')).toBe('yes');
  expect(await find(ask, exact)).toEqual({ transaction: '0x1' });
  for (const other of [
    { ...whole, input: '0x12345678' },
    { ...whole, moved: 9_999n },
    { ...whole, payee: stranger.address },
    { ...whole, status: '0x0' },
  ]) {
    mined = [other];
    expect(await permittedUsed(ask, exact, '0x1')).toBe('no');
    expect(await find(ask, exact)).toBe('none');
  }
  mined = [whole];
  bits = 0n;
  expect(await permittedUsed(ask, exact, '0x1')).toBe('no');
  expect(await find(ask, exact)).toBe('unused');
});

test('of upto is taken what its proxy was called with; what stands beside it in a transaction says nothing [gateway.permit2.chain] [gateway.upto.taken]', async () => {
  const called = { hash: '0x1', to: uptoProxyAddress, input: taking(2_500n), moved: 2_500n };
  mined = [called];
  expect(await permittedUsed(ask, upto, '0x1')).toEqual({ moved: '2500' });
  expect(await find(ask, upto)).toEqual({ transaction: '0x1', moved: '2500' });
  const ofAnother = taking(2_500n, { nonce: nonce - 1n });
  for (const other of [
    { ...called, input: `${ofAnother}${nonce.toString(16)}` },
    { ...called, input: taking(2_500n, { owner: stranger.address }) },
    { ...called, to: stranger.address },
    { ...called, moved: 2_499n },
    { ...called, input: taking(10_001n), moved: 10_001n },
    { ...called, input: '0x' },
  ]) {
    mined = [other];
    expect(await permittedUsed(ask, upto, '0x1')).toBe('no');
  }
});

test('among several transfers the one of this payment is found [gateway.permit2.chain]', async () => {
  const other = { hash: '0x2', to: uptoProxyAddress, input: taking(100n, { nonce: 5n }), moved: 100n };
  mined = [{ ...other, hash: '0x1', input: taking(2_500n), moved: 2_500n }, other];
  expect(await find(ask, upto)).toEqual({ transaction: '0x1', moved: '2500' });
});

test('however many transfers of nothing a stranger writes between the two, the one that took is found [gateway.permit2.crowded]', async () => {
  const called = { hash: '0x1', to: uptoProxyAddress, input: taking(2_500n), moved: 2_500n };
  const spam = (n: number): Mined => ({
    hash: toHex(n + 2),
    to: stranger.address,
    input: '0x',
    moved: n % 2 === 0 ? 0n : 10_001n,
  });
  mined = [called, ...Array.from({ length: 1_000 }, (_, n) => spam(n))];
  expect(await find(ask, upto)).toEqual({ transaction: '0x1', moved: '2500' });
  // So are those of the wallet's own, which are many where it buys much.
  const own = (n: number): Mined => ({
    ...called,
    hash: toHex(n + 2),
    input: taking(100n, { nonce: BigInt(n) }),
    moved: 100n,
  });
  mined = [called, ...Array.from({ length: 300 }, (_, n) => own(n))];
  expect(await find(ask, upto)).toEqual({ transaction: '0x1', moved: '2500' });
});

test('where there are more logs than a node gives at once it is asked for fewer blocks, down to one [gateway.permit2.crowded]', async () => {
  const called = { hash: '0x1', to: uptoProxyAddress, input: taking(2_500n), moved: 2_500n };
  mined = [called];
  const fullFrom = 9n;
  let asked = 0;
  const crowded: Ask = async (answer, method, params) => {
    if (method !== 'eth_getLogs') return ask(answer, method, params);
    asked += 1;
    const [{ fromBlock, toBlock = '0x10' }] = params as [{ fromBlock: Hex; toBlock?: Hex }];
    const holds = (block: bigint) => BigInt(fromBlock) <= block && block <= BigInt(toBlock);
    // A stranger's logs are in one block, and in none of those that have been mined since.
    if (holds(fullFrom) && BigInt(toBlock) > BigInt(fromBlock)) return undefined;
    return holds(3n) ? ask(answer, method, params) : answer.parse([]);
  };
  expect(await find(crowded, upto)).toEqual({ transaction: '0x1', moved: '2500' });
  expect(asked).toBeLessThan(16);
  asked = 0;
  const mute: Ask = (answer, method, params) => {
    if (method !== 'eth_getLogs') return ask(answer, method, params);
    asked += 1;
    return Promise.resolve(undefined);
  };
  expect(await find(mute, upto)).toBe('unknown');
  expect(asked).toBeLessThan(8);
});

/** A chain with a block every two seconds, of a node that gives the logs of so many blocks at once, and no others. */
function longChain(most: bigint) {
  const head = 1_000_000n;
  const ranges: [bigint, bigint][] = [];
  const calls: string[] = [];
  const long: Ask = async (answer, method, params) => {
    calls.push(method);
    if (method === 'eth_blockNumber') return answer.parse(toHex(head));
    if (method === 'eth_getBlockByNumber') {
      const back = head - BigInt(params[0] as string);
      return answer.parse({ timestamp: toHex(BigInt(openedAt / 1000) + 3_600n - 2n * back) });
    }
    if (method !== 'eth_getLogs') return ask(answer, method, params);
    const [{ fromBlock, toBlock = toHex(head) }] = params as [{ fromBlock: Hex; toBlock?: Hex }];
    const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
    if (to - from >= most) return undefined;
    ranges.push([from, to]);
    return answer.parse([]);
  };
  return { long, head, ranges, calls };
}

test('nothing older than the payment is looked through: an hour ago is one answer of a node [gateway.permit2.crowded]', async () => {
  const { long, head, ranges, calls } = longChain(10_000n);
  expect(await find(long, upto)).toBe('none');
  expect(ranges).toHaveLength(1);
  expect(head - (ranges[0]?.[0] ?? 0n)).toBeLessThan(4_200n);
  expect(calls.length).toBeLessThan(12);
});

test('what a small node gives at once is known at the next search, and a call asks it once [gateway.permit2.crowded]', async () => {
  const { long, head, ranges, calls } = longChain(500n);
  const reach = newReach();
  expect(await find(long, upto, { reach, isBrief: true })).toBe('unknown');
  expect(calls.filter((method) => method === 'eth_getLogs')).toHaveLength(1);
  expect(await find(long, upto, { reach })).toBe('none');
  // All of it, without a gap.
  for (const [n, [, to]] of ranges.entries())
    expect(to).toBe(n === 0 ? head : (ranges[n - 1]?.[0] ?? 0n) - 1n);
  expect(ranges.at(-1)?.[0]).toBeLessThan(head - 1_800n);
  ranges.length = 0;
  await find(long, upto, { reach, isBrief: true });
  expect(ranges).toHaveLength(1);
});

test('a search ends with its calls, with its time, and with whoever waits for it [gateway.permit2.crowded]', async () => {
  const { long, calls } = longChain(2n);
  expect(await find(within(long, { calls: 40, ms: 60_000 }), upto)).toBe('unknown');
  expect(calls).toHaveLength(40);
  const never: Ask = () => new Promise(() => {});
  expect(await find(within(never, { calls: 40, ms: 1 }), upto)).toBe('unknown');
  const gone = new AbortController();
  const waiting = find(within(never, { calls: 40, ms: 60_000, signal: gone.signal }), upto);
  gone.abort();
  expect(await waiting).toBe('unknown');
  expect(await find(within(long, { calls: 40, ms: 60_000, signal: gone.signal }), upto)).toBe('unknown');
  expect(calls).toHaveLength(40);
});

test('a nonce is one bit of a word of its owner; a node that is gone knows nothing [gateway.permit2.chain]', async () => {
  expect(await isTaken(ask, exact, 'latest')).toBe(true);
  bits = ~(1n << (nonce & 255n)) & (2n ** 256n - 1n);
  expect(await isTaken(ask, exact, 'latest')).toBe(false);
  expect(await standingOf(ask, token, owner.address)).toMatchObject({ allowance: bits.toString() });
  isGone = true;
  expect(await isTaken(ask, exact, 'latest')).toBeUndefined();
  expect(await find(ask, exact)).toBe('unknown');
  expect(await permittedUsed(ask, exact, '0x1')).toBe('unknown');
  expect(await standingOf(ask, token, owner.address)).toBe('unknown');
});

test('what was signed for the token itself is no payment by Permit2', () => {
  const { asset, payer } = exact;
  const authorization = { to: merchant.address, value: '10000' };
  const payload = { payload: { authorization } };
  expect(permittedIn({ asset, payer, nonce: '0x1', payload })).toBeNull();
});
