import { readFileSync, readlinkSync } from 'node:fs';

export type Surroundings = {
  readonly uid: number;
  /** Such as `net:[4026531840]`, by kind. */
  readonly namespaces: Readonly<Record<string, string>>;
};

const kinds = ['net', 'pid', 'ipc', 'uts', 'mnt'] as const;

/** Returns the user and the namespaces of this process; null for each that cannot be read. */
export function surroundings(): Surroundings {
  const found = kinds.flatMap((kind) => {
    try {
      return [[kind, readlinkSync(`/proc/self/ns/${kind}`)]];
    } catch {
      return [];
    }
  });
  return { uid: process.getuid?.() ?? 0, namespaces: Object.fromEntries(found) as Record<string, string> };
}

/** Returns whether this process is in another namespace of each of these kinds than `outside`. */
export function isApart(outside: Surroundings, ...which: readonly (typeof kinds)[number][]): boolean {
  const { namespaces } = surroundings();
  return which.every((kind) => {
    const [own, other] = [namespaces[kind], outside.namespaces[kind]];
    return own !== undefined && other !== undefined && own !== other;
  });
}

/** Returns whether the kernel writes no core dump of this process: its limit is 0. */
export function limitsCoreDumps(): boolean {
  try {
    return /^Max core file size\s+0\s+0\s/m.test(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return false;
  }
}
