import { expect, test } from 'vitest';
import { type OpenedBrowser } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf, redIn } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const red = 'color:#f00;font:20px monospace';
/** Black, so that nothing but what is painted of it elsewhere is red. */
const black = 'color:#000;font:20px monospace';
/** Rows of the picture in which the text itself stands. */
const itself = 110;

const framed = (style: string, body: string) =>
  `<iframe style="border:0;width:320px;height:120px;${style}" srcdoc="${body.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
const offset = `<svg width="0" height="0" style="position:absolute"><filter id="f" x="-1" y="-9" width="3" height="29"><feOffset dy="200"/></filter></svg>`;
const font = (rules: string, src = 'local("DejaVu Sans Mono")') =>
  `<style>@font-face{font-family:Odd;src:${src};${rules}}p{font-family:Odd!important}</style>`;
const inShadow = (markup: string, mode = 'open') =>
  `<script>h.attachShadow({mode:'${mode}'}).innerHTML=\`${markup}\`</script>`;

/** Ways in which a page paints its text a second time, in red, below the text itself. */
const moved: Record<string, string> = {
  'its shadow': `<p style="${black};text-shadow:0 200px #f00">${word}</p>`,
  'one of its shadows': `<p style="${black};text-shadow:1px 1px #fff, 0 200px 2px #f00">${word}</p>`,
  'a shadow far to the side and down': `<p style="${black};text-shadow:100px 400px 0 #f00">${word}</p>`,
  'a scaled shadow': `<div style="transform:scale(2);transform-origin:0 0"><p style="${black};text-shadow:0 100px #f00">${word}</p></div>`,
  'a shadow under scale': `<div style="scale:2;transform-origin:0 0"><p style="${black};text-shadow:0 100px #f00">${word}</p></div>`,
  'a zoomed shadow': `<div style="zoom:4"><p style="color:#000;font:8px monospace;margin:2px;text-shadow:0 50px #f00">${word}</p></div>`,
  'a shadow in perspective': `<div style="perspective:100px;perspective-origin:0 0"><p style="margin:2px;color:#000;font:12px monospace;text-shadow:0 50px #f00;translate:0 0 60px">${word}</p></div>`,
  'the dropped shadow of a field': `<input value="${word}" style="border:0;background:none;${black};filter:drop-shadow(0 200px #f00)">`,
  'the dropped shadow of SVG': `<svg width="400" height="100" viewBox="0 0 40 10" style="overflow:visible"><text y="3" style="font:3px monospace;filter:drop-shadow(0 20px #f00)">${word}</text></svg>`,
  'a dropped shadow': `<p style="${black};filter:drop-shadow(0 200px #f00)">${word}</p>`,
  'the dropped shadow of what it stands in': `<div style="filter:sepia(0) drop-shadow(0 100px #f00) drop-shadow(0 100px #f00)"><p style="${black}">${word}</p></div>`,
  'the dropped shadow of a slot': `<div id="h"><p style="${black}">${word}</p></div>${inShadow('<div style="filter:drop-shadow(0 200px #f00)"><slot></slot></div>', 'closed')}`,
  'a reflection': `<p style="${red};-webkit-box-reflect:below 150px">${word}</p>`,
  'the reflection of what it stands in': `<div style="-webkit-box-reflect:below 150px"><section><p style="${red}">${word}</p></section></div>`,
  'a filter of SVG': `${offset}<p style="${red};filter:url(#f)">${word}</p>`,
  'a filter of SVG around it': `${offset}<div style="filter:opacity(1) url(#f)"><p style="${red}">${word}</p></div>`,
  'what a filter spreads': `<div style="filter:blur(1px) drop-shadow(0 150px 3px #f00)"><p style="${black};font-size:40px">${word}</p></div>`,
  'a filter of what is before it': `<p style="${red}">${word}</p>${offset}<div style="position:fixed;inset:0;backdrop-filter:url(#f)"></div>`,
  'a use': `<svg width="400" height="400"><text id="t" y="30" fill="#f00">${word}</text><use href="#t" y="250"/></svg>`,
  'a use of a definition': `<svg width="400" height="400"><defs><text id="t" y="30" fill="#f00">${word}</text></defs><use href="#t" y="250"/></svg>`,
  'a use of a symbol': `<svg width="400" height="400"><symbol id="t"><text y="30" fill="#f00">${word}</text></symbol><use href="#t" y="250"/></svg>`,
  'a use of what is not shown': `<svg style="display:none"><symbol id="t"><text y="30" fill="#f00"><tspan>${word.slice(0, 5)}</tspan>${word.slice(5)}</text></symbol></svg><svg width="400" height="400"><use href="#t" y="250"/></svg>`,
  'a use in another drawing': `<svg width="400" height="40"><text id="t" y="30">${word}</text></svg><svg width="400" height="300"><use href="#t" y="200" style="fill:red"/></svg>`,
  'a pattern': `<svg width="400" height="400"><pattern id="t" width="400" height="100" patternUnits="userSpaceOnUse"><text y="30" fill="#f00">${word}</text></pattern><rect y="200" width="400" height="100" fill="url(#t)"/></svg>`,
  'a mask': `<svg width="400" height="400"><mask id="t"><text y="30" fill="#fff">${word}</text></mask><g transform="translate(0 250)"><rect width="400" height="100" fill="#f00" mask="url(#t)"/></g></svg>`,
  'a clip': `<svg width="0" height="0" style="position:absolute;top:0"><clipPath id="t"><text y="30">${word}</text></clipPath></svg><div style="margin-top:250px;height:90px;background:#f00;clip-path:url(#t)"></div>`,
  'a marker': `<svg width="400" height="400"><marker id="t" markerWidth="400" markerHeight="90" overflow="visible"><text y="30" fill="#f00">${word}</text></marker><path d="M0 250L400 250" marker-start="url(#t)"/></svg>`,
  'a picture in a filter': `<svg width="400" height="400"><text id="t" y="30" fill="#f00">${word}</text><filter id="f"><feImage href="#t" x="0" y="0" width="400" height="400"/><feOffset dy="150"/></filter><rect width="400" height="400" filter="url(#f)"/></svg>`,
  'the dropped shadow of a frame': framed(
    'filter:drop-shadow(0 200px #f00)',
    `<body style="${black}">${word}`,
  ),
  'the dropped shadow around a frame': `<div style="-webkit-box-reflect:below 100px">${framed('', `<body style="${red}">${word}`)}</div>`,
  'a filter before a frame': `${framed('', `<body style="${red}">${word}`)}${offset}<div style="position:fixed;inset:0;backdrop-filter:url(#f)"></div>`,
  'a line that runs backwards': `<p style="margin:200px 0 0 400px;${red};letter-spacing:-2ch">${word}</p>`,
  'a column that runs backwards': `<p style="margin:300px 0 0;height:90px;${red};writing-mode:vertical-rl;letter-spacing:-2ch">${word}</p>`,
  'a font without height': `${font('ascent-override:0%;descent-override:0%;line-gap-override:0%')}<p style="padding-top:200px;font-size:100px;color:red">${word}</p>`,
  'a font above its line': `${font('ascent-override:0%;descent-override:100%')}<p style="padding-top:200px;font-size:100px;color:red">${word}</p>`,
  'a font below its line': `${font('ascent-override:500%;descent-override:0%')}<p style="margin:-150px 0 0;font-size:100px;line-height:1;color:red">ggg${word}</p>`,
  'a font larger than its size': `${font('size-adjust:600%;ascent-override:10%;descent-override:3%')}<p style="padding-top:200px;font-size:20px;color:red">${word}</p>`,
  'a font that comes second': `<style>@font-face{font-family:None;src:local("DejaVu Sans Mono");unicode-range:U+1-20}</style>${font('size-adjust:600%;ascent-override:10%;descent-override:3%')}<style>p{font-family:None,Odd!important}</style><p style="padding-top:200px;font-size:20px;color:red">${word}</p>`,
};

/** Where a page that shows a secret has something else in red, which stays in its picture. */
const readable: Record<string, string> = {
  'a button with a shadow': `<p>${word}</p><button style="margin-top:200px;${red};text-shadow:0 1px 2px #000">Save</button>`,
  'a card with a shadow': `<p>${word}</p><div style="margin-top:200px;${red};filter:drop-shadow(0 4px 8px #000)">Orders</div>`,
  'a card that reflects': `<p>${word}</p><div style="margin-top:200px;${red};-webkit-box-reflect:below 4px">Orders</div>`,
  'other text': `<p style="text-shadow:0 1px 2px #000">${word}</p><div style="margin-top:200px;${red}">Orders</div>`,
  'text beside a card that holds the secret': `<div style="filter:drop-shadow(0 4px 8px #000)"><p>${word}</p></div><div style="margin-top:200px;${red}">Orders</div>`,
  'text of an inverted page': `<style>html{filter:invert(1) contrast(1.1)}</style><p>${word}</p><div style="margin-top:200px;${red};color:#0ff">Orders</div>`,
  'text under a bar of glass': `<div style="position:fixed;top:0;height:40px;width:100%;backdrop-filter:blur(8px)"></div><p style="margin-top:60px">${word}</p><div style="margin-top:200px;${red}">Orders</div>`,
  'text beside icons': `<p>${word}</p><svg width="0" height="0"><symbol id="i"><path d="M0 0h9v9"/></symbol></svg><svg style="margin-top:200px" width="40" height="40"><use href="#i" fill="#f00"/></svg><b style="${red}">Orders</b>`,
  'a drawing of a title': `<p>${word}</p><svg style="display:none"><symbol id="i"><title>${word}</title><path d="M0 0h90v90"/></symbol></svg><svg style="margin-top:200px" width="90" height="90"><use href="#i" fill="#f00"/></svg>`,
  'text of a font with its own measures': `${font('ascent-override:90.49%;descent-override:22.56%;line-gap-override:0%;size-adjust:107.06%', 'local("DejaVu Sans")')}<p>${word}</p><p style="margin-top:200px;${red}">Orders</p>`,
  'text beside an odd font': `<style>@font-face{font-family:Odd;src:local("DejaVu Sans");ascent-override:0%}h1{font-family:Odd;color:#f00;margin-top:200px}</style><p>${word}</p><h1>Orders</h1>`,
};

const at = maskedAndPlain({ secrets: [word] }, ({ url }) => {
  const how = decodeURIComponent(url.slice(1));
  const body = moved[how] ?? readable[how];
  return body === undefined
    ? null
    : `<!doctype html><style>body{margin:8px;background:#fff;color:#000;font:20px monospace}</style><body>${body}`;
});

const picture = (browser: OpenedBrowser, how: string, isWhole: boolean) =>
  pictureOf(browser, `${at.site.url}/${encodeURIComponent(how)}`, isWhole);

test.each(Object.keys(moved))(
  'a secret in %s is painted over too, in the view and in the whole page [vault.sandbox.masking.pictures]',
  async (how) => {
    for (const isWhole of [false, true]) {
      expect(redIn(await picture(at.plain, how, isWhole), itself)).toBeGreaterThan(100);
      expect(redIn(await picture(at.masked, how, isWhole))).toBe(0);
    }
  },
);

test.each(Object.keys(readable))(
  'where a page shows a secret, %s stays in its picture [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(redIn(await picture(at.masked, how, false), itself)).toBeGreaterThan(100);
  },
);
