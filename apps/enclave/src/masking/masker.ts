import { findForms, type FormIndex, fullyDecoded, indexForms, type Span } from './find.ts';
import { formsOf, shortestSecret } from './forms.ts';

/** What stands in place of a secret. It has no letter, so it is no part of one, and says nothing of the length. */
export const mask = '███';

/**
 * Takes the secrets of a session out of every text that leaves it, in plain and in the usual encodings. A text without
 * any is answered as it is.
 */
export type Masker = {
  readonly text: (text: string) => string;
  /** Neighbours in a document: a secret split over them is found too. As many come back. */
  readonly nodes: (texts: readonly string[]) => string[];
  /** Values and keys of what JSON can say, also split over them. */
  readonly json: (value: unknown) => unknown;
  readonly stream: () => MaskedStream;
  /** Places in the list of those shorter than `shortestSecret` bytes, white space not counted: they are not masked. */
  readonly unmaskable: readonly number[];
  /** Wipes all that is looked for, as far as it is bytes; from then on nothing is found any more. */
  readonly wipe: () => void;
};

/** Texts in, masked texts out; what could be the beginning of a secret waits for the next one. */
export type MaskedStream = { readonly write: (text: string) => string; readonly end: () => string };

/** Whether a secret stands in any text by chance, and so is not masked. */
export const isUnmaskable = (secret: Uint8Array): boolean =>
  fullyDecoded(secret).bytes.length < shortestSecret;

export function newMasker(secrets: readonly Uint8Array[]): Masker {
  const forms = secrets.filter((secret) => !isUnmaskable(secret)).flatMap(formsOf);
  const index = indexForms(forms);
  const text = (source: string) => replaceSpans(source, findSecrets(source, index));
  const nodes = (texts: readonly string[]) => maskNodes(texts, index);
  return {
    text,
    nodes,
    json: (value) => maskJson(value, nodes),
    stream: () => newStream(index),
    unmaskable: secrets.flatMap((secret, place) => (isUnmaskable(secret) ? [place] : [])),
    wipe: () => {
      for (const { bytes } of [...forms, ...[...index.byAnchor.values()].flat()]) bytes.fill(0);
    },
  };
}

const utf8 = new TextEncoder();

/** Where secrets stand, in UTF-16 units, in order and apart from each other. */
function findSecrets(text: string, index: FormIndex): Span[] {
  const found = findForms(utf8.encode(text), index);
  return found.length === 0 ? [] : inUnits(text, merge(found));
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

/** Bytes of UTF-8 to units of UTF-16. A character of which a part is secret is secret. */
function inUnits(text: string, spans: readonly Span[]): Span[] {
  const units: Span[] = [];
  let [unit, byte] = [0, 0];
  const advance = (): void => {
    const point = text.codePointAt(unit) ?? 0;
    unit += point > 0xffff ? 2 : 1;
    byte += bytesOf(point);
  };
  for (const span of spans) {
    while (unit < text.length && byte + bytesOf(text.codePointAt(unit) ?? 0) <= span.start) advance();
    const start = unit;
    while (unit < text.length && byte < span.end) advance();
    units.push({ start, end: unit });
  }
  return units;
}

/** A lone surrogate is encoded as U+FFFD, which takes three bytes too. */
const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4);

function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let [masked, end] = ['', 0];
  for (const span of spans) {
    masked += text.slice(end, span.start) + mask;
    end = span.end;
  }
  return masked + text.slice(end);
}

/** Between nodes stands a character without width, so that the border counts as a gap like any other. */
const border = '\u200b';

function maskNodes(texts: readonly string[], index: FormIndex): string[] {
  const spans = findSecrets(texts.join(border), index);
  let offset = 0;
  return texts.map((text) => {
    const [from, to] = [offset, offset + text.length];
    offset = to + border.length;
    const own = spans.filter((span) => span.start < to && span.end > from);
    const cut = own.map((span) => ({
      start: Math.max(span.start, from) - from,
      end: Math.min(span.end, to) - from,
    }));
    return replaceSpans(text, cut);
  });
}

/** Values as neighbours of each other and of their keys; then the same shape again with what has changed. */
function maskJson(value: unknown, nodes: (texts: readonly string[]) => string[]): unknown {
  const leaves = collect(value);
  const masked = nodes(leaves.map(({ text }) => text));
  const values = nodes(masked.filter((_, place) => leaves[place]?.kind === 'value')).values();
  const all = masked.map((text, place) =>
    leaves[place]?.kind === 'value' ? (values.next().value ?? mask) : text,
  );
  return leaves.every(({ text }, place) => text === all[place]) ? value : rebuild(value, all.values());
}

type Leaf = { readonly kind: 'key' | 'value'; readonly text: string };

function collect(value: unknown): Leaf[] {
  if (Array.isArray(value)) return value.flatMap(collect);
  if (typeof value !== 'object' || value === null) return [{ kind: 'value', text: String(value) }];
  return Object.entries(value).flatMap(([key, member]) => [
    { kind: 'key', text: key } as const,
    ...collect(member),
  ]);
}

function rebuild(value: unknown, masked: Iterator<string>): unknown {
  const next = (): string => masked.next().value ?? mask;
  if (Array.isArray(value)) return value.map((item) => rebuild(item, masked));
  if (typeof value === 'object' && value !== null) {
    const members = new Map<string, unknown>();
    for (const member of Object.values(value)) {
      const key = next();
      members.set(members.has(key) ? `${key} ${members.size}` : key, rebuild(member, masked));
    }
    return Object.fromEntries(members);
  }
  const text = next();
  return text === String(value) ? value : text;
}

/** So many decoded bytes more than the longest form are kept back, for a token cut in two. */
const margin = 32;

function newStream(index: FormIndex): MaskedStream {
  let kept = '';
  const release = (upTo: number, spans: readonly Span[]): string => {
    const out = replaceSpans(
      kept.slice(0, upTo),
      spans.filter((span) => span.end <= upTo),
    );
    kept = kept.slice(upTo);
    return out;
  };
  return {
    write(text) {
      kept += text;
      const { starts } = fullyDecoded(utf8.encode(kept));
      const safe = starts[starts.length - index.longest - margin] ?? 0;
      const spans = findSecrets(kept, index);
      const [cut] = inUnits(kept, [{ start: safe, end: safe }]);
      const across = spans.find((span) => span.start < (cut?.start ?? 0) && span.end > (cut?.start ?? 0));
      return release(across?.start ?? cut?.start ?? 0, spans);
    },
    end: () => release(kept.length, findSecrets(kept, index)),
  };
}
