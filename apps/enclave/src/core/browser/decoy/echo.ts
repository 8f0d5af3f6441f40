import { join, type Opened } from './deliver.ts';
import { base64, type Encoding, formUrl, htmlText, jsonString, plain, uriComponent } from './encodings.ts';

/** JSON that holds JSON as text. */
const again =
  (inner: Encoding): Encoding =>
  (bytes) => {
    const once = inner(bytes);
    const twice = jsonString(once);
    once.fill(0);
    return twice;
  };

const nested = [again(jsonString), again(again(jsonString))];
const encodings: readonly Encoding[] = [
  plain,
  jsonString,
  ...nested,
  htmlText,
  uriComponent,
  formUrl,
  base64,
];

/** Shorter ones stand in any answer by chance. */
const shortest = 4;

/** The answer of a site with decoys in place of what it repeats of the secrets; null when it repeats nothing. */
export function maskEcho(body: Buffer, opened: readonly Opened[]): Buffer | null {
  let masked: Buffer | null = null;
  for (const { decoy, bytes } of opened) {
    if (bytes.length < shortest) continue;
    for (const encode of encodings) {
      const form = encode(bytes);
      const next = replaceAll(masked ?? body, form, encode(Buffer.from(decoy)));
      form.fill(0);
      if (next === null) continue;
      masked?.fill(0);
      masked = next;
    }
  }
  return masked;
}

function replaceAll(text: Buffer, form: Buffer, replacement: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, from)) {
    pieces.push(text.subarray(from, at), replacement);
    from = at + form.length;
  }
  return pieces.length === 0 ? null : join([...pieces, text.subarray(from)]);
}
