/** Whether objects and arrays are nested deeper than `limit`. Does not recurse: the depth is somebody else's choice. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item): unknown[] => Object.values(item)).filter(isContainer);
  }
  return false;
}

/** Whether any text or key has half a surrogate pair: RFC 8785 has no form for it, so it can be neither hashed nor signed. */
export function hasBrokenText(value: unknown): boolean {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    if (typeof next === 'string' && !next.isWellFormed()) return true;
    if (!isContainer(next)) continue;
    for (const [key, inner] of Object.entries(next)) {
      if (!key.isWellFormed()) return true;
      waiting.push(inner);
    }
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
