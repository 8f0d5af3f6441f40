import { z } from 'zod';
import { legibleName } from '../legible-name.ts';

/** A text that can stand in an audit record and in a policy. */
export const name = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

/** A name that is stored, and that people will read. */
export const newName = legibleName(name);

export const time = z.iso.datetime();

export const anObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** SHA-256 in lower-case hex. */
export const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
