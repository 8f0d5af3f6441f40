import { type Address, parseAddress } from '@countersign/protocol/address';
import { gasSponsoring } from '@countersign/protocol/gateway/permit2';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { PaymentPolicy } from './policy.ts';

/**
 * How the money of a price moves. `sponsored`: the service takes an approval of Permit2 for this payment, and brings it on chain.
 * Of `upto` the facilitator, and nobody else, says how much of the maximum is taken.
 */
export type TransferMethod =
  | { readonly kind: 'eip3009' }
  | { readonly kind: 'permit2'; readonly sponsored: boolean }
  | { readonly kind: 'upto'; readonly sponsored: boolean; readonly facilitator: Address };

type Asked = {
  readonly x402Version: 1 | 2;
  readonly scheme: string;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>> | null;
};

/** The method that a price asks for, or why we do not pay by it. */
export function methodOf(
  { x402Version, scheme, extra, extensions }: Asked,
  { methods }: Pick<PaymentPolicy, 'methods'>,
): Result<TransferMethod, string> {
  const by = extra['assetTransferMethod'];
  if (scheme === 'exact' && (by === undefined || by === 'eip3009')) return ok({ kind: 'eip3009' });
  const isPermit2 = x402Version === 2 && (by === 'permit2' || (scheme === 'upto' && by === undefined));
  const sponsored = typeof extensions?.[gasSponsoring] === 'object' && extensions[gasSponsoring] !== null;
  if (scheme === 'upto') {
    if (!methods.includes('upto')) return fail('the scheme "upto" is not in PAYMENT_SCHEMES');
    if (!isPermit2) return fail('only "upto" by Permit2 is paid');
    const facilitator = parseAddress(String(extra['facilitatorAddress']));
    return facilitator === null
      ? fail('it names no facilitator that may say how much is taken')
      : ok({ kind: 'upto', sponsored, facilitator });
  }
  if (scheme !== 'exact') return fail('only the scheme "exact" is paid');
  if (!isPermit2) return fail('only EIP-3009 transfers are paid');
  return methods.includes('permit2')
    ? ok({ kind: 'permit2', sponsored })
    : fail('only EIP-3009 transfers are paid: "permit2" is not in PAYMENT_SCHEMES');
}
