import { formatAmount, fromBaseUnits } from '@countersign/protocol/amount';
import type { Address } from '@countersign/protocol/address';
import { uptoProxyAddress } from '@countersign/protocol/gateway/permit2';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { z } from 'zod';

/** A signed payment, journaled before it leaves. Amounts are decimal text, `validBefore` Unix seconds. */
export type PaymentEntry = {
  /** Nonce of its authorization on chain. */
  readonly nonce: string;
  /** Names what was decided, where the nonce does not: the answer to a challenge has the nonce of that. */
  readonly decision?: string | undefined;
  readonly mandateId: string | null;
  /** The UTC day whose cap it counts against, if no mandate applies and the owner was not asked. */
  readonly day?: string | undefined;
  /** The dashboard's hold; null where there is none. */
  readonly holdId: string | null;
  /** Unix ms until which the dashboard counts this payment itself, by its hold; null when it never does. */
  readonly heldUntil: number | null;
  /** Names the logical call: the same key again is this payment again. Null without an idempotency key. */
  readonly callKey: string | null;
  /** Hash of the call that is paid for; another call with the same key gets nothing. */
  readonly callHash: string;
  /** Who waits for it, where no key names it; nobody once they have been told. */
  readonly asker?: Asker | undefined;
  readonly amount: string;
  /** Decimals of the token, if less than `amount` may be taken. */
  readonly decimals?: number | undefined;
  readonly validBefore: number;
  readonly payload: object;
  readonly payer: Address;
  readonly asset: Address;
  /** Unix ms. */
  readonly openedAt: number;
  /** The record of this payment if it turns out to have settled; only the transaction's hash is missing. */
  readonly ifSettled: TransactionReport;
};

/** Returns the amount taken, as decimal text. `moved` is in base units; undefined if all of it was taken. */
export const takenOf = (
  { amount, decimals }: Pick<PaymentEntry, 'amount' | 'decimals'>,
  moved: string | undefined,
): string =>
  moved === undefined || decimals === undefined
    ? amount
    : formatAmount(fromBaseUnits(BigInt(moved), decimals));

/** Whether its money moves by Permit2, of which gateways of before know nothing. */
export const isByPermit2 = ({ payload }: Pick<PaymentEntry, 'payload'>): boolean =>
  'payload' in payload &&
  typeof payload.payload === 'object' &&
  payload.payload !== null &&
  'permit2Authorization' in payload.payload;

const signedFor = z.object({
  payload: z.object({ permit2Authorization: z.object({ spender: z.string() }) }),
});

/** How its money moves by Permit2; null for any other payment. */
export function permit2MethodOf(entry: Pick<PaymentEntry, 'payload'>): 'permit2' | 'upto' | null {
  const signed = signedFor.safeParse(entry.payload);
  if (!signed.success) return isByPermit2(entry) ? 'permit2' : null;
  const { spender } = signed.data.payload.permit2Authorization;
  return spender.toLowerCase() === uptoProxyAddress.toLowerCase() ? 'upto' : 'permit2';
}

/** A payment as somebody has seen it: what was opened anew under its nonce since then is another one. */
export type SeenPayment = Pick<PaymentEntry, 'nonce' | 'openedAt'>;

/** The same logical call on the same terms has the same one. */
export const decisionOf = ({ nonce, decision }: Pick<PaymentEntry, 'nonce' | 'decision'>): string =>
  decision ?? nonce;

/** Who waits for a payment without a key: an agent's call, by this trace. `process` looks after it. */
export type Asker = { readonly identity: string; readonly process: string; readonly traceId: string };
