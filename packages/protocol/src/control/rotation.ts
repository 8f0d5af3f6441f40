import { z } from 'zod';
import { anObject, name, time } from './fields.ts';

/** States of a rotation: decision 0024. */
export const rotationStates = [
  'running',
  'checking',
  'unresolved',
  'confirmed',
  'failed',
  'superseded',
] as const;
export const rotationState = z.enum(rotationStates);
export type RotationState = z.infer<typeof rotationState>;

/** Stands in `params` where the new value belongs, so that nobody who sees or records them sees it. */
export const nextPlaceholder = '{{CREDENTIAL.next}}';

/** Printable, and neither escaped in JSON nor what parts `user:password`. */
const character = /^[\x21\x23-\x39\x3b-\x5b\x5d-\x7e]+$/;

const length = z.int().min(16).max(256);
/** The characters that a value is made of, each as likely as the others. */
const alphabet = z
  .string()
  .min(10)
  .max(91)
  .regex(character, 'must contain only printable ASCII, without space, quote, backslash or colon')
  .refine((text) => new Set(text).size === text.length, 'must not contain a character twice');

/** How a new value is generated. */
export const valueRules = z.strictObject({ length, alphabet });
export type ValueRules = z.output<typeof valueRules>;

export const defaultRules: ValueRules = {
  length: 32,
  alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
};

/** The operation of a connector that gives the service a new credential. */
export const rotationOperation = z.strictObject({
  action: name,
  /** The member of its JSON body that the new value goes into. */
  param: name,
  /** Further params of the request. */
  params: anObject.default({}),
  /**
   * An action that works with a valid credential alone, and changes nothing; asked with `params` of `check_params` and the new value.
   * With it a new value comes into use only where it completes; without it a 2xx of the operation is enough.
   */
  check_action: name.optional(),
  check_params: anObject.default({}),
  /** The policy that it is done under. */
  policy_id: name,
});
export type RotationOperation = z.output<typeof rotationOperation>;

export const rotation = z.object({
  rotation_id: z.uuid(),
  credential_id: z.uuid(),
  state: rotationState,
  /** Number of the next value, which it takes on confirmation. */
  version: z.int(),
  /** Fingerprint of the next value. */
  fingerprint: z.string(),
  /** The operation. */
  execution_id: z.uuid(),
  /** The newest check of the next value; null where none was asked for yet. */
  check_id: z.uuid().nullable(),
  created_by: name,
  created_at: time,
  ended_at: time.nullable(),
});
export type Rotation = z.output<typeof rotation>;
