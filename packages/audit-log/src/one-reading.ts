/** Most levels of arrays and objects in a file of ours; deeper ones exhaust the stack of who makes their canonical text. */
const maxLevels = 128;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

/**
 * Returns whether all readers of a JSON text read the same: no object has a member twice, and none is nested
 * too deeply to be read.
 */
export function hasOneReading(json: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, colon] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined && !isNew(open.at(-1), JSON.parse(token.slice(0, -colon.length))))
      return false;
    if (open.length > maxLevels) return false;
  }
  return true;
}

function isNew(members: Set<unknown> | undefined, name: unknown): boolean {
  const isKnown = members?.has(name) === true;
  members?.add(name);
  return !isKnown;
}
