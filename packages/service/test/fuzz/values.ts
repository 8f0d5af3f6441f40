import * as fc from 'fast-check';
type Json = ReturnType<typeof JSON.parse>;

/** What breaks careless code, whatever the field. */
export const nasty = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, [], {}, [[[[]]]]),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-0',
    '1e309',
    'NaN',
    '\0',
    '\ud800',
    'ﬀ',
    '%00',
    '0x',
    '__proto__',
    "' or 1=1 --",
  ),
  fc.constantFrom('😀'.repeat(5000), 'x'.repeat(70_000), JSON.parse('{"__proto__":{"x":1},"constructor":1}')),
);

/** By the name of a field, texts that get past its schema: what lies behind is to be reached too. */
export type Plausible = (name: string) => readonly string[];

/** Values that a schema of our document allows, as far as it says. */
function allowedBy(schema: Json, plausible: Plausible): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((each: Json) => allowedBy(each, plausible)));
  const draw = byType[schema.type];
  return draw === undefined ? fc.jsonValue() : draw(schema, plausible);
}

const byType: Record<string, (schema: Json, plausible: Plausible) => fc.Arbitrary<unknown>> = {
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  integer: ({ minimum = 0, maximum = 1e6 }) => fc.integer({ min: minimum, max: Math.min(maximum, 1e6) }),
  string: (schema) => textOf(schema),
  array: ({ items = {} }, plausible) => fc.array(allowedBy(items, plausible), { maxLength: 4 }),
  object: (schema, plausible) =>
    schema.properties === undefined
      ? fc.dictionary(fc.string(), fc.jsonValue())
      : objectOf(schema, plausible),
};

/** Any text, as far as the document says: what it has to look like, its name tells. */
const isText = (schema: Json): boolean =>
  schema.enum === undefined && (schema.type === 'string' || (schema.anyOf?.every(isText) ?? false));

const textOf = ({ maxLength = 64 }: Json): fc.Arbitrary<unknown> =>
  fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 300) });

/** An object of the schema, with some fields left out and some replaced by what breaks careless code. */
export function objectOf({ properties, required = [] }: Json, plausible: Plausible): fc.Arbitrary<unknown> {
  const fields = Object.entries<Json>(properties).map(([name, schema]) => {
    const allowed = isText(schema)
      ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...plausible(name)) }, textOf(schema))
      : allowedBy(schema, plausible);
    return [name, fc.oneof({ weight: 15, arbitrary: allowed }, nasty)];
  });
  const record = Object.fromEntries(fields);
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(record, { requiredKeys: required }) },
    fc.record(record, { requiredKeys: [] }),
  );
}
