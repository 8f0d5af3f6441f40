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
  asked: Asked,
  { methods }: Pick<PaymentPolicy, 'methods'>,
): Result<TransferMethod, string> {
  switch (asked.scheme) {
    case 'exact':
      return exactBy(asked, methods);
    case 'upto':
      return uptoBy(asked, methods);
    default:
      return fail('only the scheme "exact" is paid');
  }
}

type Methods = PaymentPolicy['methods'];

function exactBy(asked: Asked, methods: Methods): Result<TransferMethod, string> {
  const by = asked.extra['assetTransferMethod'] ?? 'eip3009';
  if (by === 'eip3009') return ok({ kind: 'eip3009' });
  if (by !== 'permit2' || asked.x402Version === 1) return fail('only EIP-3009 transfers are paid');
  return methods.includes('permit2')
    ? ok({ kind: 'permit2', sponsored: isSponsored(asked) })
    : fail('only EIP-3009 transfers are paid: "permit2" is not in PAYMENT_SCHEMES');
}

function uptoBy(asked: Asked, methods: Methods): Result<TransferMethod, string> {
  const by = asked.extra['assetTransferMethod'] ?? 'permit2';
  if (!methods.includes('upto')) return fail('the scheme "upto" is not in PAYMENT_SCHEMES');
  if (by !== 'permit2' || asked.x402Version === 1) return fail('only "upto" by Permit2 is paid');
  const named = asked.extra['facilitatorAddress'];
  const facilitator = typeof named === 'string' ? parseAddress(named) : null;
  return facilitator === null
    ? fail('it names no facilitator that may decide how much is taken')
    : ok({ kind: 'upto', sponsored: isSponsored(asked), facilitator });
}

const isSponsored = ({ extensions }: Asked): boolean => {
  const offered = extensions?.[gasSponsoring];
  return typeof offered === 'object' && offered !== null;
};
