import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Masker } from '../masking/masker.ts';
import type { Heard } from './ask.ts';
import type { Filled } from './fill.ts';

/** Characters that are masked before others have their turn. */
const pieceChars = 32 * 1024;

/**
 * An answer without the credential. Text is masked; where it was cut, what could be the beginning of a secret is left out, for
 * whoever chooses where it is cut would else read it sign by sign. Anything else is whole and free of it, or its body is left
 * out; so is what was packed, for nobody asked for that. Until `over`: what takes longer is `late`.
 */
export async function masked(
  heard: Heard,
  { masker, secrets }: Pick<Filled, 'masker' | 'secrets'>,
  over: AbortSignal,
): Promise<Heard> {
  const headers = masker.json(heard.headers) as Record<string, string>;
  const empty = { ...heard, headers, body: Buffer.alloc(0) };
  const encoding = heard.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return empty;
  const contentType = heard.headers['content-type'] ?? '';
  const { body, cut } = heard;
  if (!isText(contentType, body)) {
    if (cut !== null) return empty;
    return holdsOne(body, secrets) ? { ...empty, cut: 'broken' } : { ...heard, headers };
  }
  const text = await maskedText(textOf(body, contentType), cut === null, masker, over);
  if (text === null) return { ...empty, cut: cut ?? 'late' };
  const plain = contentType.replace(/;\s*charset=[^;]*/gi, '');
  return {
    ...heard,
    headers: contentType === '' ? headers : { ...headers, 'content-type': `${plain}; charset=utf-8` },
    body: Buffer.from(text),
  };
}

/** In pieces, so that one long answer holds nobody else up. */
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

/** What says that it is text, or is. Bytes of zero are no text: between the signs of a secret they would hide it. */
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

/** Whether a secret stands among bytes that are no text, as it is or in the usual encodings of bytes as text. */
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
