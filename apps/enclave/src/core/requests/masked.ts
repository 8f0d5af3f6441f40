import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Masker } from '../masking/masker.ts';
import type { Heard } from './ask.ts';
import { mask } from '../masking/spans.ts';
import type { Filled } from './fill.ts';
import type { Turns } from './turns.ts';

/** Characters that are masked before others have their turn. */
const pieceChars = 32 * 1024;

/**
 * An answer without the credential. Text is masked; where it was cut, what could be the beginning of a secret is left out, for
 * whoever chooses where it is cut would else read it sign by sign. Anything else is whole and free of it, or its body is left
 * out; so is what was packed, for nobody asked for that, and text whose bytes hold what its characters do not show: who says
 * the wrong charset hides it from us alone. So many at a time, until `over`: what takes longer is `late`.
 */
export async function masked(
  heard: Heard,
  { masker, secrets }: Pick<Filled, 'masker' | 'secrets'>,
  over: AbortSignal,
  turns: Turns,
): Promise<Heard> {
  const headers = masker.json(heard.headers) as Record<string, string>;
  const empty = { ...heard, headers, body: Buffer.alloc(0) };
  const encoding = heard.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return empty;
  const contentType = heard.headers['content-type'] ?? '';
  const { body, cut } = heard;
  if (body.length === 0) return empty;
  const look = isText(contentType, body) ? 'text' : 'bytes';
  if (look === 'bytes' && cut !== null) return empty;
  const judged = await turns.run(
    () =>
      look === 'text'
        ? maskedBody(textOf(body, contentType), body, cut === null, masker, over)
        : freeBytes(body, secrets, masker, over),
    over,
  );
  if (judged === null) return { ...empty, cut: cut ?? 'late' };
  if (judged === hidden) return { ...empty, cut: 'broken' };
  if (look === 'bytes') return { ...heard, headers };
  return { ...heard, headers: asUtf8(headers, contentType), body: Buffer.from(judged) };
}

function asUtf8(headers: Heard['headers'], contentType: string): Heard['headers'] {
  const plain = contentType.replace(/;\s*charset=[^;]*/gi, '');
  return contentType === '' ? headers : { ...headers, 'content-type': `${plain}; charset=utf-8` };
}

/** Null: not judged in time. */
type Judged = Promise<string | null>;

/** No text is this: it has a byte of zero. */
const hidden = '\0';

/** The text without secrets; `hidden` where its bytes hold one more than its characters show. */
async function maskedBody(
  text: string,
  body: Buffer,
  isWhole: boolean,
  masker: Masker,
  over: AbortSignal,
): Judged {
  const out = await maskedText(text, isWhole, masker, over);
  const bytes = body.toString('latin1').replaceAll('\0', '');
  if (out === null || bytes === text) return out;
  const outOfBytes = await maskedText(bytes, isWhole, masker, over);
  if (outOfBytes === null) return null;
  return masksIn(outOfBytes) > masksIn(out) - masksIn(text) ? hidden : out;
}

const masksIn = (text: string): number => text.split(mask).length - 1;

/** Bytes that are no text, unless one of them is a secret's in whatever spelling. */
async function freeBytes(
  body: Buffer,
  secrets: readonly Buffer[],
  masker: Masker,
  over: AbortSignal,
): Judged {
  if (holdsOne(body, secrets)) return hidden;
  const text = body.toString('latin1');
  for (const bytes of new Set([text, text.replaceAll('\0', '')])) {
    const out = await maskedText(bytes, true, masker, over);
    if (out === null) return null;
    if (out !== bytes) return hidden;
  }
  return '';
}

/** Masks in pieces, so that one long response does not block the others. */
async function maskedText(
  text: string,
  isWhole: boolean,
  masker: Masker,
  over: AbortSignal,
): Promise<string | null> {
  const stream = masker.stream();
  const out: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + pieceChars, text.length);
    // A pair of surrogates is one character.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    out.push(stream.write(text.slice(at, end)));
    at = end;
    if (at < text.length) await nextTurn();
    if (over.aborted && at < text.length) return null;
  }
  if (isWhole) out.push(stream.end());
  return out.join('');
}

/**
 * Returns whether the body is text. NUL bytes make it binary: between the characters of a secret they would
 * hide it.
 */
const isText = (contentType: string, body: Buffer): boolean =>
  /^\s*text\/|[/+](json|xml|yaml)\s*(;|$)|^\s*application\/(x-)?(json|ndjson|jsonlines|yaml|javascript|x-www-form-urlencoded)|charset=/i.test(
    contentType,
  ) ||
  (isUtf8(body) && !body.includes(0));

function textOf(body: Buffer, contentType: string): string {
  const charset = /;\s*charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  return decoderOf(charset).decode(body).replaceAll('\0', '');
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/**
 * Returns whether a secret stands among bytes that are no text, as it is or in the usual encodings of bytes
 * as text.
 */
function holdsOne(body: Buffer, secrets: readonly Buffer[]): boolean {
  const dense = Buffer.from(body.filter((byte) => byte !== 0));
  return secrets.some((secret) => encodings(secret).some((one) => body.includes(one) || dense.includes(one)));
}

/** Base64 from each of the three places where it may begin, without the signs at its ends that its neighbours share. */
function encodings(secret: Buffer): readonly Buffer[] {
  const hex = secret.toString('hex');
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replaceAll('=', '')
      .slice(before === 0 ? 0 : before + 1, -1),
  );
  const texts = [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [secret, ...texts.filter((text) => text.length >= 4).map((text) => Buffer.from(text))];
}
