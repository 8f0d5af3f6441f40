import { expect, test } from 'vitest';
import { type OpenedBrowser } from '../../../test/chromium.ts';
import { maskedAndPlain } from '../../../test/masked-and-plain.ts';
import { pictureOf } from '../../../test/red-pictures.ts';

/** One is much broader than the other. */
const [narrow, broad] = ['Til1-lij.ftil', 'WMQ@-MWmwQOMW'];

/** What is higher than the line of the secret in it, or beside it. */
const pages: Record<string, (secret: string) => string> = {
  'a button with padding': (secret) => `<p>Key <button style="padding:20px">${secret}</button></p>`,
  'a badge with a border': (secret) =>
    `<p>Key <code style="padding:9px;border:2px solid #00f">${secret}</code></p>`,
  'a box in a line': (secret) =>
    `<p>Key <span style="display:inline-block;padding:15px;background:#eee">${secret}</span></p>`,
  'a button in a box in a line': (secret) =>
    `<p>Key <span style="display:inline-block;padding:15px;background:#eee"><button>${secret}</button></span></p>`,
  'a button beside it': (secret) =>
    `<p>Key ${secret} <button style="padding:20px;vertical-align:middle">Copy</button></p>`,
  'a picture beside it': (secret) =>
    `<p>Key ${secret} <svg width="40" height="60"><rect width="40" height="60" fill="#00f"/></svg></p>`,
  'a field beside it': (secret) => `<p>Key ${secret} <input style="height:50px" value="Name"></p>`,
};

const at = maskedAndPlain({ secrets: [narrow, broad] }, ({ url }) => {
  const [how = '', secret = ''] = url.slice(1).split('/').map(decodeURIComponent);
  const body = pages[how]?.(secret);
  return body === undefined
    ? null
    : `<!doctype html><style>body{background:#fff;font:20px sans-serif}</style><body><p>Above it.</p>${body}<p>Below it.</p>`;
});

test.each(Object.keys(pages))(
  'how broad a secret is no picture tells by %s [vault.sandbox.masking.pictures-broad]',
  async (how) => {
    const both = async (browser: OpenedBrowser): Promise<string[]> => {
      const pictures: string[] = [];
      for (const secret of [narrow, broad]) {
        const address = [at.site.url, how, secret].map((part, i) =>
          i === 0 ? part : encodeURIComponent(part),
        );
        pictures.push((await pictureOf(browser, address.join('/'), false)).toString('base64'));
      }
      return pictures;
    };
    const [one, other] = await both(at.plain);
    expect(one === other).toBe(false);
    const [maskedOne, maskedOther] = await both(at.masked);
    expect(maskedOne === maskedOther).toBe(true);
  },
);
