/** Left, top, width and height of what stands at a place. */
type BoundsOf = (place: number) => readonly number[];

/**
 * Places as one reads them who looks at the page: line by line, and column by column. A style may put texts in any order (`order`, floats,
 * cells), whatever that of the page is.
 */
export function asShown(places: readonly number[], boundsOf: BoundsOf) {
  const along = (first: 0 | 1): number[] => {
    const [from, room] = [[0, 1][first] ?? 0, [2, 3][first] ?? 2];
    const at = (place: number, i: number): number => boundsOf(place)[i] ?? 0;
    const rows: number[][] = [];
    let end = Number.NEGATIVE_INFINITY;
    for (const place of [...places].sort((one, next) => at(one, from) - at(next, from))) {
      const [start, size] = [at(place, from), at(place, room)];
      if (start >= end) {
        rows.push([]);
        end = start + size / 2;
      }
      rows.at(-1)?.push(place);
    }
    return rows.flatMap((row) => row.sort((one, next) => at(one, 1 - from) - at(next, 1 - from)));
  };
  return { inLines: along(1), inColumns: along(0) };
}
