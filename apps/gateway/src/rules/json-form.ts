/**
 * Returns whether objects and arrays are nested deeper than `limit`. The depth is somebody else's choice: no
 * deeper is looked.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  return !everyPart(value, limit, () => true);
}

/**
 * Whether RFC 8785 has a form for a value, and whoever hashes it may recurse: nested at most `maxDepth` deep, no text or
 * key with half a surrogate pair, and no number that JSON writes but does not hold, as `1e999`.
 */
export function hasCanonicalForm(value: unknown, maxDepth: number): boolean {
  return everyPart(value, maxDepth, isWhole);
}

const isWhole = (leaf: string | number): boolean =>
  typeof leaf === 'string' ? leaf.isWellFormed() : Number.isFinite(leaf);

/** Returns whether all texts, numbers and keys pass, none of them in more than `depth` objects and arrays. */
function everyPart(value: unknown, depth: number, passes: (leaf: string | number) => boolean): boolean {
  if (typeof value === 'string' || typeof value === 'number') return passes(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!everyPart(item, depth - 1, passes)) return false;
    return true;
  }
  for (const key of Object.keys(value)) {
    if (!passes(key) || !everyPart((value as Record<string, unknown>)[key], depth - 1, passes)) return false;
  }
  return true;
}
