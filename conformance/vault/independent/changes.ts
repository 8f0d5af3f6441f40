import * as fc from 'fast-check';

/** What somebody may do to a file without the log's key: `at` is taken modulo the places that there are. */
const change = fc.record({
  kind: fc.constantFrom('byte', 'line gone', 'line twice', 'lines swapped', 'member', 'member', 'member'),
  at: fc.nat(),
  bits: fc.integer({ min: 1, max: 255 }),
  value: fc.constantFrom(
    undefined,
    null,
    true,
    0,
    1.5,
    -1,
    2 ** 53,
    '',
    'x',
    'A'.repeat(88),
    '0'.repeat(64),
    [],
    {},
    [null],
  ),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Copies of a file, each with one thing changed, by what that is. */
export const changed = (text: string, count: number): readonly (readonly [name: string, file: Buffer])[] =>
  fc.sample(change, count).map((one) => [JSON.stringify(one), apply(text, one)]);

function apply(text: string, change: Change): Buffer {
  const { kind, at, bits } = change;
  const lines = text.split('\n');
  const line = at % lines.length;
  const next = (line + 1) % lines.length;
  switch (kind) {
    case 'byte': {
      const bytes = Buffer.from(text);
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ bits;
      return bytes;
    }
    case 'line gone':
      return Buffer.from(lines.toSpliced(line, 1).join('\n'));
    case 'line twice':
      return Buffer.from(lines.toSpliced(line, 0, lines[line] ?? '').join('\n'));
    case 'lines swapped':
      return Buffer.from(
        lines
          .with(line, lines[next] ?? '')
          .with(next, lines[line] ?? '')
          .join('\n'),
      );
    case 'member':
      return withMember(lines, change) ?? apply(text, { ...change, kind: 'byte' });
  }
}

/** With another value for one member of one line, or without that member; null where no line is JSON. */
function withMember(lines: readonly string[], { at, value }: Change): Buffer | null {
  const ofJson = lines.flatMap((one, index) => (one.startsWith('{') ? [index] : []));
  const line = ofJson[at % Math.max(1, ofJson.length)];
  if (line === undefined) return null;
  const json = JSON.parse(lines[line] ?? '') as unknown;
  const places = placesOf(json);
  const [holder, member] = places[(at >> 3) % places.length] ?? [{}, ''];
  if (value === undefined) delete holder[member];
  else holder[member] = value;
  return Buffer.from(lines.with(line, JSON.stringify(json)).join('\n'));
}

type Holder = Record<string, unknown>;

/** Every member of every object and array within. */
function placesOf(value: unknown): readonly (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => [
    [value as Holder, member] as const,
    ...placesOf(inner),
  ]);
}
