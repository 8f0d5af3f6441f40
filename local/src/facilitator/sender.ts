import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, nonceManager } from 'viem';
import type { ChainClient } from './chain-client.ts';

type Call = { readonly to: Hex; readonly data: Hex };
type Transaction = Awaited<ReturnType<typeof priced>> & { readonly nonce: number };

/** So long may the next transaction of the key lie before it is sent again, for more; every so often after that. */
const lyingMs = 2_000;
const minedMs = 60_000;
const pollMs = { first: 5, longest: 500 };

/**
 * Sends a call and resolves with its hash once it is mined, whether it succeeded or reverted; any number at once.
 * Rejects for one that would revert now (nothing is sent), and for one that is not mined within 60 seconds.
 *
 * viem's own wait is of no use here: it looks again only when there is a new block, and on a chain that mines when
 * something is sent there may never be one.
 */
export async function sendMined(client: ChainClient, call: Call): Promise<Hex> {
  const estimated = await priced(client, call);
  const { account, chain } = client;
  const key = { address: account.address, chainId: chain.id };
  const nonce = await nonceManager.consume({ ...key, client });
  const transaction = { ...estimated, nonce };
  const first = await send(client, transaction).catch((error: unknown) => {
    nonceManager.reset({ ...key, nonce });
    throw error;
  });
  return mined(client, transaction, first);
}

// Another payment mined first may turn a cheap storage write into a dear one.
const gasMargin = 30_000n;

/**
 * Everything that can be refused is asked before a nonce is taken, and nothing but sending happens after: a nonce
 * that is taken and never sent holds up every later payment.
 */
async function priced(client: ChainClient, call: Call) {
  const { account, chain } = client;
  const [gas, fees] = await Promise.all([
    client.estimateGas({ ...call, account }),
    client.estimateFeesPerGas(),
  ]);
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const cost = { gas: gas + gasMargin, maxFeePerGas, maxPriorityFeePerGas };
  return { type: 'eip1559', chainId: chain.id, ...call, ...cost } as const;
}

const send = async (client: ChainClient, transaction: Transaction): Promise<Hex> =>
  client.sendRawTransaction({ serializedTransaction: await client.account.signTransaction(transaction) });

/** The hash that was mined: of the transaction as it was sent first, or of one that was sent in its place. */
async function mined(client: ChainClient, transaction: Transaction, first: Hex): Promise<Hex> {
  const sent = [first];
  const began = Date.now();
  let pause = pollMs.first;
  for (;;) {
    for (const hash of sent) if (await isMined(client, hash)) return hash;
    const lain = Date.now() - began;
    if (lain > minedMs) throw new Error(`the transaction ${first} was not mined within ${minedMs / 1_000} s`);
    if (lain > sent.length * lyingMs && (await isNext(client, transaction))) {
      const again = await send(client, dearer(transaction, sent.length)).catch(unanswered);
      if (again !== undefined) sent.push(again);
    }
    await sleep(pause);
    pause = Math.min(pause * 1.5, pollMs.longest);
  }
}

/** A transaction that was sent stays sent: a node that fails to answer is asked again. */
const unanswered = () => undefined;

const isMined = async (client: ChainClient, hash: Hex): Promise<boolean> =>
  (await client.getTransactionReceipt({ hash }).catch(unanswered)) !== undefined;

/**
 * Returns whether the chain waits for this one. All that come after it wait for it, and gain nothing by a
 * higher fee.
 */
const isNext = async ({ getTransactionCount, account }: ChainClient, { nonce }: Transaction) =>
  (await getTransactionCount({ address: account.address }).catch(unanswered)) === nonce;

/** A node takes the place of a waiting transaction only for a fee that is higher by a tenth or more. */
function dearer(transaction: Transaction, times: number): Transaction {
  const raised = (fee: bigint): bigint => (fee * BigInt(100 + 25 * times)) / 100n + 1n;
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    ...transaction,
    maxFeePerGas: raised(maxFeePerGas),
    maxPriorityFeePerGas: raised(maxPriorityFeePerGas),
  };
}
