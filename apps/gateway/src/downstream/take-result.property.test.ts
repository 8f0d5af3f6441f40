import {
  array,
  assert,
  boolean,
  constant,
  dictionary,
  jsonValue,
  oneof,
  property,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { takeResult } from './read-result.ts';

const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);
/** What a result of `tools/call` is, said by a schema. */
const schema = z.object({
  content: optional(z.array(z.unknown())),
  structuredContent: optional(z.unknown()),
  isError: optional(z.boolean()),
  _meta: optional(z.record(z.string(), z.unknown())),
});

const anything = jsonValue();
const sometimes = <T>(value: Arbitrary<T>) =>
  oneof({ weight: 4, arbitrary: value }, constant(null), anything);
const answer = record(
  {
    content: sometimes(array(anything)),
    structuredContent: anything,
    isError: sometimes(boolean()),
    _meta: sometimes(dictionary(string(), anything)),
    more: anything,
  },
  { requiredKeys: [] },
);

test('what a service answered is a result where the schema says so, and what it says', () => {
  const told = { yes: 0, no: 0 };
  assert(
    property(oneof(answer, anything), (value) => {
      const read = schema.safeParse(value);
      const taken = takeResult(value);
      told[read.success ? 'yes' : 'no'] += 1;
      expect(taken).toEqual(read.success ? read.data : null);
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(told.yes, told.no)).toBeGreaterThan(100);
});
