import { expect, test } from 'vitest';
import { isOwnPicture } from './own-pictures.ts';

const svg = (content: string): string => `<svg xmlns='http://www.w3.org/2000/svg'>${content}</svg>`;
const encoded = (source: string): string => `data:image/svg+xml,${encodeURIComponent(source)}`;
const base64 = (source: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(source).toString('base64')}`;
const outline = svg("<g fill='#f00'><path d='M0 0h9v9z'/><circle r='4'/></g>");

test.each([
  'none',
  'linear-gradient(rgb(0, 0, 0), rgb(1, 1, 1))',
  'url("https://site.example/picture.png")',
  'url("#filter")',
  `url("${encoded(outline)}")`,
  `url("data:image/svg+xml;charset=utf-8,${outline}")`,
  `url("${base64(outline)}")`,
  `url("https://site.example/a.png"), url("${encoded(outline)}")`,
])('%s is no picture of the page’s own [vault.sandbox.masking.pictures]', (value) => {
  expect(isOwnPicture(value, false)).toBe(false);
});

test.each([
  'url("data:image/png;base64,AAAA")',
  'url("blob:https://site.example/1")',
  'url("filesystem:https://site.example/temporary/1")',
  'image-set(url("blob:https://site.example/1") 1dppx)',
  'paint(code)',
  `url("${encoded(outline)}"), url("blob:https://site.example/1")`,
  `url("${encoded(svg('<text>1234</text>'))}")`,
  `url("${base64(svg('<foreignObject>1234</foreignObject>'))}")`,
  `url("${encoded(svg("<image href='data:image/png;base64,AAAA'/>"))}")`,
  `url("${encoded(`<!DOCTYPE svg [<!ENTITY x "y">]>${outline}`)}")`,
  `url("${encoded(svg(`<path d='${'M0 0h1'.repeat(90)}'/>`))}")`,
  'url("data:image/svg+xml,%")',
])('%s is one [vault.sandbox.masking.pictures]', (value) => {
  expect(isOwnPicture(value, false)).toBe(true);
});

test('in a page that was given a secret icons are, too [vault.sandbox.masking.pictures]', () => {
  expect(isOwnPicture(`url("${encoded(outline)}")`, true)).toBe(true);
});
