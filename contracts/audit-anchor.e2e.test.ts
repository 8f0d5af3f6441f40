import {
  type Address,
  createTestClient,
  type Hex,
  http,
  parseEventLogs,
  publicActions,
  walletActions,
} from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditAnchor } from './src/audit-anchor.ts';
import { startTestChain, type TestChain } from './test-chain.ts';

const { abi } = auditAnchor;
/** Two of anvil's accounts, which it signs for. */
const publisher = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`;
const zero = bytes32('0');
const logId = bytes32('1');
const otherLog = bytes32('2');

let chain: TestChain;
let client: ReturnType<typeof connect>;
let address: Address;

const connect = (url: string) =>
  createTestClient({
    mode: 'anvil',
    chain: { ...foundry, id: 84532 },
    transport: http(url),
    pollingInterval: 10,
  })
    .extend(publicActions)
    .extend(walletActions);

beforeAll(async () => {
  chain = await startTestChain();
  client = connect(chain.url);
});
afterAll(() => chain?.stop());

beforeEach(async () => {
  const hash = await client.deployContract({ ...auditAnchor, account: publisher, args: [publisher] });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('not deployed');
  address = contractAddress;
});

type Args = readonly [logId: Hex, size: bigint, root: Hex, prevRoot: Hex, flags: number];

/** Mines the call whatever becomes of it. */
async function publish(args: Args, account: Address = publisher) {
  const hash = await client.writeContract({
    abi,
    address,
    functionName: 'publish',
    args,
    account,
    gas: 200_000n,
  });
  return client.waitForTransactionReceipt({ hash });
}
async function refusal(args: Args, account: Address = publisher): Promise<unknown> {
  expect(await publish(args, account)).toMatchObject({ status: 'reverted', logs: [] });
  return client.simulateContract({ abi, address, functionName: 'publish', args, account }).then(
    () => 'none',
    ({ cause }: { cause: { data?: { errorName: string; args?: unknown[] } } }) => cause.data,
  );
}
const latest = (log: Hex = logId) =>
  client.readContract({ abi, address, functionName: 'latest', args: [log] });

describe('publishing a root', () => {
  test('stores it and says so [vault.anchor.publish] [vault.anchor.event]', async () => {
    expect(await latest()).toEqual([0n, zero, 0]);
    const { status, logs } = await publish([logId, 7n, bytes32('a'), zero, 1]);
    expect(status).toBe('success');
    expect(await latest()).toEqual([7n, bytes32('a'), 1]);
    expect(parseEventLogs({ abi, logs })).toMatchObject([
      { eventName: 'RootPublished', args: { logId, size: 7n, root: bytes32('a'), flags: 1 } },
    ]);
    expect(logs[0]?.topics).toHaveLength(2);
  });

  test('replaces the one before when it names it', async () => {
    await publish([logId, 7n, bytes32('a'), zero, 1]);
    expect((await publish([logId, 8n, bytes32('b'), bytes32('a'), 0])).status).toBe('success');
    expect(await latest()).toEqual([8n, bytes32('b'), 0]);
  });

  test('of one log leaves the others alone', async () => {
    await publish([logId, 7n, bytes32('a'), zero, 1]);
    expect((await publish([otherLog, 1n, bytes32('c'), zero, 0])).status).toBe('success');
    expect([await latest(), await latest(otherLog)]).toEqual([
      [7n, bytes32('a'), 1],
      [1n, bytes32('c'), 0],
    ]);
  });

  test('takes the largest size there is, and then no more', async () => {
    const most = 2n ** 64n - 1n;
    await publish([logId, most, bytes32('a'), zero, 0]);
    expect(await refusal([logId, most, bytes32('b'), bytes32('a'), 0])).toMatchObject({ args: [most] });
  });
});

describe('a root is not published', () => {
  test('by anybody but the publisher [vault.anchor.publisher-only]', async () => {
    const error = await refusal([logId, 7n, bytes32('a'), zero, 1], stranger);
    expect(error).toMatchObject({ errorName: 'NotPublisher' });
  });

  test.each([6n, 7n, 0n])('when the log had 7 records and now %i [vault.anchor.size-grows]', async (size) => {
    await publish([logId, 7n, bytes32('a'), zero, 1]);
    expect(await refusal([logId, size, bytes32('b'), bytes32('a'), 1])).toMatchObject({
      errorName: 'SizeNotLarger',
      args: [7n],
    });
    expect(await latest()).toEqual([7n, bytes32('a'), 1]);
  });

  test.each([zero, bytes32('f')])(
    'by a fork, whose root before is %s [vault.anchor.prev-root]',
    async (prevRoot) => {
      await publish([logId, 7n, bytes32('a'), zero, 1]);
      expect(await refusal([logId, 9n, bytes32('b'), prevRoot, 1])).toMatchObject({
        errorName: 'PrevRootNotStored',
        args: [bytes32('a')],
      });
    },
  );

  test('for the first time with a root before it, or with no records', async () => {
    expect(await refusal([logId, 7n, bytes32('a'), bytes32('f'), 1])).toMatchObject({ args: [zero] });
    expect(await refusal([logId, 0n, bytes32('a'), zero, 1])).toMatchObject({ args: [0n] });
  });
});

test('the publisher hands over to its next key, and only it can', async () => {
  const handOver = (account: Address) =>
    client.simulateContract({ abi, address, functionName: 'handOver', args: [stranger], account });
  await expect(handOver(stranger)).rejects.toThrow('NotPublisher');
  const { request } = await handOver(publisher);
  await client.waitForTransactionReceipt({ hash: await client.writeContract(request) });
  expect(await refusal([logId, 7n, bytes32('a'), zero, 1])).toMatchObject({ errorName: 'NotPublisher' });
  expect((await publish([logId, 7n, bytes32('a'), zero, 1], stranger)).status).toBe('success');
});

test('costs little: below 75,000 gas for the first root of a log, below 42,000 for each later one', async () => {
  const first = await publish([logId, 7n, bytes32('a'), zero, 1]);
  const second = await publish([logId, 8n, bytes32('b'), bytes32('a'), 1]);
  expect(first.gasUsed).toBeLessThan(75_000n);
  expect(second.gasUsed).toBeLessThan(42_000n);
});
