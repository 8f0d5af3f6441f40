import { array, assert, constantFrom, property, record, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { newMasker } from '../../masking/masker.ts';
import { snapshotOf } from '../../../../test/snapshot.ts';
import { changesBetween, type DocumentChange } from './changes.ts';
import { maskedPage } from './copy.ts';
import type { MaskedPage } from './draft.ts';

const secret = 'Tr0ub4dor-3xyz';
const masker = newMasker([Buffer.from(secret)]);
const text = constantFrom('', 'one', 'two', secret, `key ${secret}`, '\u0001');
const said = record({ text, attribute: text, value: text, other: text });
/** Of one element, as two looks see it. */
const twice = record({
  tag: constantFrom('P', 'P', 'INPUT', 'SCRIPT'),
  name: constantFrom('class', 'class', 'href'),
  looks: tuple(said, said),
}).map(({ tag, name, looks }) =>
  looks.map(({ other, ...rest }) => ({ tag, ...rest, others: [name, other] })),
);

const copied = (nodes: Parameters<typeof snapshotOf>[0]): MaskedPage =>
  maskedPage(
    { snapshots: [snapshotOf(nodes)], frames: [{ id: 'frame', parentId: null, ownerNodeId: null }] },
    masker.once,
  );

/** What the mirror has in the place of each node. */
const shownIn = ({ drafts }: MaskedPage) =>
  drafts.flatMap(({ nodes }) =>
    nodes.map(({ kind, parent, text, attributes, value }) => ({ kind, parent, text, attributes, value })),
  );

function changed(page: MaskedPage, changes: readonly DocumentChange[]) {
  const nodes = shownIn(page).map((node) => ({ ...node, attributes: new Map(node.attributes) }));
  for (const { first, texts, attributes, values } of changes) {
    for (const [place, text] of texts) Object.assign(nodes[first + place] ?? {}, { text });
    for (const [place, name, value] of attributes) nodes[first + place]?.attributes.set(name, value);
    for (const [place, value] of values) Object.assign(nodes[first + place] ?? {}, { value });
  }
  return nodes.map((node) => ({ ...node, attributes: [...node.attributes] }));
}

/** The mirror has a space for what stands between its strings. */
const spaced = (what: unknown): string => JSON.stringify(what).replaceAll('\\u0001', ' ');

test('what is another since the last look, told alone, makes the copy that would be built anew, and has no secret [vault.sandbox.read.changed-copy]', () => {
  let told = 0;
  assert(
    property(array(twice, { minLength: 1, maxLength: 4 }), (elements) => {
      const [before, now] = [0, 1].map((look) => copied(elements.flatMap((looks) => looks[look] ?? [])));
      if (before === undefined || now === undefined) throw new Error('there are two looks');
      const changes = changesBetween(before, now);
      if (changes === null) return;
      told += 1;
      expect(spaced(changed(before, changes))).toBe(spaced(shownIn(now)));
      expect(JSON.stringify(changes)).not.toContain('ub4dor');
    }),
    { numRuns: 500 },
  );
  expect(told).toBeGreaterThan(20);
});

const plain = { tag: 'P', text: 'one', attribute: 'x', value: '' };
test.each([
  ['another node', [plain, plain]],
  ['another element', [{ ...plain, tag: 'DIV' }]],
  ['another kind of field', [{ ...plain, others: ['type', 'password'] }]],
  ['what a script says', [{ ...plain, tag: 'SCRIPT', text: 'two' }], [{ ...plain, tag: 'SCRIPT' }]],
])('with %s it is built anew [vault.sandbox.read.changed-copy]', (_, now, before = [plain]) => {
  expect(changesBetween(copied(before), copied(now))).toBeNull();
  expect(changesBetween(copied(now), copied(now))).toEqual([]);
});
