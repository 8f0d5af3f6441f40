import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { ok, type Result } from '@countersign/protocol/result';
import { z } from 'zod';
import { replace, textOf } from './replace.ts';

/**
 * The record that `connect` keeps next to the settings, so that `--undo` removes nothing else. It has digests
 * only, no token.
 */
const record = z.object({
  /** The file as it was before us; null where there was none. */
  backup: z.string().nullable(),
  /** Every entry that we wrote since: one of them is ours, anything else is the user's. */
  entries: z.array(z.string()),
  /** The whole file as we left it last. */
  file: z.string(),
});
export type Kept = z.infer<typeof record>;

const placeOf = (path: string): string => `${path}.countersign-connect`;

/** Null where we have written nothing into this file. */
export function keptOf(path: string): Kept | null {
  const text = textOf(placeOf(path));
  if (!text.ok || text.value === null) return null;
  try {
    return record.parse(JSON.parse(text.value));
  } catch {
    return null;
  }
}

/** Keeps what was written. */
export function keep(path: string, kept: Kept): Result<void, string> {
  const before = textOf(placeOf(path));
  return before.ok ? replace(placeOf(path), before.value, `${JSON.stringify(kept)}\n`) : before;
}

/** After this, nothing of ours is known to stand in the file. */
export const forget = (path: string): void => rmSync(placeOf(path), { force: true });

/** Copies the file as it was, for its owner's eyes only, to a name that nothing has. */
export function backUp(path: string, text: string): Result<string, string> {
  const first = `${path}.before-countersign`;
  let name = first;
  for (let count = 2; existsSync(name); count += 1) name = `${first}-${count}`;
  const done = replace(name, null, text);
  return done.ok ? ok(name) : done;
}

/** The same for one value however its members are ordered. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, inOrder) ?? '')
    .digest('hex');

function inOrder(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { integer: value.toString() };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
