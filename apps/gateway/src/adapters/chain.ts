import type { Address } from '@countersign/protocol/address';
import { toAbortSignal } from '@countersign/service/cancellation';
import { contractWallets } from '@countersign/service/ethereum/contract-wallet';
import type { Logger } from '@countersign/service/logger';
import { Pool } from 'undici';
import { z } from 'zod';
import type { ChainPort, ExpiryPort, OpenedPayment, SignedPayment } from '../ports/chain.ts';
import { type Ask, hexNumber, jsonRpc } from './json-rpc.ts';
import { findInLogs, isOf, receiptAnswer, selectorOf, topicOf, transferTopics, word } from './logs.ts';
import { type Budget, newReach, type Shown, within } from './search-back.ts';
import { findPermitted, isTaken, permittedIn, permittedUsed, standingOf } from './permit2.ts';

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
  const lookFor = permittedSearches(ask);
  return {
    async authorizationUsed(payment) {
      const permitted = permittedIn(payment);
      if (permitted !== null) return permittedUsed(ask, permitted, payment.transaction);
      const settled = await settledIn(ask, payment, payment.transaction);
      return settled === 'otherwise' ? 'no' : settled;
    },
    async findSettlement(payment, signal) {
      if (permittedIn(payment) === null) return findAuthorized(ask, payment);
      const found = await lookFor(payment, { ...inCall, signal: signal && toAbortSignal(signal) }, true);
      return found === 'none' ? 'unknown' : found;
    },
    searchSettlement: async (payment, isHurried) =>
      permittedIn(payment) === null
        ? findAuthorized(ask, payment)
        : lookFor(payment, isHurried ? hurried : unhurried, false),
    permit2Standing: ({ asset, payer }) => standingOf(ask, asset, payer),
    async wasTaken({ validBefore, ...payment }) {
      const permitted = permittedIn(payment);
      const block = permitted === null ? null : await blockAfter(ask, validBefore);
      return permitted !== null && block !== null && (await isTaken(ask, permitted, block)) === true;
    },
    async staysUnused({ validBefore, ...payment }) {
      const block = await blockAfter(ask, validBefore);
      if (block === null) return false;
      const permitted = permittedIn(payment);
      const used =
        permitted === null ? await wasUsed(ask, payment, block) : await isTaken(ask, permitted, block);
      return used === false;
    },
    async wasSpentOtherwise(payment) {
      // A nonce of Permit2 is this wallet's own, and names one decision: nobody else pays with it.
      if (permittedIn(payment) !== null) return false;
      const found = await findUse(ask, payment);
      return typeof found === 'object' && (await settledIn(ask, payment, found.transaction)) === 'otherwise';
    },
    signedByContract: (chainId) => contractWallets({ rpcUrl, chainId, timeoutMs, log }),
    close: () => pool.close(),
  };
}

const inCall: Budget = { calls: 100, ms: 5_000 };
const hurried: Budget = { calls: 200, ms: 2_000 };
const unhurried: Budget = { calls: 1_000, ms: 10_000 };

type LookFor = (payment: OpenedPayment, budget: Budget, isBrief: boolean) => Promise<Shown | 'unused'>;

/** Searches for payments by Permit2, one at a time for each of them and each kind of search. */
function permittedSearches(ask: Ask): LookFor {
  const reach = newReach();
  const running = new Map<string, Promise<Shown | 'unused'>>();
  return async (payment, budget, isBrief) => {
    const permitted = permittedIn(payment);
    if (permitted === null) return 'unknown';
    const name = [payment.nonce, budget.ms].join(' ');
    const looking = { since: payment.openedAt, reach, isBrief };
    const search =
      running.get(name) ??
      findPermitted(within(ask, budget), permitted, looking).finally(() => running.delete(name));
    running.set(name, search);
    return search;
  };
}

/** The newest block, by its number, where it comes after that Unix second. A node that lags behind has none, nor a chain that stands still. */
async function blockAfter(ask: Ask, second: number): Promise<string | null> {
  const block = await ask(blockAnswer, 'eth_getBlockByNumber', ['latest', false]);
  return block === undefined || BigInt(block.timestamp) < BigInt(second) ? null : block.number;
}

async function findAuthorized(ask: Ask, payment: SignedPayment): Promise<Found> {
  const found = await findUse(ask, payment);
  if (typeof found === 'string') return found;
  return (await settledIn(ask, payment, found.transaction)) === 'yes' ? found : 'unknown';
}

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
  const transfer = transferTopics(payer, to);
  const isUsed = receipt.logs.some((log) => isOf(log, asset, usedTopics(payer, nonce)));
  const isMoved = receipt.logs.some(
    (log) => isOf(log, asset, transfer) && log.data.toLowerCase() === word(value),
  );
  if (!isUsed) return 'no';
  return isMoved ? 'yes' : 'otherwise';
}

type Payment = { readonly asset: Address; readonly payer: Address; readonly nonce: string };
type Found = Awaited<ReturnType<ChainPort['findSettlement']>>;

/** The transaction in which the authorization was used, whatever for. */
const findUse = (ask: Ask, payment: Payment): Promise<Found> =>
  findInLogs(ask, {
    address: payment.asset,
    topics: usedTopics(payment.payer, payment.nonce),
    pick: ([used]) => Promise.resolve(used === undefined ? null : { transaction: used.transactionHash }),
    isThere: () => wasUsed(ask, payment, 'latest'),
  });

/** EIP-3009: `authorizationState(address authorizer, bytes32 nonce)`. Undefined without an answer. */
async function wasUsed(
  ask: Ask,
  { asset, payer, nonce }: Payment,
  block: string,
): Promise<boolean | undefined> {
  const data = `${selectorOf('authorizationState(address,bytes32)')}${word(payer).slice(2)}${nonce.slice(2)}`;
  const answer = await ask(flag, 'eth_call', [{ to: asset, data }, block]);
  return answer === undefined ? undefined : answer === 1n;
}

const usedTopics = (payer: Address, nonce: string): readonly string[] => [
  authorizationUsedTopic,
  word(payer),
  nonce.toLowerCase(),
];
