declare const amount: unique symbol;

/** A non-negative decimal, exact to 18 fractional digits, scaled by 10^18. The only form in which we calculate with money. */
export type Amount = bigint & { readonly [amount]: true };

const FRACTION_DIGITS = 18;
const PLAIN_DECIMAL = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

export const zero = 0n as Amount;

/**
 * Reads a plain decimal of at most 18 integer and 18 fractional digits (spec: dashboard.mandate).
 * Signs, exponents, separators, leading zeros and non-ASCII digits give null: `NaN` or `1,000` must
 * never slip under a limit.
 */
export function parseAmount(text: string): Amount | null {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) return null;
  const [, integer = '', fraction = ''] = match;
  return BigInt(integer + fraction.padEnd(FRACTION_DIGITS, '0')) as Amount;
}

/** The canonical text: no exponent, no trailing zeros, no trailing point. `parseAmount` reads it back. */
export function formatAmount(value: Amount): string {
  const digits = value.toString().padStart(FRACTION_DIGITS + 1, '0');
  const integer = digits.slice(0, -FRACTION_DIGITS);
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '');
  return fraction === '' ? integer : `${integer}.${fraction}`;
}

/** Two fractional digits, half away from zero: what the transaction log shows (spec: dashboard.transactions). */
export function formatCents(value: Amount): string {
  const unit = 10n ** BigInt(FRACTION_DIGITS - 2);
  const cents = ((value as bigint) + unit / 2n) / unit;
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Token base units ("atomic") of a decimal amount; null when the amount is finer than the token. */
export function toBaseUnits(value: Amount, decimals: number): bigint | null {
  const unit = 10n ** BigInt(FRACTION_DIGITS - decimals);
  return value % unit === 0n ? value / unit : null;
}

/** The decimal amount of so many token base units. `decimals` is 0 to 18. */
export function fromBaseUnits(units: bigint, decimals: number): Amount {
  return (units * 10n ** BigInt(FRACTION_DIGITS - decimals)) as Amount;
}

export const addAmounts = (a: Amount, b: Amount): Amount => ((a as bigint) + (b as bigint)) as Amount;

/** The difference, or zero where it would be negative. */
export const subtractAmounts = (a: Amount, b: Amount): Amount =>
  a > b ? (((a as bigint) - (b as bigint)) as Amount) : zero;

export const smallerAmount = (a: Amount, b: Amount): Amount => (a < b ? a : b);
