import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@countersign/service/logger';
import { keccak256, pad, toBytes } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { address, merchant, owner, stranger } from '../../test/samples.ts';
import { connectChain } from './chain.ts';

type Node = {
  head: number;
  /** Unix seconds of the head. */
  time: number;
  /** The block in which the authorization was used; null while it was not. */
  usedAt: number | null;
  /** What moved with it. */
  moved: { to: string; value: number };
};

const log = createLogger('test', 'silent');
const transaction = `0x${'ab'.repeat(32)}`;
const payment = {
  asset: address(merchant),
  payer: address(owner),
  nonce: `0x${'cd'.repeat(32)}`,
  openedAt: 2_000_000_000_000,
  payload: { challenge: {}, payload: { to: stranger.address, value: '10000' } },
};
const topic = (event: string) => keccak256(toBytes(event));
const log32 = (value: string) => pad(value.toLowerCase() as `0x${string}`);
const maxBlocksAtOnce = 10_000;

let node: Node;
let asked: string[];
let chain: ReturnType<typeof connectChain>;
let stopNode: () => void;

const hex = (value: number) => `0x${value.toString(16)}`;

const wasUsed = (from: number, to: number): boolean =>
  node.usedAt !== null && node.usedAt >= from && node.usedAt <= to;

/** Providers give the logs of so many blocks at once, and refuse more. */
function logs({ fromBlock, toBlock = hex(node.head) }: { fromBlock: string; toBlock?: string }): unknown {
  const [from, to] = [Number(fromBlock), Number(toBlock)];
  if (to - from > maxBlocksAtOnce) return undefined;
  return wasUsed(from, to) ? [{ transactionHash: transaction }] : [];
}

const receipt = () => ({
  status: '0x1',
  logs: [
    {
      address: payment.asset,
      topics: [topic('AuthorizationUsed(address,bytes32)'), log32(payment.payer), payment.nonce],
      data: '0x',
    },
    {
      address: payment.asset,
      topics: [topic('Transfer(address,address,uint256)'), log32(payment.payer), log32(node.moved.to)],
      data: log32(hex(node.moved.value)),
    },
  ],
});

const flag = (value: boolean): string => `0x${(value ? '1' : '').padStart(64, '0')}`;

const methods: Readonly<Record<string, (params: never) => unknown>> = {
  eth_blockNumber: () => hex(node.head),
  eth_getBlockByNumber: () => ({ number: hex(node.head), timestamp: hex(node.time) }),
  eth_getTransactionReceipt: () => receipt(),
  eth_getLogs: ([filter]: Parameters<typeof logs>) => logs(filter),
  eth_call: ([, block]: [unknown, string]) =>
    flag(wasUsed(-Infinity, block === 'latest' ? node.head : Number(block))),
};

beforeEach(async () => {
  node = { head: 100_000, time: 2_000_000_000, usedAt: null, moved: { to: stranger.address, value: 10_000 } };
  asked = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        method: string;
        params: never;
      };
      asked.push(method);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: methods[method]?.(params) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  chain = connectChain(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), 5_000, log);
  stopNode = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(async () => {
  stopNode();
  await chain.close();
});

test('a settlement is found among the newest blocks with one look at the logs', async () => {
  node.usedAt = 99_000;
  expect(await chain.findSettlement(payment)).toEqual({ transaction });
  expect(asked).toEqual(['eth_blockNumber', 'eth_getLogs', 'eth_getTransactionReceipt']);
});

test('a payment has settled where its nonce was used for its own payee and amount [gateway.mpp.judged]', async () => {
  node.usedAt = 99_000;
  const { payload } = payment.payload;
  const ofX402 = { ...payment, payload: { x402Version: 2, payload: { authorization: payload } } };
  for (const each of [payment, ofX402]) {
    expect(await chain.authorizationUsed({ ...each, transaction })).toBe('yes');
    expect(await chain.findSettlement(each)).toEqual({ transaction });
    expect(await chain.wasSpentOtherwise(each)).toBe(false);
  }
  // Another gateway of the wallet was shown the same challenge for another payment.
  for (const moved of [
    { to: merchant.address, value: 10_000 },
    { to: stranger.address, value: 1 },
  ]) {
    node.moved = moved;
    for (const each of [payment, ofX402]) {
      expect(await chain.authorizationUsed({ ...each, transaction })).toBe('no');
      expect(await chain.findSettlement(each)).toBe('unknown');
      expect(await chain.wasSpentOtherwise(each)).toBe(true);
    }
  }
  node.usedAt = -1;
  expect(await chain.wasSpentOtherwise(payment)).toBe(false);
});

test('a settlement is found as far back as an outage may have been [gateway.paying.reconcile]', async () => {
  for (const usedAt of [90_999, 82_000, 45_678, 1]) {
    node.usedAt = usedAt;
    expect(await chain.findSettlement(payment)).toEqual({ transaction });
  }
});

test('an authorization is unused only when the token says so', async () => {
  expect(await chain.findSettlement(payment)).toBe('unused');
  expect(asked).toContain('eth_call');
});

test('what the token knows as used, but no log shows, is unknown', async () => {
  node.usedAt = -1;
  expect(await chain.findSettlement(payment)).toBe('unknown');
});

test('an authorization stays unused once a block after its validity shows it unused', async () => {
  const validBefore = node.time;
  expect(await chain.staysUnused({ ...payment, validBefore })).toBe(true);
  node.time -= 1;
  expect(await chain.staysUnused({ ...payment, validBefore })).toBe(false);
  node.time += 2;
  node.usedAt = node.head;
  expect(await chain.staysUnused({ ...payment, validBefore })).toBe(false);
});

test('a payment by Permit2 stays unused once a block after its validity shows its bit unset [gateway.permit2.chain]', async () => {
  const permit2Authorization = {
    from: owner.address,
    permitted: { token: payment.asset, amount: '10000' },
    spender: stranger.address,
    nonce: '256',
    deadline: String(node.time - 1),
    witness: { to: stranger.address, validAfter: '0' },
  };
  const permitted = { ...payment, payload: { payload: { permit2Authorization } } };
  const validBefore = node.time;
  expect(await chain.findSettlement(permitted)).toBe('unused');
  expect(await chain.staysUnused({ ...permitted, validBefore })).toBe(true);
  expect(await chain.staysUnused({ ...permitted, validBefore: validBefore + 1 })).toBe(false);
  expect(await chain.wasTaken({ ...permitted, validBefore })).toBe(false);
  node.usedAt = node.head;
  expect(await chain.wasTaken({ ...permitted, validBefore })).toBe(true);
  expect(await chain.wasTaken({ ...permitted, validBefore: validBefore + 1 })).toBe(false);
  expect(await chain.wasTaken({ ...payment, validBefore })).toBe(false);
  expect(await chain.staysUnused({ ...permitted, validBefore })).toBe(false);
  expect(await chain.wasSpentOtherwise(permitted)).toBe(false);
});

test('a node that is gone knows nothing', async () => {
  stopNode();
  expect(await chain.findSettlement(payment)).toBe('unknown');
  expect(await chain.staysUnused({ ...payment, validBefore: 1 })).toBe(false);
});
