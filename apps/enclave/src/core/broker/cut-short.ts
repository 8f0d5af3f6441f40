/**
 * Returns whether a text begins as an object or a list of JSON and ends before that does. What is no JSON
 * otherwise is not looked at.
 */
export function isCutShort(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') at = endOfString(text, at);
    else depth += steps[char] ?? 0;
    if (depth === 0 && char in steps) return false;
  }
  return true;
}

const steps: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  '{': 1,
  '[': 1,
  '}': -1,
  ']': -1,
});

/** Returns the end of the string that begins here; the end of the text if the string is cut off. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}
