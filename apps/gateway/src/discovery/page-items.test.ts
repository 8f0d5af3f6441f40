import { TextTooLong } from '@countersign/service/exchange';
import { expect, test } from 'vitest';
import { PageItems } from './page-items.ts';

/** A page that arrives in pieces of so many bytes: its items and what is left of it. */
function cut(text: string, pieceBytes: number) {
  const items: (string | null)[] = [];
  const page = new PageItems('items', (json) => items.push(json === null ? null : json.toString().trim()));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) page.add(bytes.subarray(at, at + pieceBytes));
  return { items, frame: page.frame().toString() };
}

const tricky = [
  '{"a":"]},\\\\","items":[1,{"b":[2]}]}',
  '"x,\\"]["',
  '7',
  'null',
  '[[1],{"items":[3]}]',
  '"ключ ☕"',
];

test.each([1, 2, 3, 7, 1000])(
  'items are cut whole, whatever stands in them, of pieces of %i bytes',
  (pieceBytes) => {
    const page = `{"x402Version": 2, "more": {"items": [8, 9]}, "items" : [ ${tricky.join(' , ')}], "pagination": {"total": 9}}`;
    const { items, frame } = cut(page, pieceBytes);
    expect(items).toEqual(tricky);
    expect(JSON.parse(frame)).toEqual({
      x402Version: 2,
      more: { items: [8, 9] },
      items: [],
      pagination: { total: 9 },
    });
    expect(cut('{"items":[ ]}', pieceBytes)).toEqual({ items: [], frame: '{"items":[]}' });
  },
);

test('an item of more than 64 KiB is passed over; a frame of more ends the reading', () => {
  const [fits, over] = [65_534, 65_535].map((bytes) => `"${'x'.repeat(bytes)}"`);
  expect(cut(`{"items":[1,${fits},${over},2]}`, 1000).items).toEqual(['1', fits, null, '2']);
  expect(() => cut(`{"more":"${'x'.repeat(65_536)}","items":[]}`, 1000)).toThrow(TextTooLong);
});

test('what is no catalogue has no items', () => {
  for (const text of [
    '',
    'no',
    '[1,2]',
    '{"resources":[1]}',
    '{"a":{"items":[1]}}',
    '[["items",[1]]]',
    '}}]]{[',
  ])
    expect(cut(text, 3)).toEqual({ items: [], frame: text });
});
