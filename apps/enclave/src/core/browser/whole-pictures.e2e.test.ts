import { expect, test } from 'vitest';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf, redIn } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const red = '<p style="color:#f00;font:20px monospace">';
/** Of two boxes, as broad together as the view without a scroll bar: beside one the second stands below the first. */
const wrapping =
  '<div style="display:flex;flex-wrap:wrap"><i style="width:390px;height:60px"></i><i style="width:405px;height:60px"></i></div>';
const high = '<div style="height:1500px"></div>';
const shown = `${red}${word}</p>`;

/** Pages that are laid out in another way where they have no scroll bar, as pictures of the whole page have none. */
const pages: Record<string, string> = {
  'a row that wraps': `${wrapping}${shown}${high}`,
  'a row that wraps beside a bar of the page’s own style': `<style>::-webkit-scrollbar{width:30px;background:#00f}</style>${wrapping}${shown}${high}`,
  'a row that wraps beside a bar that is always there': `<style>html{overflow-y:scroll}</style>${wrapping}${shown}${high}`,
  'a row that wraps beside room for a bar': `<style>html{scrollbar-gutter:stable both-edges}</style>${wrapping}${shown}${high}`,
  'a row that wraps beside a bar that another element has': `<style>html,body{height:100%;margin:0}html{overflow:hidden}body{overflow-y:scroll}</style>${wrapping}${shown}${high}`,
  'a text that wraps': `<p style="font:20px monospace;width:100%">${'some words '.repeat(200)}</p>${shown}${high}`,
  'a secret on the right': `<p style="text-align:right;color:#f00;font:20px monospace">${word}</p>${high}`,
  'a page that is broader, too': `${wrapping}${shown}<div style="width:1900px;height:900px"></div>`,
  'a secret at the bottom of the view': `<div style="position:fixed;bottom:0;right:0">${shown}</div>${high}`,
  'a secret in the midst of a view': `<div style="height:50vh"></div>${shown}${high}`,
  'a part that scrolls': `<div style="height:200px;width:400px;overflow:auto">${wrapping}${shown}${high}</div>${high}`,
};

const at = maskedAndPlain({ secrets: [word] }, ({ url }) => {
  const body = pages[decodeURIComponent(url.slice(1))];
  return body === undefined ? null : `<!doctype html><style>body{margin:0}</style><body>${body}`;
});

test.each(Object.keys(pages))(
  'a picture of the whole page hides a secret where it has %s [vault.sandbox.masking.pictures]',
  async (how) => {
    const address = `${at.site.url}/${encodeURIComponent(how)}`;
    expect(redIn(await pictureOf(at.plain, address, true))).toBeGreaterThan(100);
    for (const isWhole of [true, false, true])
      expect(redIn(await pictureOf(at.masked, address, isWhole))).toBe(0);
  },
);
