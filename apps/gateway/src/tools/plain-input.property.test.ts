import { callToolInput } from '@countersign/protocol/gateway/tools';
import {
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
import { readPlainInput } from './call-service-tool.ts';
import { readInput } from './read-input.ts';

const anything = jsonValue();
const sometimes = <T>(value: Arbitrary<T>) => oneof({ weight: 4, arbitrary: value }, anything);
const args = dictionary(oneof({ weight: 50, arbitrary: string() }, constant('__proto__')), anything);
const plain = record({ serviceId: string(), toolName: string(), arguments: args });
const input = record(
  {
    serviceId: sometimes(string()),
    toolName: sometimes(string()),
    arguments: sometimes(
      dictionary(oneof({ weight: 50, arbitrary: string() }, constant('__proto__')), anything),
    ),
    dryRun: sometimes(boolean()),
    dry_run: anything,
  },
  { requiredKeys: ['serviceId', 'toolName', 'arguments'] },
);

test('what is read without the schema is what the schema reads, to the letter [gateway.input.unknown-field]', () => {
  let read = 0;
  assert(
    property(oneof(plain, input, anything), (value) => {
      // As it comes off the wire, where __proto__ is a name like any other.
      const given: unknown = JSON.parse(JSON.stringify(value));
      const taken = readPlainInput(given);
      if (taken === null) return;
      read += 1;
      expect(taken).toEqual(readInput(callToolInput, given));
    }),
    { numRuns: 2000 },
  );
  expect(read).toBeGreaterThan(100);
});
