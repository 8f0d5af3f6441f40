import { z } from 'zod';
import { parseTemplate } from './placeholder.ts';

const selector = z.string().min(1).max(4096);
const credential_id = z.uuid().optional();
/**
 * Limit for one value. The text between two placeholders is the agent's own, so each piece is an unmasked
 * guess.
 */
const maxPlaceholders = 16;

/** May hold placeholders. */
const value = z
  .string()
  .max(65_536)
  .superRefine((text, context) => {
    const template = parseTemplate(text);
    if (!template.ok) context.addIssue({ code: 'custom', message: template.error });
    else if (template.value.filter((part) => 'field' in part).length > maxPlaceholders)
      context.addIssue({ code: 'custom', message: `holds more than ${maxPlaceholders} placeholders` });
  });
const filled = value.refine((text) => text !== '', 'must not be empty');

/** Longest wait, in milliseconds. */
const maxWait = 30_000;
const milliseconds = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number),
  ])
  .refine((wait) => wait <= maxWait, `must be at most ${maxWait} milliseconds`);

/** The parameters of each `operation_type` (spec: vault.sandbox). */
const operations = {
  navigate: z.strictObject({ operation_type: z.literal('navigate'), value: filled, credential_id }),
  click: z.strictObject({ operation_type: z.literal('click'), selector, credential_id }),
  fill: z.strictObject({ operation_type: z.literal('fill'), selector, value, credential_id }),
  select: z.strictObject({ operation_type: z.literal('select'), selector, value, credential_id }),
  /** A key as the DOM names it (`Enter`, `Tab`, `a`); without `selector`, to what has the focus. */
  press: z.strictObject({
    operation_type: z.literal('press'),
    selector: selector.optional(),
    value: filled,
    credential_id,
  }),
  hover: z.strictObject({ operation_type: z.literal('hover'), selector, credential_id }),
  /** Until the element is in view. */
  scroll: z.strictObject({ operation_type: z.literal('scroll'), selector, credential_id }),
  /** Waits for an element, or for the milliseconds in `value`. */
  wait: z
    .strictObject({
      operation_type: z.literal('wait'),
      selector: selector.optional(),
      value: milliseconds.optional(),
      credential_id,
    })
    .refine((wait) => (wait.selector === undefined) !== (wait.value === undefined), {
      message: 'takes either a selector or milliseconds in value',
      path: ['selector'],
    }),
  extract: z.strictObject({ operation_type: z.literal('extract'), selector, credential_id }),
  /** `value` is the body of an async function; a placeholder in it is for presentations of identity credentials. */
  execute_script: z.strictObject({
    operation_type: z.literal('execute_script'),
    value: filled,
    credential_id,
  }),
} as const;

export type OperationType = keyof typeof operations;
export const operationTypes = Object.keys(operations) as [OperationType, ...OperationType[]];

/** Body of `POST .../execute`. Members that are null count as absent, since the documents name all three for each type. */
export const operation = z.preprocess(
  (body) =>
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? Object.fromEntries(Object.entries(body).filter(([, member]) => member !== null))
      : body,
  z.discriminatedUnion('operation_type', [
    operations.navigate,
    operations.click,
    operations.fill,
    operations.select,
    operations.press,
    operations.hover,
    operations.scroll,
    operations.wait,
    operations.extract,
    operations.execute_script,
  ]),
);
export type Operation = z.output<typeof operation>;
