/** Returns whether it may be a word that somebody chose, though it is of a kind that machines make. */
export function isChosen(secret: Uint8Array): boolean {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(secret).trim();
  if (text.length < minMade) return true;
  return !/^\d+$/.test(text) && (text.match(change)?.length ?? 0) < minChanges;
}

/** Machines make no shorter keys. In characters. */
const minMade = 16;
/** Matches a change between letters and digits, and a capital inside a word: names have a few. */
const change = /(?<=\p{L})\p{N}|(?<=\p{N})\p{L}|(?<=\p{Ll})\p{Lu}/gu;
const minChanges = 4;
