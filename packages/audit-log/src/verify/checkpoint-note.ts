import type { KeyObject } from 'node:crypto';
import { type Checkpoint, readCheckpoint } from '../checkpoint.ts';
import { noteKey, openNote, readNote } from '../signed-note.ts';

/** The checkpoint of a note, whoever signed it; null when it is none. */
export const headOf = (note: string): Checkpoint | null => readCheckpoint(readNote(note)?.text ?? '');

/**
 * A checkpoint that one of the keys signed under the log's own name, and none of them wrongly; null for anything else. Without a key
 * (null) no signature is judged.
 */
export function openCheckpoint(note: string, ...keys: readonly (KeyObject | null)[]): Checkpoint | null {
  const head = headOf(note);
  const known = keys.filter((key) => key !== null);
  if (head === null || known.length === 0) return head;
  const opened = openNote(
    note,
    known.map((key) => noteKey(head.origin, key)),
  );
  return opened.ok ? head : null;
}
