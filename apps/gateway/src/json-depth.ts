/** Whether objects and arrays of `value` are nested deeper than `limit`. Does not recurse: the depth is somebody else's choice. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (isContainer(item) ? Object.values(item) : [])).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
