import type { KeyObject } from 'node:crypto';
import { type Checkpoint, readCheckpoint } from '../checkpoint.ts';
import { noteKey, openNote, readNote } from '../signed-note.ts';

/** The log that a checkpoint names, whoever signed it; null when it is no checkpoint. */
export const originOf = (note: string): string | null =>
  readCheckpoint(readNote(note)?.text ?? '')?.origin ?? null;

/** A checkpoint that the key signed under the log's own name; null for anything else. */
export function openCheckpoint(note: string, key: KeyObject): Checkpoint | null {
  const origin = originOf(note);
  const opened = origin === null ? null : openNote(note, [noteKey(origin, key)]);
  return opened?.ok === true ? readCheckpoint(opened.value.text) : null;
}
