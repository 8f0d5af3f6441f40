import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretOf } from '../../../../test/chromium.ts';
import { fieldsOf } from './body.ts';
import { bodyWith, withSecrets } from './deliver.ts';
import { maskEcho } from './echo.ts';
import { base64, formUrl, fromBase64, jsonString, uriComponent } from './encodings.ts';
import type { Fill } from './fills.ts';

const secrets = fc.oneof(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: 'grapheme' }));

test('each encoding from bytes to bytes says what the usual one of text says', () => {
  fc.assert(
    fc.property(secrets, (text) => {
      const bytes = Buffer.from(text.toWellFormed());
      const form = new URLSearchParams([['', text]]).toString().slice(1);
      expect(formUrl(bytes).toString()).toBe(form);
      expect(uriComponent(bytes).toString()).toBe(encodeURIComponent(text.toWellFormed()));
      expect(JSON.parse(`"${jsonString(bytes).toString()}"`)).toBe(text.toWellFormed());
      expect(base64(bytes).toString()).toBe(bytes.toString('base64'));
      expect(fromBase64(base64(bytes))).toEqual(bytes);
    }),
  );
});

const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const multipart = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('')}--${boundary}--\r\n`;
const readMultipart = (body: string): Record<string, string> =>
  Object.fromEntries(
    body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const [head = '', ...rest] = part.split('\r\n\r\n');
        return [/name="([^"]*)"/.exec(head)?.[1] ?? '', rest.join('\r\n\r\n').slice(0, -2)];
      }),
  );

type Kind = {
  readonly write: (fields: Record<string, string>) => string;
  readonly read: (body: string) => Record<string, string>;
};
const kinds: Record<string, Kind> = {
  'application/x-www-form-urlencoded': {
    write: (fields: Record<string, string>) => new URLSearchParams(fields).toString(),
    read: (body: string) => Object.fromEntries(new URLSearchParams(body)),
  },
  'application/json;charset=utf-8': {
    write: (fields: Record<string, string>) => JSON.stringify(fields),
    read: (body: string) => JSON.parse(body) as Record<string, string>,
  },
  [`multipart/form-data; boundary=${boundary}`]: { write: multipart, read: readMultipart },
};

test.each(Object.keys(kinds))(
  'a secret stands in a body of %s where its decoy stood, and nothing else has changed',
  async (type) => {
    const { write, read } = kinds[type] as Kind;
    await fc.assert(
      fc.asyncProperty(secrets, fc.string({ unit: 'grapheme' }), async (made, otherMade) => {
        // A form sends line ends its own way; that is no matter here.
        const [text, other] = [made, otherMade].map((one) => one.toWellFormed().replace(/[\r\n]/g, ' ')) as [
          string,
          string,
        ];
        const body = Buffer.from(write({ other, 'the pass': 'Decoy-1.x', again: 'Decoy-1.x' }));
        const secret = secretOf(text);
        const fill: Fill = {
          parts: ['>', { secret, decoy: 'Decoy-1.x' }],
          typed: '',
          frameId: '',
          loaderId: '',
          origin: '',
          field: null,
          sentTo: null,
        };
        const fields = fieldsOf(body, type).filter(({ value }) => value === 'Decoy-1.x');
        expect(fields.map(({ name }) => name)).toEqual(['the pass', 'again']);
        const replacements = fields.map((field) => ({ field, fill }));
        const whole = await withSecrets(replacements, async (opened) => bodyWith(body, replacements, opened));
        expect(read(whole.toString())).toEqual({ other, 'the pass': `>${text}`, again: `>${text}` });
      }),
    );
  },
);

test('members of nested JSON are found by their own names, those of lists by the name of the list', () => {
  const body = Buffer.from('{"a":{"b":"x","c":["y",{"d":"é\\n"}]},"e":[["z"]],"f":1}');
  expect(fieldsOf(body, 'application/json').map(({ name, value }) => [name, value])).toEqual([
    ['b', 'x'],
    ['c', 'y'],
    ['d', 'é\n'],
    ['e', 'z'],
  ]);
  expect(fieldsOf(Buffer.from('{"a":"x"'), 'application/json')).toEqual([]);
});

test('what a site repeats of a secret is answered as the decoy, in every usual writing', () => {
  const bytes = Buffer.from('p&ss "w0rd" <é>');
  const [decoy, said] = ['k-xy .z9qr. *ö*', bytes.toString()];
  const echo = [
    said,
    encodeURIComponent(said),
    JSON.stringify(said),
    new URLSearchParams({ said }).toString(),
    'p&amp;ss &quot;w0rd&quot; &lt;é&gt;',
    bytes.toString('base64'),
  ].join('\n');
  const masked = maskEcho(Buffer.from(echo), [{ decoy, bytes }])?.toString() ?? '';
  for (const line of echo.split('\n')) expect(masked).not.toContain(line);
  expect(masked.split('\n')[0]).toBe(decoy);
  expect(maskEcho(Buffer.from('nothing'), [{ decoy, bytes }])).toBeNull();
});
