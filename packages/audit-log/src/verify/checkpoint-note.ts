import type { KeyObject } from 'node:crypto';
import { type Checkpoint, readCheckpoint } from '../checkpoint.ts';
import { noteKey, openNote, readNote } from '../signed-note.ts';

/** The checkpoint of a note, whoever signed it; null when it is none. */
export const headOf = (note: string): Checkpoint | null => readCheckpoint(readNote(note)?.text ?? '');

/** A checkpoint that the key signed under the log's own name; null for anything else. */
export function openCheckpoint(note: string, key: KeyObject): Checkpoint | null {
  const head = headOf(note);
  const opened = head === null ? null : openNote(note, [noteKey(head.origin, key)]);
  return opened?.ok === true ? readCheckpoint(opened.value.text) : null;
}
