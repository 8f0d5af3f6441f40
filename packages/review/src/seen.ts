import { operationTypes } from '@countersign/protocol/vault/operation';
import { z } from 'zod';
import { address } from './address.ts';
import { fieldUses } from './field-use.ts';
import { formPurposes } from './form.ts';
import { sensitiveKinds } from './lexicon.ts';

/** Kinds of act that rules found named somewhere. */
export const sensitive = z.array(z.enum(sensitiveKinds));

/** Of the operation alone. */
export const operationSeen = z.strictObject({
  type: z.enum(operationTypes),
  /** Fields of the credential that placeholders name, where they stand, and whether the credential has them. */
  fields: z.array(z.string().max(64)),
  placeholders: z.enum(['none', 'value', 'misplaced', 'malformed', 'unknown-field']),
  /** More than one placeholder alone, so that a site is told a secret beside other text; absent: not. */
  beside: z.literal(true).optional(),
  /** A press or click that sends a form. */
  submits: z.boolean(),
  /** A press or click that does what its element is called. */
  activates: z.boolean(),
  /** More than can be kept apart from the session's secrets; absent: not so many. */
  words: z.literal('too-many').optional(),
});
export type OperationSeen = z.infer<typeof operationSeen>;

/** Of the element that it is about. */
export const targetSeen = z.strictObject({
  frame: address,
  use: z.enum(fieldUses),
  visible: z.boolean(),
  covered: z.boolean(),
  sensitive,
  /** Of what is in no form: what it asks for with the fields beside it; absent: nothing is said of them. */
  group: z.enum(formPurposes).optional(),
  form: z.nullable(
    z.strictObject({
      action: address,
      method: z.enum(['GET', 'POST', 'DIALOG', 'UNSAID']),
      purpose: z.enum(formPurposes),
    }),
  ),
});
export type TargetSeen = z.infer<typeof targetSeen>;
