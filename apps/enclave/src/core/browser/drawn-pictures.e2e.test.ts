import { expect, test } from 'vitest';
import { type OpenedBrowser, secretOf } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf, redIn } from '../../../test/red-pictures.ts';

const word = 'Tr0ub4dor-3xyz';
const name = 'ada.lovelace';

/** Draws the word in red; `url` is a picture of it then, and `white` one without red. */
const drawing = (kind: 'data' | 'blob') => `
const c = document.createElement('canvas'); c.width = 300; c.height = 90;
const d = c.getContext('2d'); d.font = '30px monospace'; d.fillStyle = '#f00'; d.fillText('${word}', 9, 50);
const data = c.toDataURL();
const bytes = Uint8Array.from(atob(data.split(',')[1]), (one) => one.charCodeAt(0));
const url = ${kind === 'data' ? 'data' : `URL.createObjectURL(new Blob([bytes], { type: 'image/png' }))`};`;
const box = '<div id="b" style="width:300px;height:90px"></div>';
const ruled = (rule: string, body = box) =>
  `${body}<script>document.head.append(Object.assign(document.createElement('style'), { textContent: \`${rule}\` }))</script>`;
const svg = (source: string) => `data:image/svg+xml,${encodeURIComponent(source)}`;

/** Ways in which a page shows a picture of its own making; `\${url}` is the picture. */
const drawn: Record<string, string> = {
  'a background': ruled('#b{background:url(${url})}'),
  'one of its backgrounds': ruled('#b{background:linear-gradient(#0000,#0000),url(${url})}'),
  'a set of backgrounds': ruled('#b{background:image-set(url(${url}) 1x)}'),
  'a faded background': ruled('#b{background:-webkit-cross-fade(url(${url}),url(${url}),50%)}'),
  'the background of the page': ruled('body{background:url(${url})}', '<p style="height:300px">'),
  'the background of a root': ruled('html{background:url(${url}) 0 100px no-repeat}', '<p>'),
  'the background of a column': ruled(
    'col{background:url(${url})}',
    '<table><col><td style="width:300px;height:90px"></table>',
  ),
  'the background of a pseudo-element': ruled(
    '#b::before{content:"";display:block;height:90px;background:url(${url})}',
  ),
  'a mask': ruled('#b{background:#f00;-webkit-mask-image:url(${url})}'),
  'a mask of its border': ruled('#b{background:#f00;-webkit-mask-box-image:url(${url})}'),
  'a border': ruled(
    '#b{border:90px solid;border-image:url(${url}) 90 / 90px / 60px stretch;border-image-slice:1 fill}',
  ),
  'the sign of a list': ruled('li{list-style:url(${url})}', '<ul style="padding-left:320px"><li>x</ul>'),
  'the content of an element': ruled('#b{content:url(${url})}'),
  'the content of a pseudo-element': ruled('#b::after{content:"x" url(${url})}'),
  'the content of a sign': ruled(
    'li::marker{content:url(${url})}',
    '<ul style="padding-left:320px"><li>x</ul>',
  ),
  'the mask of a reflection': ruled('#b{background:#f00;-webkit-box-reflect:below 9px url(${url})}'),
  'a picture of several': `<picture><source id="s"><img></picture><script>s.srcset=url</script>`,
  'a picture with a dropped shadow': `<canvas width="300" height="90" style="filter:drop-shadow(0 200px #f00)" id="k"></canvas><script>k.getContext('2d').drawImage(c,0,0)</script>`,
  'a picture in a drawing': `<svg width="300" height="90"><image id="i" width="300" height="90"/></svg><script>i.setAttribute('href',url)</script>`,
  'a picture in a pattern': `<svg width="400" height="300"><pattern id="p" width="300" height="90" patternUnits="userSpaceOnUse"><image id="i" width="300" height="90"/></pattern><rect y="150" width="400" height="150" fill="url(#p)"/></svg><script>i.setAttribute('href',url)</script>`,
  'a picture in a filter': `<svg width="0" height="0"><filter id="f"><feImage id="i"/></filter></svg><div style="width:300px;height:90px;background:#fff;filter:url(#f)"></div><script>i.setAttribute('href',url)</script>`,
  'a picture in a filter for what is behind': `<svg width="0" height="0"><filter id="f"><feImage id="i"/></filter></svg><svg width="300" height="90"><g filter="url(#f)"><rect width="300" height="90" fill="#fff"/></g></svg><script>i.setAttribute('href',url)</script>`,
};

const icon = svg(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path fill="#f00" d="M0 0h20v20H0z"/></svg>',
);
/** What of a page stays in its picture where it shows a secret. */
const readable: Record<string, string> = {
  'an icon of its style': `<style>#b{background:url('${icon}')}</style>${box}`,
  'an icon that is a mask': `<style>#b{background:#f00;-webkit-mask:url('${icon}')}</style>${box}`,
  'an icon in base64': `<style>#b{background:url('data:image/svg+xml;base64,${Buffer.from(decodeURIComponent(icon.slice(icon.indexOf(',') + 1))).toString('base64')}')}</style>${box}`,
  'a gradient': `<style>#b{background:linear-gradient(#f00,#f00)}</style>${box}`,
  'the server’s picture': `<style>#b{background:url(/picture.svg)}</style>${box}`,
  'text beside a picture of the page’s own': `${ruled('#b{background:url(${url})}')}<b style="color:#f00">Orders</b>`,
};

const at = maskedAndPlain({ secrets: [word], names: [name] }, ({ url }) => {
  if (url === '/login')
    return '<form method="post" action="/in"><input name="pass" type="password"><button>Send</button></form>';
  if (url === '/picture.svg')
    return {
      headers: { 'content-type': 'image/svg+xml' },
      body: decodeURIComponent(icon.slice(icon.indexOf(',') + 1)),
    };
  const [how = '', kind, said = ''] = url.slice(1).split('/').map(decodeURIComponent);
  const body = drawn[how] ?? readable[how];
  return body === undefined
    ? null
    : `<!doctype html><style>body{background:#fff;color:#000}</style><body><p>${said}</p><script>${drawing(kind === 'blob' ? 'blob' : 'data')}</script>${body}`;
});

const redOf = async (browser: OpenedBrowser, path: readonly string[], isWhole = false): Promise<number> =>
  redIn(await pictureOf(browser, [at.site.url, ...path.map(encodeURIComponent)].join('/'), isWhole));

test.each(Object.keys(drawn))(
  'where a page shows a secret, what it drew is painted over in %s; where it shows the name of an account, it is not [vault.sandbox.masking.pictures]',
  async (how) => {
    for (const kind of ['data', 'blob']) {
      for (const isWhole of [false, true]) expect(await redOf(at.masked, [how, kind, word], isWhole)).toBe(0);
      expect(await redOf(at.masked, [how, kind, name])).toBeGreaterThan(100);
      expect(await redOf(at.plain, [how, kind, word])).toBeGreaterThan(100);
    }
  },
);

test.each(Object.keys(readable))(
  'where a page shows a secret, %s stays in its picture [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redOf(at.masked, [how, 'data', word])).toBeGreaterThan(100);
  },
);

test.each(['a background', 'a mask', 'the sign of a list', 'a picture in a filter', 'an icon of its style'])(
  'once a page was given a secret, what it drew is painted over in %s [vault.sandbox.masking.pictures]',
  async (how) => {
    expect(await redOf(at.plain, [how, 'blob', ''])).toBeGreaterThan(100);
    const go = { operation_type: 'navigate', value: `${at.site.url}/login` } as const;
    await at.masked.observe(go);
    await at.masked.perform(go, [go.value]);
    const fill = { operation_type: 'fill', selector: '[name=pass]', value: 'x' } as const;
    await at.masked.observe(fill);
    expect(await at.masked.perform(fill, [secretOf(word, { mode: 'dom' })])).toMatchObject({ ok: true });
    expect(await redOf(at.masked, [how, 'blob', ''])).toBe(0);
  },
);
