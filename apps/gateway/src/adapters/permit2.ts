import { sameAddress } from '@countersign/protocol/address';
import {
  permit2Address,
  permit2Authorization,
  uptoProxyAddress,
} from '@countersign/protocol/gateway/permit2';
import { z } from 'zod';
import type { ChainPort, SettledIn, SignedPayment } from '../ports/chain.ts';
import { type Ask, hexNumber } from './json-rpc.ts';
import { type FoundLogs, isOf, numberWord, receiptAnswer, selectorOf, transferTopics, word } from './logs.ts';
import { type Looking, searchBack, type Shown } from './search-back.ts';

/** A payment that was signed for Permit2. Of `upto` less than `most` may be taken. */
type Permitted = Pick<SignedPayment, 'asset' | 'payer'> & {
  readonly nonce: bigint;
  readonly to: string;
  readonly most: bigint;
  readonly isUpto: boolean;
};

const signedPayload = z.object({ payload: z.object({ permit2Authorization }) });

/** Null for what was signed for the token itself. */
export function permittedIn({ asset, payer, payload }: SignedPayment): Permitted | null {
  const signed = signedPayload.safeParse(payload);
  if (!signed.success) return null;
  const { nonce, permitted, spender, witness } = signed.data.payload.permit2Authorization;
  const isUpto = sameAddress(spender, uptoProxyAddress);
  return { asset, payer, nonce: BigInt(nonce), to: witness.to, most: BigInt(permitted.amount), isUpto };
}

const transactionAnswer = z.nullable(
  z.object({
    to: z.nullable(z.string()),
    input: z
      .string()
      .regex(/^0x[0-9a-fA-F]*$/)
      .transform((text) => text.toLowerCase()),
  }),
);

/**
 * Whether a transaction moved this payment. Permit2 has no event of its own for that, so the transaction has to carry the nonce and
 * the token its transfer. What was signed for `exact` moves whole or not at all: then the nonce is used. Of `upto` the amount is
 * what the proxy was called with, by nobody in between: what others write beside it into a transaction says nothing.
 */
export async function permittedUsed(
  ask: Ask,
  payment: Permitted,
  hash: string,
): Promise<'yes' | 'no' | 'unknown' | { readonly moved: string }> {
  const [receipt, transaction] = await Promise.all([
    ask(receiptAnswer, 'eth_getTransactionReceipt', [hash]),
    ask(transactionAnswer, 'eth_getTransactionByHash', [hash]),
  ]);
  if (receipt === undefined || transaction === undefined) return 'unknown';
  if (receipt?.status !== '0x1' || transaction === null) return 'no';
  const moved = movedBy(transaction, payment);
  if (moved === null || !isMoved(receipt, payment, moved)) return 'no';
  return payment.isUpto ? { moved: moved.toString() } : takenWhole(ask, payment);
}

async function takenWhole(ask: Ask, payment: Permitted): Promise<'yes' | 'no' | 'unknown'> {
  const used = await isTaken(ask, payment, 'latest');
  if (used === undefined) return 'unknown';
  return used ? 'yes' : 'no';
}

type Transaction = NonNullable<z.infer<typeof transactionAnswer>>;

/** What the call says that it moves of this payment; null for nothing, or for more than was signed. */
function movedBy(transaction: Transaction, payment: Permitted): bigint | null {
  const { isUpto, nonce, most } = payment;
  if (!isUpto) return carries(transaction.input, nonce) ? most : null;
  const taken = takenBy(transaction, payment);
  return taken !== null && taken <= most ? taken : null;
}

function isMoved(
  { logs }: NonNullable<z.infer<typeof receiptAnswer>>,
  { asset, payer, to }: Permitted,
  units: bigint,
): boolean {
  const transfer = transferTopics(payer, to);
  return logs.some((log) => isOf(log, asset, transfer) && log.data.toLowerCase() === numberWord(units));
}

const carries = (input: string, nonce: bigint): boolean => input.includes(numberWord(nonce).slice(2));

const permit = '((address,uint256),uint256,uint256)';
const rest = 'uint256,address,(address,address,uint256),bytes';
/** By selector, the word at which the permit begins (`x402UptoPermit2Proxy`). */
const settling: Readonly<Record<string, number>> = {
  [selectorOf(`settle(${permit},${rest})`)]: 0,
  [selectorOf(`settleWithPermit((uint256,uint256,bytes32,bytes32,uint8),${permit},${rest})`)]: 5,
};

/** What the proxy for `upto` was told to take of this payment; null where it was not called, or for another payment. */
function takenBy({ to, input }: Transaction, { nonce, payer }: Permitted): bigint | null {
  const first = settling[input.slice(0, 10)];
  if (to === null || !sameAddress(to, uptoProxyAddress) || first === undefined) return null;
  const at = (index: number): string =>
    `0x${input.slice(10).slice((first + index) * 64, (first + index + 1) * 64)}`;
  // The permit is token, amount, nonce and deadline; after it come what is taken, and of whom.
  const isOurs = at(2) === numberWord(nonce) && at(5) === word(payer);
  return isOurs ? BigInt(at(4)) : null;
}

/** The transaction that moved it; `unused` while its nonce is, `none` where no transaction since it was signed shows it. */
export async function findPermitted(
  ask: Ask,
  payment: Permitted,
  looking: Looking,
): Promise<Shown | 'unused'> {
  const used = await isTaken(ask, payment, 'latest');
  if (used !== true) return used === false ? 'unused' : 'unknown';
  return searchBack(ask, looking, {
    address: payment.asset,
    topics: transferTopics(payment.payer, payment.to),
    pick: (logs) => pickOf(ask, payment, logs),
  });
}

/** So many are looked at together. */
const together = 16;

/**
 * Among the transfers from this payer to this payee, the one of this payment. The newest first, and all of them: whoever likes can
 * write transfers of nothing, which are passed over, but one of something takes the payer's signature.
 */
async function pickOf(ask: Ask, payment: Permitted, logs: FoundLogs): Promise<SettledIn | 'unknown' | null> {
  const hashes = new Set(
    logs.filter((log) => fits(payment, log)).map(({ transactionHash }) => transactionHash),
  );
  const newest = [...hashes].toReversed();
  for (let from = 0; from < newest.length; from += together) {
    const looked = await Promise.all(
      newest.slice(from, from + together).map((transaction) => lookAt(ask, payment, transaction)),
    );
    const shown = looked.filter((each) => each !== null);
    const found = shown.find((each) => each !== 'unknown') ?? shown[0];
    if (found !== undefined) return found;
  }
  return null;
}

function fits({ isUpto, most }: Permitted, { data }: FoundLogs[number]): boolean {
  const units = /^0x[0-9a-fA-F]{64}$/.test(data) ? BigInt(data) : 0n;
  return isUpto ? units > 0n && units <= most : units === most;
}

async function lookAt(
  ask: Ask,
  payment: Permitted,
  transaction: string,
): Promise<SettledIn | 'unknown' | null> {
  const said = await permittedUsed(ask, payment, transaction);
  if (said === 'unknown') return said;
  if (said === 'no') return null;
  return said === 'yes' ? { transaction } : { transaction, moved: said.moved };
}

/** Permit2: `nonceBitmap(address owner, uint256 word)`, 256 nonces in each word. Undefined without an answer. */
export async function isTaken(
  ask: Ask,
  { payer, nonce }: Pick<Permitted, 'payer' | 'nonce'>,
  block: string,
): Promise<boolean | undefined> {
  const data = `${selectorOf('nonceBitmap(address,uint256)')}${word(payer).slice(2)}${numberWord(nonce >> 8n).slice(2)}`;
  const bits = await ask(hexNumber, 'eth_call', [{ to: permit2Address, data }, block]);
  return bits === undefined ? undefined : ((bits >> (nonce & 255n)) & 1n) === 1n;
}

/** What lets Permit2 move a token of somebody's: the allowance that stands, and what a new approval has to name. */
export async function standingOf(
  ask: Ask,
  asset: string,
  payer: string,
): ReturnType<ChainPort['permit2Standing']> {
  const read = (signature: string, ...words: readonly string[]) => {
    const data = `${selectorOf(signature)}${words.map((each) => word(each).slice(2)).join('')}`;
    return ask(hexNumber, 'eth_call', [{ to: asset, data }, 'latest']);
  };
  const [allowance, nonce] = await Promise.all([
    read('allowance(address,address)', payer, permit2Address),
    read('nonces(address)', payer),
  ]);
  if (allowance === undefined) return 'unknown';
  return { allowance: allowance.toString(), approvalNonce: nonce?.toString() ?? null };
}
