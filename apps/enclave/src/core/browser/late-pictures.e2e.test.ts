import { expect, test } from 'vitest';
import { type OpenedBrowser } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf, redIn } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const parts = word.match(/.{1,4}/g) ?? [];
const each = (markup: (part: string, i: number) => string, of: readonly string[] = parts): string =>
  of.map(markup).join('');
const red = '<style>b,li,u{color:#f00;font-weight:400}li::marker{color:#000}</style>';
const counted =
  '<style>b{display:block;counter-increment:n}b::before{content:counter(n) ". ";color:#000}</style>';
const framed = (style: string, body: string, script = '') =>
  `<iframe style="border:0;width:320px;height:100px;${style}" srcdoc="<body style='font:20px monospace;color:#f00'>${body}${script}"></iframe>`;
const scrolled = (style: string) =>
  framed(
    style,
    `<div style='height:300px'></div><p>${word}</p>`,
    '<script>onload=()=>scrollTo(0,9999)</script>',
  );

/** Where a secret is masked for whoever reads, and what stands between its parts in red is none of it. */
const split: Record<string, string> = {
  'groups in a numbered list': `<ol>${each((part) => `<li>${part}`)}</ol>`,
  'groups in a list of points': `<ul>${each((part) => `<li>${part}`)}</ul>`,
  'groups in a list with signs within': `<ol style="list-style-position:inside">${each((part) => `<li>${part}`)}</ol>`,
  'letters in a list': `<ol style="columns:2">${each((part) => `<li>${part}`, Array.from(word))}</ol>`,
  'groups that are counted': `${counted}${each((part) => `<b>${part}</b>`)}`,
  'letters that are counted': `${counted}<div style="columns:2">${each((part) => `<b>${part}</b>`, Array.from(word))}</div>`,
  'groups before signs': `<style>b::after{content:" |";color:#000}</style>${each((part) => `<b>${part}</b>`)}`,
  'groups of a list with first letters': `<style>li::first-letter{font-size:40px}</style><ol>${each((part) => `<li>${part}`)}</ol>`,
  'groups around what is not seen': each((part) => `<b>${part}</b><i style="visibility:hidden">xx</i>`),
  'groups around what is clear': each((part) => `<b>${part}</b><i style="opacity:0"><i>xx</i></i>`),
  'a zoomed frame': framed('zoom:1.5', `<p>${word}</p>`),
  'a frame made smaller': framed('zoom:.7', `<p>${word}</p>`),
  'a frame in what is zoomed': `<div style="zoom:1.3"><div>${framed('', `<p>${word}</p>`)}</div></div>`,
  'a zoomed frame that was scrolled': scrolled('zoom:1.5'),
  'a frame that was scrolled': scrolled(''),
  'a frame in a frame that is zoomed': `<iframe style="zoom:1.5" srcdoc="${framed('', word).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
  'a text with marks above': `<u style="text-decoration:none;text-emphasis:dot;font-size:40px">${word}</u>`,
  'a text with a wave below': `<u style="text-decoration:underline wavy 4px #f00;font-size:40px"><i>${word}</i></u>`,
};

const endless = '@keyframes a{from{translate:0 0}to{translate:200px 300px}}';
const lines = (text: string) =>
  each(
    () => `<p>${text}</p><div style="height:170px"></div>`,
    Array.from({ length: 60 }, () => ''),
  );
/** Scrolls and back, over and over. */
const toAndFro =
  'let d=0;setInterval(()=>scrollTo({top:(d=!d)?9e4:0,behavior:"smooth"}),700);scrollTo({top:9e4,behavior:"smooth"})';
/** What moves while its picture is taken. */
const moving: Record<string, string> = {
  'a page that scrolls': `<div style="color:#f00">${lines(word)}</div><script>${toAndFro}</script>`,
  'a part that scrolls': `<div id="k" style="height:300px;overflow:auto;color:#f00">${lines(word)}</div><script>${toAndFro.replaceAll('scrollTo', 'k.scrollTo')}</script>`,
  'a frame that scrolls': `<iframe style="height:400px" srcdoc="<body style='color:#f00'>${lines(word).replaceAll('"', "'")}<script>${toAndFro.replaceAll('"', "'")}</script>"></iframe>`,
  'an animation': `<style>${endless}p{color:#f00;animation:a .3s linear infinite alternate}</style><p>${word}</p>`,
  'a place that scripts set': `<p id="k" style="color:#f00;position:absolute">${word}</p><script>let n=0;const f=()=>{k.style.top=n++*37%400+'px';requestAnimationFrame(f)};f()</script>`,
};
/** Where something in red stays in the picture, below row 250. */
const below = 'margin-top:300px;color:#f00';
const readable: Record<string, string> = {
  'what a page comes to that scrolls once': `${lines(word)}<p style="color:#f00">Orders of today</p><div style="height:200px"></div><script>scrollTo({top:9e4,behavior:"smooth"})</script>`,
  'what moves without a secret': `<style>${endless}b{display:block;animation:a .3s linear infinite alternate}</style><p>${word}</p><b style="${below}">Orders of today</b>`,
  'what a frame shows that scrolls without a secret': `<p>${word}</p><div style="${below}">Orders of today</div><iframe srcdoc="${lines('x').replaceAll('"', "'")}<script>${toAndFro.replaceAll('"', "'")}</script>"></iframe>`,
  'a list of other words': `<p>${word}</p><ol style="${below}"><li>Orders<li>of<li>today</ol>`,
  'a zoomed frame without a secret': `<p>${word}</p><div style="margin-top:300px">${framed('zoom:1.5', 'Orders of today')}</div>`,
  'what stands beside marks': `<u style="text-emphasis:dot">${word}</u><p style="${below}">Orders of today</p>`,
};

const pages = { ...split, ...moving, ...readable };
const at = maskedAndPlain({ secrets: [word] }, ({ url }) => {
  const body = pages[decodeURIComponent(url.slice(1))];
  return body === undefined
    ? null
    : `<!doctype html><style>body{margin:8px;background:#fff;color:#000;font:20px monospace}</style>${red}<body>${body}`;
});

const redOf = async (browser: OpenedBrowser, how: string, isWhole = false, from = 0): Promise<number> =>
  redIn(await pictureOf(browser, `${at.site.url}/${encodeURIComponent(how)}`, isWhole), from);

test.each(Object.keys(split))(
  'a secret in %s is painted over, in the view and in the whole page [vault.sandbox.masking.pictures]',
  async (how) => {
    for (const isWhole of [false, true]) {
      expect(await redOf(at.plain, how, isWhole)).toBeGreaterThan(60);
      expect(await redOf(at.masked, how, isWhole)).toBe(0);
    }
  },
);

test.each(Object.keys(moving))(
  'a secret in %s is in no picture that is taken meanwhile [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redOf(at.plain, how)).toBeGreaterThan(60);
    for (let i = 0; i < 4; i++) expect(await redOf(at.masked, how, i === 3)).toBe(0);
  },
);

test.each(Object.keys(readable))(
  'where a page shows a secret, %s stays in its picture [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redOf(at.masked, how, false, 200)).toBeGreaterThan(60);
  },
);
