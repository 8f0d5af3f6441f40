import { z } from 'zod';
import { type Label, labelNames } from './value.ts';

/** Where a script may let something out, or do what cannot be followed. */
export const sinks = [
  'unparsable',
  'placeholder',
  'dynamic-code',
  'dynamic-member',
  'unknown-name',
  'forbidden-api',
  'clipboard',
  'message',
  'worker',
  'global',
  'storage',
  'network',
  'navigation',
  'form-action',
  'title',
  'page-text',
  'field-copy',
  'markup',
  'mass-reading',
  'result',
] as const;
export type Sink = (typeof sinks)[number];

/** One way out that a script has: JSON, for the record. No text of the page can be in it, since the script is the agent's. */
export const scriptFinding = z.strictObject({
  sink: z.enum(sinks),
  carries: z.array(z.enum(labelNames as [Label, ...Label[]])),
  /** For network, navigation and form-action: how the address begins, and whether that is all of it; null when unknown. */
  url: z.nullable(z.strictObject({ prefix: z.string().max(2048), whole: z.boolean() })),
  /** For network: upper-case; null when it is computed. */
  method: z.nullable(z.string().max(32)),
  /** From 1. */
  line: z.int().min(1),
});
export type ScriptFinding = z.infer<typeof scriptFinding>;
