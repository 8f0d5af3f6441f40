import type { KeyObject } from 'node:crypto';
import type { Rotation } from '../rotation.ts';

/**
 * The keys of a log in the order in which they signed, as its rotations tell. Null when they do not follow each
 * other. `only` is the key of a log that never changed it.
 */
export function keyLine(rotations: readonly Rotation[], only: KeyObject): readonly KeyObject[] | null {
  const keys = [rotations[0]?.previousKey ?? only];
  for (const { previousKey, key } of rotations) {
    if (keys.at(-1)?.equals(previousKey) !== true) return null;
    keys.push(key);
  }
  return keys;
}

/**
 * Whether one of the trusted keys is in a line. Then all are: each key is endorsed by the one before it, and signed
 * the record that names that one.
 */
export const isTrusted = (line: readonly KeyObject[], trusted: readonly KeyObject[]): boolean =>
  line.some((key) => trusted.some((known) => known.equals(key)));
