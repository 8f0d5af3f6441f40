import { fail, ok, type Result } from '@countersign/protocol/result';
import type { z } from 'zod';

/** What is wrong with an input, in one sentence of ours; only names of fields in it are the agent's. */
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

const shownChars = 40;

function unknownField(name: string, known: readonly string[], holder: string | undefined): InputFault {
  const shown = name.slice(0, shownChars).replace(/[^\w.$-]/g, '?');
  const all = known.join(', ');
  return `There is no field "${shown}"; did you mean "${holder ?? nearest(name, known)}"? The fields are ${all}.`;
}

/** The field inside of which this one has its place, as `approvalId` has in `paymentPayload`. */
const holderOf = (schema: z.ZodObject, name: string): string | undefined =>
  Object.entries(schema.shape).find(([, field]) => {
    const { properties } = (field.meta() ?? {}) as { properties?: object };
    return properties !== undefined && Object.hasOwn(properties, name);
  })?.[0];

/** The known name that is most like it; where none is, it is an argument of the tool in the wrong place. */
function nearest(name: string, known: readonly string[]): string {
  const given = plainName(name);
  const ranked = known
    .map((other) => ({ other, likeness: likeness(given, plainName(other)) }))
    .sort((a, b) => b.likeness - a.likeness);
  const [best] = ranked;
  if (best !== undefined && best.likeness >= leastLikeness) return best.other;
  return known.includes('arguments') ? 'arguments' : (best?.other ?? '');
}

const leastLikeness = 0.5;

const plainName = (name: string): string =>
  name
    .slice(0, shownChars)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** From 0 to 1: the letters that both have in the same order. Names that begin alike are alike enough. */
function likeness(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  let row: number[] = [];
  for (const letter of a) {
    const next = [0];
    for (let n = 1; n <= b.length; n++)
      next[n] = letter === b[n - 1] ? (row[n - 1] ?? 0) + 1 : Math.max(row[n] ?? 0, next[n - 1] ?? 0);
    row = next;
  }
  const common = (2 * (row[b.length] ?? 0)) / (a.length + b.length);
  return a.slice(0, 3) === b.slice(0, 3) ? Math.max(common, leastLikeness) : common;
}
