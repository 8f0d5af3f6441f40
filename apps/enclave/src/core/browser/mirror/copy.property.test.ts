import { array, assert, constant, constantFrom, oneof, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { newMasker } from '../../masking/masker.ts';
import { copyPage } from './copy.ts';
import { snapshotOf } from '../../../../test/snapshot.ts';

const secret = string({
  minLength: 8,
  maxLength: 24,
  unit: constantFrom(...Array.from('abcdefghijkXYZ0189-_!')),
});
const node = (secrets: readonly string[]) => {
  const text = oneof(
    string(),
    constantFrom(...secrets),
    string().map((one) => `${secrets[0]}${one}`),
  );
  return record({ tag: constantFrom('DIV', 'P', 'INPUT', 'svg'), text, attribute: text, value: text });
};

test('whatever stands in a page, its copy has no secret of the session, and no more nodes [vault.sandbox.read.masked-copy]', () => {
  assert(
    property(
      array(secret, { minLength: 1, maxLength: 3 }).chain((secrets) =>
        record({ secrets: constant(secrets), nodes: array(node(secrets), { maxLength: 20 }) }),
      ),
      ({ secrets, nodes }) => {
        const masker = newMasker(secrets.map((one) => Buffer.from(one)));
        const request = {
          snapshots: [snapshotOf(nodes)],
          frames: [{ id: 'frame', parentId: null, ownerNodeId: null }],
        };
        const copy = copyPage(request, masker.once);
        expect(copy.nodeIds.length).toBeLessThanOrEqual(2 + 2 * nodes.length);
        expect(copyPage(request, masker.nodes).nodeIds).toHaveLength(2 + 2 * nodes.length);
        const page = pageIn(copy.source);
        for (const one of secrets) expect(page.strings.split('\u0001').join(' ')).not.toContain(one);
        expect(page.documents[0]?.seen).toHaveLength(copy.nodeIds.length);
      },
    ),
  );
});

const letters = string({ minLength: 8, maxLength: 24, unit: constantFrom(...Array.from('abcXYZ0189')) });

test('how long a secret is that a page shows a letter an element, its copy does not tell [vault.sandbox.read.length]', () => {
  const tags = constantFrom('SPAN', 'B', 'EM', 'CODE', 'A');
  assert(
    property(letters, letters, tags, tags, (one, other, tag, around) => {
      const plain = { tag: 'P', attribute: '', value: '' };
      const copies = [one, other].map((text) => {
        const masker = newMasker([Buffer.from(text)]);
        const shown = Array.from(text, (letter) => ({ tag, text: letter, attribute: '', value: letter }));
        const nodes = [
          { ...plain, text: 'Your key:' },
          ...shown,
          { ...plain, tag: around, text: 'Copy it!' },
        ];
        return copyPage(
          {
            snapshots: [snapshotOf(nodes)],
            frames: [{ id: 'frame', parentId: null, ownerNodeId: null }],
          },
          masker.once,
        );
      });
      expect(String(copies[0]?.source)).toBe(String(copies[1]?.source));
      expect(String(copies[0]?.source).match(/███/g)).toHaveLength(1);
      const [texts = ''] = copies.map(({ source }) => pageIn(source).strings);
      expect(texts).toContain('Your key:');
      expect(texts).toContain('Copy it!');
      // Each place has the number of its own node in the page.
      const seen = copies.map(({ nodeIds }) => [...nodeIds]);
      expect(seen[0]?.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(copies.map(({ nodeIds }) => nodeIds.at(-1))).toEqual(
        [one, other].map((text) => 6 + 2 * text.length),
      );
    }),
  );
});

test('cells, items and fields stay, and what else stands in an element', () => {
  const masker = newMasker([Buffer.from('Tr0ub4dor&3')]);
  const shown = ['Tr0', 'ub4', 'dor&3'].map((text) => ({ tag: 'TD', text, attribute: '', value: text }));
  const mixed = ['key Tr0', 'ub4', 'dor&3 end'].map((text) => ({
    tag: 'SPAN',
    text,
    attribute: '',
    value: '',
  }));
  const copy = copyPage(
    {
      snapshots: [snapshotOf([...shown, ...mixed])],
      frames: [{ id: 'frame', parentId: null, ownerNodeId: null }],
    },
    masker.once,
  );
  expect([...copy.nodeIds]).toEqual([1, 2, 3, 4, 5, 7, 9, 10, 13, 14]);
  expect(pageIn(copy.source).strings.split('\u0001')).toEqual(expect.arrayContaining(['key ███', ' end']));
});

test('a secret that is split over attributes is masked, whatever other attributes stand between its parts [vault.sandbox.read.masked-copy]', () => {
  const parts = ['Tr0u', 'b4dor', '&3xyz'];
  const masker = newMasker([Buffer.from(parts.join(''))]);
  const nodes = parts.map((part, i) => ({
    tag: 'INPUT',
    text: '',
    attribute: part,
    value: part,
    others: ['type', 'text', 'name', `group${i}`, 'value', part],
  }));
  const { source } = copyPage(
    { snapshots: [snapshotOf(nodes)], frames: [{ id: 'frame', parentId: null, ownerNodeId: null }] },
    masker.once,
  );
  const { strings } = pageIn(source);
  for (const part of parts) expect(strings).not.toContain(part);
  expect(strings).toContain('group1');
});

/** What the mirror would be handed: the expression is a JSON string's inside, its argument another. */
function pageIn(source: Uint8Array): {
  readonly strings: string;
  readonly documents: readonly { readonly seen: string }[];
} {
  const expression = JSON.parse(`"${Buffer.from(source).toString()}"`) as string;
  const [, argument = '""'] = /^inPage\.build\(JSON\.parse\((.*)\)\)$/s.exec(expression) ?? [];
  return JSON.parse(JSON.parse(argument) as string) as never;
}
