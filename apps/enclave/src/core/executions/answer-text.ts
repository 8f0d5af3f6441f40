import { canonicalText } from '@countersign/audit-log/chain';

/** Leaves room in a frame. */
const maxBytes = 8_000_000;

/**
 * RFC 8785 text of what a service answered; empty for nothing. Texts that are no UTF-8 and numbers that are not finite,
 * which it does not have, are replaced as JSON replaces them. Null where it is too large, or nested too deeply.
 */
export function answerText(data: unknown): Buffer | null {
  if (data === undefined) return Buffer.alloc(0);
  try {
    const text = Buffer.from(canonicalText(tidy(data)));
    return text.length <= maxBytes ? text : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function tidy(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toWellFormed(), tidy(one)]));
}
