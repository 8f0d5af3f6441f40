import { expect, test } from 'vitest';
import { type OpenedBrowser, secretOf } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf as pictureAt, redIn as redInPicture } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const half = [word.slice(0, 7), word.slice(7)];
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><text y="50" fill="red">${word}</text></svg>`;
const inline = `data:image/svg+xml,${encodeURIComponent(svg)}`;
const inBase64 = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const styled = (rules: string) => `<style>#b{width:300px;height:90px;${rules}}</style><div id="b"></div>`;
const red = 'color:#f00;background:#fff;font:20px monospace';
const framed = (style: string, body = `<body style="${red}">${word}`) =>
  `<iframe style="width:320px;height:120px;${style}" srcdoc="${body.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;

/** Ways in which a page paints a text in red; nothing else of it is red. */
const shown: Record<string, string> = {
  'a text': `<p>${word}</p>`,
  'a text in pieces': `<p>${half[0]}<b>${half[1]}</b></p>`,
  'the value of a field': `<input value="${word}">`,
  'a value of several lines': `<textarea>a\n${word}</textarea>`,
  'a placeholder': `<style>::placeholder{color:#f00;opacity:1}</style><input placeholder="${word}">`,
  'the placeholder of several lines': `<style>::placeholder{color:#f00;opacity:1}</style><textarea placeholder="${word}"></textarea>`,
  'a button of a field': `<input type="button" value="${word}">`,
  'a chosen option': `<select><option>x<option selected>${word}</select>`,
  'a chosen option by its label': `<select><option selected label="${word}">x</select>`,
  'a list box': `<select multiple size="3"><option>x<option>${word}</select>`,
  'the alternative of a picture': `<img alt="${word}" src="/none.png" style="width:300px;height:60px">`,
  'a pseudo-element': `<style>p::before{content:attr(data-x)}</style><p data-x="${word}"></p>`,
  'a pseudo-element of a literal': `<style>p::after{content:"${half[0]}" "${half[1]}"}</style><p></p>`,
  'the beginning of what a pseudo-element ends': `<style>p::after{content:"${half[1]}"}</style><p>${half[0]}</p>`,
  'what two pseudo-elements begin and end': `<style>p::before{content:"${word.slice(0, 4)}"}p::after{content:"${half[1]}"}</style><p>${word.slice(4, 7)}</p>`,
  'a picture whose address says it': `<img src="${inline}">`,
  'a picture whose address says it in base64': `<img src="${inBase64}">`,
  'a set of pictures whose addresses say it': `<img srcset="${inBase64} 1x">`,
  'a picture of a drawing whose address says it': `<svg width="300" height="90"><image width="300" height="90" href="${inBase64}"/></svg>`,
  'a picture of a style that says it': styled(`background:url("${inline}")`),
  'a mask of a style that says it': styled(`background:red;-webkit-mask-image:url("${inBase64}")`),
  'the content of a style that says it': styled(`content:url("${inBase64}")`),
  'a counter’s style': `<style>@counter-style w{system:cyclic;symbols:"${word}"}li{list-style:w inside}</style><ol><li></ol>`,
  'a shadow root': `<div id="h"></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>${word}</p>'</script>`,
  'a closed shadow root': `<div id="h"></div><script>h.attachShadow({mode:'closed'}).innerHTML='<p>${word}</p>'</script>`,
  'text of SVG': `<svg width="400" height="80"><text x="20" y="50" fill="#f00">${word}</text></svg>`,
  'a scaled text': `<p style="transform:scale(1.7) translate(90px,40px);width:200px">${word}</p>`,
  'a turned text': `<p style="transform:translate(150px,150px) rotate(40deg);width:200px">${word}</p>`,
  'a zoomed text': `<p style="zoom:1.8">${word}</p>`,
  'a scrolled box': `<div id="h" style="height:100px;overflow:auto"><p style="margin-top:300px">${word}</p></div><script>h.scrollTop=400</script>`,
  'a scrolled page': `<p style="margin-top:900px">${word}</p><p style="height:2000px"><script>scrollTo(0,700)</script>`,
  'a frame': framed(''),
  'a frame with padding and border': framed('padding:40px 60px;border:30px solid #000'),
  'a scaled frame': framed('transform:scale(1.6);transform-origin:0 0;border:9px solid #000;padding:20px'),
  'a turned frame': framed('transform:rotate(30deg);margin:120px'),
  'a frame in a scaled frame': framed(
    'transform:scale(1.4);transform-origin:0 0;height:220px;width:420px',
    `<body>${framed('padding:12px;transform:translate(20px,20px) scale(.9)')}`,
  ),
};
/** Of a page that was given the secret itself. */
const drawn: Record<string, string> = {
  'a canvas': `<canvas id="c" width="300" height="90"></canvas><script>const d=c.getContext('2d');d.fillStyle='#f00';d.font='20px monospace';d.fillText('${word}',9,50)</script>`,
  'a picture of its own': `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='90'><text y='50' fill='red'>${half[0]}<tspan>${half[1]}</tspan></text></svg>">`,
  'an object': `<object width="300" height="90" type="image/svg+xml" data="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='90'><text y='50' fill='red'>${word}</text></svg>"></object>`,
};

/** As long as each other, but not as broad. */
const narrow = 'il-il-il-il-il';
const broad = 'WM_WM_WM_WM_WM';
const name = 'ada.lovelace';
/** Where what stands beside a secret, or the secret's own box, is as broad as the secret. */
const lines: Record<string, (secret: string) => string> = {
  'a paragraph': (secret) => `<p>${secret}</p>`,
  'a word of a line': (secret) => `<p>Your key is <code>${secret}</code>, keep it.</p>`,
  'a button': (secret) => `<p><button>${secret}</button> is yours.`,
  'a chosen option': (secret) => `<p><select><option>${secret}</select> yours`,
  'what is beside it': (secret) => `<div style="display:flex"><div>${secret}</div><div>yours</div></div>`,
  'what floats': (secret) => `<div style="float:left">${secret}</div><div>yours</div>`,
  'what is placed': (secret) => `<div style="position:absolute;border:2px solid">${secret}</div>`,
  'a table': (secret) => `<table><tr><td>${secret}<td>yours</table>`,
  'a frame': (secret) => framed('', `<body><p>${secret}`),
};

const at = maskedAndPlain({ secrets: [word, narrow, broad], names: [name] }, ({ url }) => {
  const [how = '', said] = url.slice(1).split('/').map(decodeURIComponent);
  const body =
    how === 'late'
      ? `<p id="p">&nbsp;</p><script>setTimeout(() => { p.textContent = '${word}' }, ${said})</script>`
      : said === undefined
        ? { ...shown, ...drawn }[how]
        : `<style>*{font-family:sans-serif}</style>${lines[how]?.(said) ?? `${drawn[how] ?? ''}<p>${said}`}`;
  if (url === '/login')
    return '<form method="post" action="/in"><input name="pass" type="password"><button>Send</button></form>';
  return body === undefined
    ? null
    : `<!doctype html><style>*{${red}}option:checked{color:#f00}</style><body>${body}`;
});

const addressOf = (page: string | readonly string[]): string =>
  [at.site.url, ...[page].flat().map(encodeURIComponent)].join('/');
const pictureOf = (browser: OpenedBrowser, page: readonly string[], isWhole: boolean): Promise<Buffer> =>
  pictureAt(browser, addressOf(page), isWhole);
const redIn = async (
  browser: OpenedBrowser,
  page: string | readonly string[],
  isWhole: boolean,
): Promise<number> => redInPicture(await pictureAt(browser, addressOf(page), isWhole));

test.each(Object.keys(shown))(
  'a secret in %s is painted over, in the view and in the whole page [vault.sandbox.masking.pictures]',
  async (how) => {
    for (const isWhole of [false, true]) {
      expect(await redIn(at.plain, how, isWhole)).toBeGreaterThan(100);
      expect(await redIn(at.masked, how, isWhole)).toBe(0);
    }
  },
);

// The text of an object is found in a document of its own, whatever else the page shows.
test.each(Object.keys(drawn).filter((how) => how !== 'an object'))(
  'where a page shows a secret, %s is painted over whole; where it shows the name of an account, it is not [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redIn(at.masked, [how, word], false)).toBe(0);
    expect(await redIn(at.masked, [how, name], false)).toBeGreaterThan(100);
  },
);

test.each(Object.keys(drawn))(
  'once a page was given a secret, %s is painted over whole [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redIn(at.plain, how, false)).toBeGreaterThan(100);
    const go = { operation_type: 'navigate', value: `${at.site.url}/login` } as const;
    await at.masked.observe(go);
    await at.masked.perform(go, [go.value]);
    const fill = { operation_type: 'fill', selector: '[name=pass]', value: 'x' } as const;
    await at.masked.observe(fill);
    expect(await at.masked.perform(fill, [secretOf(word, { mode: 'dom' })])).toMatchObject({ ok: true });
    expect(await redIn(at.masked, how, false)).toBe(0);
  },
);

test.each(Object.keys(lines))(
  'a picture does not tell how broad a secret in %s is [vault.sandbox.masking.pictures]',
  async (how) => {
    for (const isWhole of [false, true]) {
      const [one, other] = [
        await pictureOf(at.masked, [how, narrow], isWhole),
        await pictureOf(at.masked, [how, broad], isWhole),
      ];
      expect(one.equals(other)).toBe(true);
    }
    const control = await pictureOf(at.plain, [how, narrow], false);
    expect(control.equals(await pictureOf(at.plain, [how, broad], false))).toBe(false);
  },
);

test('a secret that a page shows while its picture is taken is painted over [vault.sandbox.masking.pictures]', async () => {
  for (let delay = 0; delay < 60; delay += 1)
    expect(await redIn(at.masked, ['late', String(delay)], false)).toBe(0);
  await expect.poll(() => redIn(at.plain, ['late', '0'], false)).toBeGreaterThan(100);
});
