/** Characters that are invisible, change the reading order or control a terminal. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** Another party's text as one line of what people can see, up to so many characters; null where nothing is left. */
export function clean(text: unknown, max: number): string | null {
  if (typeof text !== 'string') return null;
  const seen = text
    .slice(0, max * 8)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const cut = Array.from(seen).slice(0, max).join('').trim();
  return cut === '' ? null : cut;
}
