import { z } from 'zod';
import { parseAmount } from './decimal.ts';

// The arithmetic stands apart from its schema, so that a browser gets one without the other.
export * from './decimal.ts';

/** Schema of a decimal on the wire; it stays text, because text is what gets signed. */
export const decimalText = z
  .string()
  .refine(
    (text) => parseAmount(text) !== null,
    'must be a plain decimal such as "12.50": at most 18 digits before and 18 after the point',
  )
  .meta({ examples: ['12.50'] });
