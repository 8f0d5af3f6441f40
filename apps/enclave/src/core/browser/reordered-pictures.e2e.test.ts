import { expect, test } from 'vitest';
import { type OpenedBrowser } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf, redIn } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const pin = '4821';
const letters = Array.from(word);
const shuffled = letters.map((_, i) => (i * 5) % letters.length);
const spans = (styleOf: (i: number) => string, order: readonly number[] = shuffled) =>
  order.map((i) => `<b style="${styleOf(i)}">${letters[i]}</b>`).join('');
const backwards = letters.map((_, i) => letters.length - 1 - i);

/** What a screen reader reads between two digits, and nobody sees. */
const labelled = (style: string, inner: string): string =>
  [2, 4, 1, 8]
    .map(
      (digit) =>
        `<b style="order:${2 * pin.indexOf(`${digit}`)}">${digit}</b><i style="order:${2 * pin.indexOf(`${digit}`) + 1};width:1px;height:1px;overflow:hidden;${style}">${inner}</i>`,
    )
    .join('');

/** Letters in their places, and something between each two. */
const parted = (boxed: (letter: string, left: number) => string, between: string, order = shuffled): string =>
  `<p style="position:relative;height:30px">${order
    .map(
      (i) =>
        boxed(letters[i] ?? '', i * 18) +
        `<i style="position:absolute;top:0;left:${i * 18 + 14}px;${between}">no</i>`,
    )
    .join('')}</p>`;
const inOrder = letters.map((_, i) => i);
const absolute = (style: string) => (letter: string, left: number) =>
  `<i style="position:absolute;top:0;left:${left}px;${style}">${letter}</i>`;
const cutOff = 'width:1px;height:1px;overflow:hidden';
const empty = 'width:0;height:0';

/** Ways in which a style shows the word, whose letters the page has in another order. */
const reordered: Record<string, string> = {
  'an order of its own': `<p style="display:flex">${spans((i) => `order:${i}`)}</p>`,
  'an order of its own, from top to bottom': `<p style="display:flex;flex-direction:column">${spans((i) => `order:${i}`)}</p>`,
  'a reversed row of pairs': `<p style="display:flex;flex-direction:row-reverse"><b>-3xyz</b><b>b4dor</b><b>Tr0u</b></p>`,
  'cells of a grid': `<p style="display:grid;grid-template-columns:repeat(14,20px)">${spans((i) => `grid-area:1/${i + 1}`)}</p>`,
  'cells filled column by column': `<p style="display:grid;grid-auto-flow:column;grid-template-rows:repeat(2,24px);grid-auto-columns:20px">${letters
    .slice(0, 7)
    .map((letter, i) => `<b>${letter}</b><b>${letters[i + 7]}</b>`)
    .join('')}</p>`,
  'floats to the right': `<p style="float:left">${spans(() => 'float:right', backwards)}</p>`,
  'places of their own': `<p style="position:relative;height:30px">${spans((i) => `position:absolute;left:${i * 15}px;top:0`)}</p>`,
  'a table that is read down its columns': `<table>${letters
    .slice(0, 7)
    .map((letter, i) => `<tr><td>${letter}<td>${letters[i + 7]}`)
    .join('')}</table>`,
  'a code whose digits have an order': `<p style="display:flex"><b style="order:3">2</b><b style="order:1">4</b><b style="order:4">1</b><b style="order:2">8</b></p>`,
  'an order of its own, with labels of a pixel between': `<p style="display:flex">${labelled('font-size:1px', 'x')}</p>`,
  'places of their own, with labels between that are cut off': parted(absolute(''), cutOff),
  'their own order, with labels between that are cut off': parted(absolute(''), cutOff, inOrder),
  'their own order in boxes of no size, with labels between that a shape cuts off': parted(
    absolute(empty),
    'clip-path:inset(50%)',
    inOrder,
  ),
  'places in boxes of no size, out of which their text runs': parted(absolute(empty), cutOff),
  'places in boxes of a pixel, out of which their text runs': parted(
    absolute('width:1px;height:1px'),
    cutOff,
  ),
  'places in boxes of no height, out of which their text runs': parted(
    absolute('height:0;overflow-x:clip'),
    cutOff,
  ),
  'places out of boxes that would cut them off, were these what they are placed in': parted(
    (letter, left) =>
      `<i style="display:inline-block;${empty};overflow:hidden">${absolute('')(letter, left)}</i>`,
    cutOff,
  ),
  'places, with labels between that a containing box cuts off': parted(
    absolute(empty),
    `${empty};contain:paint`,
  ),
  'places, with labels between that a polygon cuts off': parted(
    absolute(empty),
    'clip-path:polygon(0 0,0 0,0 0)',
  ),
  'places, with labels between that a shape far off cuts off': parted(
    absolute(empty),
    'clip-path:circle(5px at -99px -99px)',
  ),
  'places in lines that would cut them off, were they boxes': parted(
    (letter, left) => `<i style="position:relative;overflow:hidden">${absolute('')(letter, left)}</i>`,
    cutOff,
  ),
  'places in a page that leaves it to the window to cut off': `<style>body{position:relative;height:0;overflow:hidden}</style>${parted(absolute(''), cutOff)}`,
  'places, with labels between that a region cuts off': parted(absolute(empty), 'clip:rect(0,0,0,0)'),
  'places, with labels between that a region of which one side alone is told cuts off': parted(
    absolute(empty),
    'position:absolute;clip:rect(auto,auto,0,auto)',
  ),
  'places, with labels between that a long shape cuts off': parted(
    absolute(empty),
    `clip-path:polygon(${'0 0,'.repeat(400)}0 0)`,
  ),
  'places, with labels between that a shape cuts off': parted(absolute(empty), 'clip-path:inset(50%)'),
  'places, with labels between that a circle cuts off': parted(absolute(empty), 'clip-path:circle(0)'),
  'places, with labels between that are cut off on one side': parted(
    absolute(empty),
    'width:0;height:20px;overflow:clip',
  ),
  'an order of its own, with labels between that are cut off': `<p style="display:flex">${labelled('', 'digit')}</p>`,
};

/** What stays. */
const readable: Record<string, string> = {
  'a table of numbers': `<table>${[12, 30, 7, 125, 9].map((count, i) => `<tr><td>Pens ${i}<td>${count}<td>€<td>1.50`).join('')}</table>`,
  'columns of text':
    '<p style="columns:2;width:300px">These are a few words that stand in two columns, one beside the other.</p>',
  'a list beside another':
    '<div style="display:flex;flex-direction:row-reverse"><ul><li>Home<li>Orders<li>Log out</ul><ul><li>Pens<li>Ink<li>Paper</ul></div>',
};

const at = maskedAndPlain({ secrets: [word, pin] }, ({ url }) => {
  const body = { ...reordered, ...readable }[decodeURIComponent(url.slice(1))];
  return body === undefined
    ? null
    : `<!doctype html><style>body{background:#fff;color:#f00;font:20px monospace}</style><body>${body}`;
});

const redOf = async (browser: OpenedBrowser, how: string): Promise<number> =>
  redIn(await pictureOf(browser, `${at.site.url}/${encodeURIComponent(how)}`, false));

test.each(Object.keys(reordered))(
  'a secret is painted over whose letters the page shows in another order than it has them: by %s [vault.sandbox.masking.pictures-reordered]',
  async (how) => {
    expect(await redOf(at.plain, how)).toBeGreaterThan(100);
    expect(await redOf(at.masked, how)).toBe(0);
  },
);

test.each(Object.keys(readable))(
  'nothing is painted over in %s [vault.sandbox.masking.pictures-reordered]',
  async (how) => {
    expect(await redOf(at.masked, how)).toBe(await redOf(at.plain, how));
  },
);
