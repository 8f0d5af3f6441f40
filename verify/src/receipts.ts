import './portable/no-code-from-text.ts';
import { readPublicHalf } from '@countersign/gateway/receipts/public-half';
import { verifyExport } from '@countersign/gateway/receipts/verify';
import { parseAddress } from '@countersign/protocol/address';

/** `good`: everything holds. `incomplete`: something needed for the verdict is missing. `bad`: this is not what the gateway wrote. */
export type ReceiptsVerdict = 'good' | 'incomplete' | 'bad';

export type ReceiptsProblem = {
  /** Null for what concerns the whole file. */
  readonly line: number | null;
  readonly kind: 'bad' | 'incomplete';
  readonly what: string;
};

export type ReceiptsCheck = {
  readonly verdict: ReceiptsVerdict;
  readonly problems: readonly ReceiptsProblem[];
  readonly receipts: number;
  /** Whose payments these are. `owner` is `payer` where nobody else owns it. */
  readonly paid: readonly { readonly payer: string; readonly owner: string; readonly receipts: number }[];
  /** Contracts (ERC-1271) whose word some receipts rest on: only their chain can confirm it. */
  readonly words: readonly { readonly contract: string; readonly receipts: number }[];
  /** The key by which signatures were checked, base64; null when none is known. */
  readonly publicKey: string | null;
};

export type ReceiptsOptions = {
  /** The gateway's signing key, base64, from a source that you trust; without it the file's own key is believed. */
  readonly key?: string;
  /** Whose payments these have to be, its agents' or its own. */
  readonly owner?: string;
};

/**
 * Checks what `countersign receipt export` wrote, without asking anybody: each signature, the chain, the hash of each input,
 * and each verdict, which the gateway's own rules recompute. Throws where key or owner is none.
 */
export async function verifyReceipts(
  text: string,
  { key, owner }: ReceiptsOptions = {},
): Promise<ReceiptsCheck> {
  if (key !== undefined && readPublicHalf(key) === null)
    throw new Error('key must be 32 bytes of Ed25519 in base64');
  const whose = owner === undefined ? null : parseAddress(owner);
  if (owner !== undefined && whose === null) throw new Error('owner must be an address');
  const lines = async function* () {
    yield* text.replace(/\n$/, '').split('\n');
  };
  const { problems, receipts, paid, words, publicKey } = await verifyExport(lines, key ?? null, whose);
  return { verdict: verdictOf(problems), problems, receipts, paid, words, publicKey };
}

function verdictOf(problems: readonly ReceiptsProblem[]): ReceiptsVerdict {
  if (problems.some(({ kind }) => kind === 'bad')) return 'bad';
  return problems.length > 0 ? 'incomplete' : 'good';
}
