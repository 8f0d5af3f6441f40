import { type Address, sameAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { contractWallets } from '@countersign/service/ethereum/contract-wallet';
import type { Logger } from '@countersign/service/logger';
import { Pool } from 'undici';
import { z } from 'zod';
import type { ChainPort, ExpiryPort, SignedPayment } from '../ports/chain.ts';
import { type Ask, hexNumber, jsonRpc } from './json-rpc.ts';

const receiptAnswer = z.nullable(
  z.object({
    status: z.string(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
  }),
);
const logsAnswer = z.array(z.object({ transactionHash: z.string() }));
const flag = hexNumber.refine((value) => value <= 1n);
const blockAnswer = z.object({ number: z.string(), timestamp: z.string().regex(/^0x[0-9a-f]+$/) });

/** Who gets what by an authorization, as a payload of x402 has it or a credential of MPP. */
const authorized = z.object({
  to: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  value: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform((value) => `0x${BigInt(value).toString(16)}`),
});
const signedPayload = z.union([
  z
    .object({ payload: z.object({ authorization: authorized }) })
    .transform((read) => read.payload.authorization),
  z.object({ payload: authorized }).transform((read) => read.payload),
]);

const topicOf = (event: string): string => `0x${Buffer.from(keccak256(event)).toString('hex')}`;
/** 32 bytes of what is shorter. */
const word = (hexText: string): string => `0x${hexText.slice(2).toLowerCase().padStart(64, '0')}`;

/** ERC-20: `Transfer(address indexed from, address indexed to, uint256 value)`. */
const transferTopic = topicOf('Transfer(address,address,uint256)');

/** EIP-3009: `AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)`. */
const authorizationUsedTopic = topicOf('AuthorizationUsed(address,bytes32)');

/** Reads the chain through a JSON-RPC endpoint. A missing, late or malformed answer is `unknown`. */
export function connectChain(
  rpcUrl: URL,
  timeoutMs: number,
  log: Logger,
): ChainPort & ExpiryPort & { readonly close: () => Promise<void> } {
  const pool = new Pool(rpcUrl.origin, { connections: 16 });
  const ask = jsonRpc(pool, rpcUrl.pathname + rpcUrl.search, timeoutMs);
  return {
    async authorizationUsed(payment) {
      const settled = await settledIn(ask, payment, payment.transaction);
      return settled === 'otherwise' ? 'no' : settled;
    },
    async findSettlement(payment) {
      const found = await findUse(ask, payment);
      if (typeof found === 'string') return found;
      return (await settledIn(ask, payment, found.transaction)) === 'yes' ? found : 'unknown';
    },
    async staysUnused({ validBefore, ...payment }) {
      const block = await ask(blockAnswer, 'eth_getBlockByNumber', ['latest', false]);
      // A node that lags behind, or a chain that stands still, does not know yet.
      if (block === undefined || BigInt(block.timestamp) < BigInt(validBefore)) return false;
      return (await wasUsed(ask, payment, block.number)) === false;
    },
    async wasSpentOtherwise(payment) {
      const found = await findUse(ask, payment);
      return typeof found === 'object' && (await settledIn(ask, payment, found.transaction)) === 'otherwise';
    },
    signedByContract: (chainId) => contractWallets({ rpcUrl, chainId, timeoutMs, log }),
    close: () => pool.close(),
  };
}

type Log = NonNullable<z.infer<typeof receiptAnswer>>['logs'][number];

/** Whether this payment settled in a transaction; `otherwise`: its nonce was used there for another. */
async function settledIn(
  ask: Ask,
  { asset, payer, nonce, payload }: SignedPayment,
  transaction: string,
): Promise<'yes' | 'no' | 'otherwise' | 'unknown'> {
  const receipt = await ask(receiptAnswer, 'eth_getTransactionReceipt', [transaction]);
  if (receipt === undefined) return 'unknown';
  const signed = signedPayload.safeParse(payload);
  if (receipt === null || receipt.status !== '0x1' || !signed.success) return 'no';
  const { to, value } = signed.data;
  const isOf = (log: Log, topics: readonly string[]): boolean =>
    sameAddress(log.address, asset) && topics.every((topic, i) => log.topics[i]?.toLowerCase() === topic);
  const transfer = [transferTopic, word(payer), word(to)];
  const isUsed = receipt.logs.some((log) => isOf(log, usedTopics(payer, nonce)));
  const isMoved = receipt.logs.some((log) => isOf(log, transfer) && log.data.toLowerCase() === word(value));
  if (!isUsed) return 'no';
  return isMoved ? 'yes' : 'otherwise';
}

/** Providers answer so many blocks at once. */
const searchedBlocks = 9_000n;
/** How far back a settlement is looked for after a long outage: three weeks on a chain of two seconds. */
const maxSearch = 100;

const before = (block: bigint): bigint => (block > searchedBlocks ? block - searchedBlocks : 0n);
const hex = (block: bigint): string => `0x${block.toString(16)}`;

type Payment = { readonly asset: Address; readonly payer: Address; readonly nonce: string };
type Found = Awaited<ReturnType<ChainPort['findSettlement']>>;

/** The transaction in which the authorization was used, whatever for. */
async function findUse(ask: Ask, payment: Payment): Promise<Found> {
  const head = await ask(hexNumber, 'eth_blockNumber', []);
  if (head === undefined) return 'unknown';
  const recent = await usedBetween(ask, payment, before(head), null);
  if (recent !== 'unused') return recent;
  const used = await wasUsed(ask, payment, 'latest');
  if (used !== true) return used === false ? 'unused' : 'unknown';
  return searchBack(ask, payment, before(head));
}

/** Null for `to` means up to now. */
async function usedBetween(ask: Ask, payment: Payment, from: bigint, to: bigint | null): Promise<Found> {
  const filter = {
    address: payment.asset,
    topics: usedTopics(payment.payer, payment.nonce),
    fromBlock: hex(from),
    ...(to !== null && { toBlock: hex(to) }),
  };
  const logs = await ask(logsAnswer, 'eth_getLogs', [filter]);
  if (logs === undefined) return 'unknown';
  const [used] = logs;
  return used === undefined ? 'unused' : { transaction: used.transactionHash };
}

/** For an authorization that is known to be used: an outage may have been longer than one answer reaches. */
async function searchBack(ask: Ask, payment: Payment, until: bigint): Promise<Found> {
  for (let to = until, n = 0; to > 0n && n < maxSearch; to = before(to), n++) {
    const found = await usedBetween(ask, payment, before(to), to);
    if (found !== 'unused') return found;
  }
  return 'unknown';
}

/** EIP-3009: `authorizationState(address authorizer, bytes32 nonce)`. Undefined without an answer. */
async function wasUsed(
  ask: Ask,
  { asset, payer, nonce }: Payment,
  block: string,
): Promise<boolean | undefined> {
  const data = `${authorizationStateSelector}${payer.slice(2).toLowerCase().padStart(64, '0')}${nonce.slice(2)}`;
  const answer = await ask(flag, 'eth_call', [{ to: asset, data }, block]);
  return answer === undefined ? undefined : answer === 1n;
}

const authorizationStateSelector = `0x${Buffer.from(keccak256('authorizationState(address,bytes32)').subarray(0, 4)).toString('hex')}`;

const usedTopics = (payer: Address, nonce: string): readonly string[] => [
  authorizationUsedTopic,
  word(payer),
  nonce.toLowerCase(),
];
