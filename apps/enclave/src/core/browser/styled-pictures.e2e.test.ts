import { expect, test } from 'vitest';
import { type OpenedBrowser } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf, redIn } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const [begin, end] = [word.slice(0, 7), word.slice(7)];
const styled = (rules: string, body: string) => `<style>${rules}</style>${body}`;
const red = 'color:#f00';
const scroller = (rules: string, body = `<div data-x="${word}" style="height:300px"></div>`) =>
  styled(`#s{overflow:auto;height:60px;width:300px;${red}}${rules}`, `<div id="s">${body}</div>`);
const customSelect = (rules: string, body = '<select><option>x</select>') =>
  styled(`select,::picker(select){appearance:base-select}${rules}`, body);

/** Ways in which styles make text of a secret, change it or set it somewhere else; nothing else of the page is red. */
const ways: Record<string, string> = {
  'marks of scrolling': scroller(
    `#s{scroll-marker-group:after}#s>div::scroll-marker{content:attr(data-x);${red}}`,
  ),
  'marks of scrolling before it': scroller(
    `#s{scroll-marker-group:before}#s>div::scroll-marker{content:"${word}";${red}}`,
  ),
  'marks of columns': scroller(
    `#s{columns:1;color:#000;scroll-marker-group:after;height:60px}#s::column::scroll-marker{content:"${word}";${red}}`,
    'a<br>b<br>c<br>d<br>e<br>f<br>g',
  ),
  'a button of scrolling': scroller(`#s::scroll-button(down){content:"${word}";${red}}`),
  'the sign of a select': customSelect(`select::picker-icon{content:"${word}";${red}}`),
  'what a select has chosen': customSelect(
    '',
    `<select style="${red}"><button><selectedcontent></selectedcontent></button><option>${word}</select>`,
  ),
  'a button of a select': customSelect(
    '',
    `<select style="${red}"><button>${word}</button><option>x</select>`,
  ),
  'a select before which stands something': customSelect(`select::before{content:"${word}";${red}}`),
  'the sign of a pseudo-element': styled(
    `p::before{display:list-item;margin-left:300px;content:"x";color:#000}p::before::marker{content:"${word}";${red}}`,
    '<p></p>',
  ),
  'the sign of a summary': styled(
    `summary::marker{content:"${word}";${red}}`,
    '<details><summary></summary></details>',
  ),
  'the sign that breaks a word': styled(
    `p{width:14ch;${red};hyphens:manual;hyphenate-character:"${word}"}`,
    '<p>a&shy;bbbbbbbbbbbbb</p>',
  ),
  'numbers with what stands around them': styled(
    `@counter-style w{system:fixed;symbols:"${begin}";suffix:"${end}"}li{list-style:w;margin-left:300px}li::marker{${red}}`,
    '<ol><li></ol>',
  ),
  'numbers before which stands something': styled(
    `@counter-style w{system:extends decimal;prefix:"${word}"}li{list-style:w;margin-left:300px}li::marker{${red}}`,
    '<ol><li></ol>',
  ),
  'signs between numbers': styled(
    `p{counter-reset:a 1}b{counter-reset:a 2}b::before{content:counters(a,"${word}");${red}}`,
    '<p><b></b></p>',
  ),
  'signs of a list as a text': styled(
    `li{list-style:"${word}";margin-left:300px}li::marker{${red}}`,
    '<ul><li></ul>',
  ),
  'quotation marks': styled(`q{quotes:"${word}" "";${red}}`, '<q></q>'),
  variables: styled(`p{--a:"${begin}";--b:"${end}"}p::before{content:var(--a) var(--b);${red}}`, '<p></p>'),
  'what is before a field': styled(
    `input{appearance:none;width:300px;height:30px}input::before{content:"${word}";${red}}`,
    '<input type="checkbox">',
  ),
  'what is after a rule': styled(`hr{height:30px}hr::after{content:"${word}";${red}}`, '<hr>'),
  'what is before a picture': styled(
    `img::before{content:"${word}";${red}}`,
    '<img alt="x" src="/none.png" width="300" height="60">',
  ),
  'what is before an option': styled(
    `option::before{content:attr(data-x);${red}}`,
    `<select size="3"><option data-x="${word}">x</select>`,
  ),
  'the heading of options': styled(
    `optgroup{${red}}`,
    `<select size="3"><optgroup label="${word}"><option>x</select>`,
  ),
  'the alternative of a button': styled(
    `input{${red}}`,
    `<input type="image" alt="${word}" src="/none.png" width="300" height="60">`,
  ),
  'a style that is shown': `<style style="display:block;${red}">/*${word}*/</style>`,
  'a title that is shown': styled(
    `head,title{display:block;${red}}`,
    `<script>document.title='${word}'</script>`,
  ),
  'text behind dots': `<p style="${red};-webkit-text-security:disc">${word}</p>`,
  'text behind squares': `<p style="${red};-webkit-text-security:square">${word}</p>`,
  'a field for a password in clear': `<input type="password" style="${red};-webkit-text-security:none" value="${word}">`,
  capitals: `<p style="${red};text-transform:uppercase">${word}</p>`,
  'broad letters': `<p style="${red};text-transform:full-width">${word}</p>`,
  'small capitals': `<p style="${red};font-variant:all-small-caps">${word}</p>`,
  'letters in one': `<p style="${red};writing-mode:vertical-rl;text-combine-upright:all;font-size:60px">${word}</p>`,
  'a line from right to left': `<bdo dir="rtl" style="${red}">${Array.from(word).reverse().join('')}</bdo>`,
  'a text above a text': `<ruby style="font-size:40px">x<rt style="${red}">${word}</rt></ruby>`,
  'a text below a text': `<ruby style="font-size:40px;ruby-position:under">x<rt style="${red}">${word}</rt></ruby>`,
  'a text below one': `<ruby style="font-size:40px;${red}">${word}<rt style="color:#000">tango</rt></ruby>`,
  'a text with a text above each letter': `<div style="font-size:40px;${red}">${Array.from(word, (one) => `<ruby>${one}<rt style="color:#000">x</rt></ruby>`).join('')}</div>`,
  'a letter of several lines': styled(
    `p::first-letter{initial-letter:4;${red}}`,
    `<p style="width:150px">${word} a b c d e f g h i j k</p>`,
  ),
  'a raised letter': styled(
    `p::first-letter{initial-letter:4 1;${red}}`,
    `<p style="margin-top:100px;width:150px">${word} a b c d e</p>`,
  ),
  'a first letter with a shadow': styled(
    `p::first-letter{text-shadow:0 200px #f00}`,
    `<p style="font-size:60px">${word}</p>`,
  ),
  'a sign with a shadow': styled(
    `li{margin-left:300px}li::marker{content:"${word}";text-shadow:0 200px #f00}`,
    '<ul><li></ul>',
  ),
  'a pseudo-element with a shadow': styled(
    `p::before{content:"${word}";text-shadow:0 200px #f00}`,
    '<p></p>',
  ),
  'a first line': styled(`p::first-line{font-size:90px;${red}}`, `<p style="font-size:8px">${word}</p>`),
  'lines without height': `<p style="${red};font-size:90px;line-height:0;margin-top:100px">${word}</p>`,
  'a trimmed box': `<p style="${red};font-size:90px;text-box:trim-both ex alphabetic;margin-top:100px">${word}</p>`,
  'a raised text': `<p style="margin-top:200px"><span style="${red};vertical-align:150px">${word}</span></p>`,
  'a text that was pushed': `<p><span style="${red};position:relative;top:200px;left:90px">${word}</span></p>`,
  'marks on both sides': `<p style="writing-mode:vertical-rl;text-emphasis:'M' #f00;text-emphasis-position:over left;font-size:40px;margin-left:200px">${word}</p>`,
  'marks below': `<p style="text-emphasis:triangle #f00;text-emphasis-position:under right;font-size:40px">${word}</p>`,
  'marks below lines without height': `<p style="text-emphasis:triangle #f00;text-emphasis-position:under right;font-size:40px;line-height:0;margin-top:60px">${word}</p>`,
  columns: `<div style="columns:3;width:400px;height:60px;column-fill:auto;${red};word-break:break-all;font-size:40px;line-height:30px">${word}</div>`,
  'a path': `<div style="offset-path:path('M0 200L400 300');offset-distance:50%;width:200px;${red}">${word}</div>`,
  'a path of SVG': `<svg width="600" height="300" style="overflow:visible"><path id="p" fill="none" d="M10 250C100 100 300 300 500 150"/><text style="fill:#f00"><textPath href="#p">${word}</textPath></text></svg>`,
  'text of SVG that was pushed': `<svg width="600" height="300"><text y="20" style="fill:#f00"><tspan dy="200" dx="90">${word}</tspan></text></svg>`,
  'text of SVG letter by letter': `<svg width="600" height="300"><text style="fill:#f00" x="10 60 110 160 210 260 310" y="20 250 20 250 20 250 20" rotate="90">${word}</text></svg>`,
  'text that is cut out': `<p style="font-size:60px;background:#f00;background-clip:text;color:transparent">${word}</p>`,
  'a field of math': `<math style="${red}"><mtext>${word}</mtext></math>`,
  'a moving text': `<marquee style="${red}" scrollamount="30">${word}</marquee>`,
  'SVG letters apart': `<svg width="600" height="300"><text style="fill:#f00" x="10 60 110 160 210 260 310" y="20 250 20 250 20 250 20">${word}</text></svg>`,
  'SVG letters turned': `<svg width="600" height="300"><text style="fill:#f00" x="40" y="80" rotate="90">${word}</text></svg>`,
};

const at = maskedAndPlain(
  { secrets: [word] },
  ({ url }) => {
    const body = ways[decodeURIComponent(url.slice(1))];
    return body === undefined
      ? null
      : `<!doctype html><style>body{margin:8px;background:#fff;color:#000;font:20px monospace}</style><body>${body}`;
  },
  [],
);

const redOf = async (browser: OpenedBrowser, how: string, isWhole: boolean): Promise<number> =>
  redIn(await pictureOf(browser, `${at.site.url}/${encodeURIComponent(how)}`, isWhole));

test.each(Object.keys(ways))(
  'of a secret in %s no picture shows anything, in the view or of the whole page [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redOf(at.plain, how, false)).toBeGreaterThan(60);
    for (const isWhole of [false, true]) expect(await redOf(at.masked, how, isWhole)).toBe(0);
  },
);
