import { parseAmount, zero } from '@countersign/protocol/decimal';

/** Thousandths of the whole, from exact amounts; at most 1000. */
export function share(part: string, whole: string): number {
  const [of, all] = [parseAmount(part) ?? zero, parseAmount(whole) ?? zero];
  if (all === 0n) return 0;
  const thousandths = (of * 1000n) / all;
  return Number(thousandths > 1000n ? 1000n : thousandths);
}
