import { fail, ok, type Result } from '@countersign/protocol/result';
import { closest, nearest, shownName } from '@countersign/service/nearest';
import type { z } from 'zod';

/**
 * What is wrong with an input, in one sentence of ours; it repeats nothing of the agent's but field names.
 */
export type InputFault = string;

/**
 * Reads a tool's input as strictly as its schema: a field that the tool does not have is refused, never ignored, because
 * a misspelled `dryRun` would pay. Null stands for an optional field that is absent: models that must fill in every
 * field have no other word for it.
 */
export function readInput<S extends z.ZodObject>(schema: S, given: unknown): Result<z.output<S>, InputFault> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return fail('The input must be an object.');
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name));
  if (unknown !== undefined)
    return fail(unknownField(unknown, Object.keys(schema.shape), holderOf(schema, unknown)));
  const present = Object.values(given).includes(null) ? withoutAbsent(schema, given) : given;
  const read = schema.safeParse(present);
  return read.success ? ok(read.data) : fail(wrongField(schema, present, read.error));
}

function wrongField({ shape }: z.ZodObject, present: object, { issues }: z.ZodError): InputFault {
  const [field = ''] = issues[0]?.path ?? [];
  const isMissing = !Object.hasOwn(present, field);
  return `"${String(field)}" ${isMissing ? 'is missing' : 'is not valid'}: ${shape[String(field)]?.description ?? ''}.`;
}

const withoutAbsent = (schema: z.ZodObject, given: object): object =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !mayBeAbsent(schema, name)),
  );

const mayBeAbsent = (schema: z.ZodObject, name: string): boolean =>
  schema.shape[name]?.safeParse(undefined).success === true;

function unknownField(name: string, known: readonly string[], holder: string | undefined): InputFault {
  const all = known.join(', ');
  return `There is no field "${shownName(name)}"; did you mean "${holder ?? likelyField(name, known)}"? The fields are ${all}.`;
}

/** The field inside of which this one has its place, as `approvalId` has in `paymentPayload`. */
const holderOf = (schema: z.ZodObject, name: string): string | undefined =>
  Object.entries(schema.shape).find(([, field]) => {
    const { properties } = (field.meta() ?? {}) as { properties?: object };
    return properties !== undefined && Object.hasOwn(properties, name);
  })?.[0];

/** The known name that is most like it; where none is, it is an argument of the tool in the wrong place. */
function likelyField(name: string, known: readonly string[]): string {
  const alike = nearest(name, known);
  return alike ?? (known.includes('arguments') ? 'arguments' : (closest(name, known)?.name ?? ''));
}
