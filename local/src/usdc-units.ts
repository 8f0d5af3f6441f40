import { parseAmount, toBaseUnits } from '@countersign/protocol/amount';

/** Base units (10^-6 USDC) of a decimal text, exactly. Throws on what is not an amount of USDC. */
export function usdcUnits(text: string): bigint {
  const amount = parseAmount(text);
  const units = amount === null ? null : toBaseUnits(amount, 6);
  if (units === null) throw new Error(`"${text}" is not an amount of USDC`);
  return units;
}
