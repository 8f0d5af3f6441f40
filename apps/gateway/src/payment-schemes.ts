import { fail, ok, type Result } from '@countersign/protocol/result';
import { transferMethods } from './rules/policy.ts';

const schemes = ['exact', ...transferMethods, 'mpp', 'sign-in-with-x'] as const;

/** How a service may be paid. */
export type PaymentScheme = (typeof schemes)[number];

/** `exact` is how money moves, and is never left out. */
export function paymentSchemes(value: string): Result<readonly PaymentScheme[], string> {
  const named = value.split(',').map((name) => schemes.find((scheme) => scheme === name.trim()));
  const known = named.filter((scheme) => scheme !== undefined);
  const isWhole = known.length === named.length && known.includes('exact');
  return isWhole
    ? ok(known)
    : fail('must be exact, and after it permit2, upto, mpp and sign-in-with-x where they are wanted');
}
