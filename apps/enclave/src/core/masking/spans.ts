import type { Span } from './find.ts';

/** Replaces a secret. It has no letters, so it never joins a word, and its length is constant. */
export const mask = '███';

/** Merges spans that touch or overlap; gives them in order. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Bytes of UTF-8 to units of UTF-16. A character of which a part is secret is secret. */
export function inUnits(text: string, spans: readonly Span[]): Span[] {
  const units: Span[] = [];
  let [unit, byte] = [0, 0];
  let point = text.codePointAt(0) ?? 0;
  const advance = (): void => {
    byte += bytesOf(point);
    unit += point > 0xffff ? 2 : 1;
    point = text.codePointAt(unit) ?? 0;
  };
  for (const span of spans) {
    while (unit < text.length && byte + bytesOf(point) <= span.start) advance();
    const start = unit;
    while (unit < text.length && byte < span.end) advance();
    units.push({ start, end: unit });
  }
  return units;
}

/** A lone surrogate is encoded as U+FFFD, which takes three bytes too. */
const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4);

/** A span that begins before the text, which is below 0, has its mask there. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const span of spans) {
    pieces.push(text.slice(end, Math.max(0, span.start)), span.start < 0 ? '' : mask);
    ({ end } = span);
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

/**
 * Each text with its share of spans over all of them, which are in order; between two stand so many units. A span over
 * several is masked in each, or once, where it begins, so that nothing tells over how many it was.
 */
export function replaceIn(
  texts: readonly string[],
  spans: readonly Span[],
  between: number,
  isOnce: boolean,
): string[] {
  let [from, next] = [0, 0];
  return texts.map((text) => {
    const to = from + text.length;
    const own: Span[] = [];
    while ((spans[next]?.end ?? Infinity) <= from) next++;
    for (let i = next; (spans[i]?.start ?? Infinity) < to; i++) {
      const { start, end } = spans[i] ?? { start: to, end: to };
      own.push({ start: (isOnce ? start : Math.max(start, from)) - from, end: Math.min(end, to) - from });
    }
    from = to + between;
    return replaceSpans(text, own);
  });
}
