import { findForms, type Span } from './find.ts';
import { type FormIndex, indexForms, wipeIndex } from './form-index.ts';
import { formsOf, minSecret } from './forms.ts';
import { maskJson } from './json.ts';
import { Literals } from './literals.ts';
import type { MaskedWords } from './masked-words.ts';
import { pinFinder, pinLength } from './pins.ts';
import { fullyDecoded } from './readings.ts';
import { withoutPlus } from './skeleton.ts';
import { inUnits, merge, replaceIn, replaceSpans } from './spans.ts';

export { mask } from './spans.ts';

/**
 * Takes the secrets of a session out of every text that leaves it, in plain and in the usual encodings. A text without
 * any is answered as it is.
 */
export type Masker = {
  readonly text: (text: string) => string;
  /** Neighbours in a document: a secret split over them is found too. As many come back. */
  readonly nodes: (texts: readonly string[]) => string[];
  /** The same, but a secret split over them is masked where it begins alone: nothing tells over how many it was split. */
  readonly once: (texts: readonly string[]) => string[];
  /** Values and keys of what JSON can say, also split over them. */
  readonly json: (value: unknown) => unknown;
  readonly stream: () => MaskedStream;
  /** Places in the list of those shorter than `minSecret` bytes, white space not counted: they are not masked. */
  readonly unmaskable: readonly number[];
  /** Wipes all that is looked for, as far as it is bytes; from then on nothing is found any more. */
  readonly wipe: () => void;
};

/** Texts in, masked texts out; what could be the beginning of a secret waits for the next one. */
export type MaskedStream = { readonly write: (text: string) => string; readonly end: () => string };

/** Returns whether a secret stands in any text by chance, and so is not masked. */
export const isUnmaskable = (secret: Uint8Array): boolean => fullyDecoded(secret).bytes.length < minSecret;

/**
 * What stands inside of a literal is left as it is, as far as it stands inside of one alone. Of a secret that is a few digits
 * every number of as many is masked, and it is looked for in no other form: those few that there are can be guessed.
 */
export function newMasker(
  secrets: readonly Uint8Array[],
  literals = new Literals(),
  words: MaskedWords | null = null,
): Masker {
  const maskable = secrets.filter((secret) => !isUnmaskable(secret));
  const forms = maskable.filter((secret) => pinLength(secret) === null).flatMap(formsOf);
  const index = indexForms(forms);
  for (const { bytes } of forms) bytes.fill(0);
  const pins = pinFinder(new Set(maskable.flatMap((secret) => pinLength(secret) ?? [])));
  const find: Find = (texts, before = '') =>
    merge([
      ...findSecrets(texts.join(border), index, literals, words),
      ...pins(texts, border.length, before),
    ]);
  const nodes = (texts: readonly string[]) => replaceIn(texts, find(texts), border.length, false);
  return {
    text: (text) => replaceSpans(text, find([text])),
    nodes,
    once: (texts) => replaceIn(texts, find(texts), border.length, true),
    json: (value) => maskJson(value, nodes),
    stream: () => newStream(index, find),
    unmaskable: secrets.flatMap((secret, place) => (isUnmaskable(secret) ? [place] : [])),
    wipe: () => wipeIndex(index),
  };
}

const utf8 = new TextEncoder();

/** Between nodes stands a sign that no page shows, so that the border counts as a gap like any other. */
const border = '\0';

/**
 * Returns spans in UTF-16 units of all texts, joined with a separator between each two; ordered and disjoint.
 * `before` is the text before the first.
 */
type Find = (texts: readonly string[], before?: string) => Span[];

/**
 * Where secrets stand that the agent did not write itself, and words that are masked as if they were one, in UTF-16 units, in
 * order and apart from each other.
 */
function findSecrets(text: string, index: FormIndex, literals: Literals, words: MaskedWords | null): Span[] {
  const source = utf8.encode(text);
  const ofWords = words?.indexes() ?? [];
  const found = findForms(source, index, ...ofWords);
  if (found.length === 0) return [];
  const reach = literals.reach(source);
  const own = merge(found.filter(({ core }) => reach === null || (reach[core.start] ?? 0) < core.end));
  return inUnits(text, ofWords.length === 0 ? own : joined(own, source));
}

/** Maximum number of bytes between two words of a secret, in any encoding. */
const maxGap = 64;
const isSpace = (bytes: Uint8Array): boolean => withoutPlus(fullyDecoded(bytes)).bytes.length === 0;

/** A secret of several words is masked like as many words that are masked each. */
function joined(spans: readonly Span[], source: Uint8Array): Span[] {
  const isOne = (one: Span, next: Span): boolean =>
    next.start - one.end <= maxGap && isSpace(source.subarray(one.end, next.start));
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last !== undefined && isOne(last, span)) all.splice(-1, 1, { start: last.start, end: span.end });
    else all.push(span);
  }
  return all;
}

/** So many decoded bytes more than the longest form, with a sign between each two, are kept back for a token cut in two. */
const margin = 32;

function newStream(index: FormIndex, find: Find): MaskedStream {
  let kept = '';
  /** The last character that was let go: a number that goes on from it is part of a longer one. */
  let before = '';
  const release = (upTo: number, spans: readonly Span[]): string => {
    const out = replaceSpans(
      kept.slice(0, upTo),
      spans.filter((span) => span.end <= upTo),
    );
    before = (before + kept.slice(0, upTo)).slice(-2);
    kept = kept.slice(upTo);
    return out;
  };
  return {
    write(text) {
      kept += text;
      const { starts } = fullyDecoded(utf8.encode(kept));
      const safe = starts[starts.length - 2 * index.longest - margin] ?? 0;
      const spans = find([kept], before);
      const [cut] = inUnits(kept, [{ start: safe, end: safe }]);
      const across = spans.find((span) => span.start < (cut?.start ?? 0) && span.end > (cut?.start ?? 0));
      return release(across?.start ?? cut?.start ?? 0, spans);
    },
    end: () => release(kept.length, find([kept], before)),
  };
}
