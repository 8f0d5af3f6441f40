/** The known name that is most like a given one, if one is like enough; else null. */
export function nearest(name: string, known: readonly string[]): string | null {
  const best = closest(name, known);
  return best !== null && best.likeness >= minLikeness ? best.name : null;
}

/** The known name that is most like a given one, and how like from 0 to 1; null where none is known. */
export function closest(
  name: string,
  known: readonly string[],
): { readonly name: string; readonly likeness: number } | null {
  const given = plainName(name);
  const ranked = known
    .map((other) => ({ name: other, likeness: likeness(given, plainName(other)) }))
    .sort((a, b) => b.likeness - a.likeness);
  return ranked[0] ?? null;
}

/** A name that somebody gave, for a message: short, and without what could be more than a name. */
export const shownName = (name: string): string => name.slice(0, shownChars).replace(/[^\w.$-]/g, '?');

const shownChars = 40;
const minLikeness = 0.5;

const plainName = (name: string): string =>
  name
    .slice(0, shownChars)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** The letters that both have in the same order. Names that begin alike are alike enough. */
function likeness(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  let row: number[] = [];
  for (const letter of a) {
    const next = [0];
    for (let n = 1; n <= b.length; n++)
      next[n] = letter === b[n - 1] ? (row[n - 1] ?? 0) + 1 : Math.max(row[n] ?? 0, next[n - 1] ?? 0);
    row = next;
  }
  const common = (2 * (row[b.length] ?? 0)) / (a.length + b.length);
  return a.slice(0, 3) === b.slice(0, 3) ? Math.max(common, minLikeness) : common;
}
