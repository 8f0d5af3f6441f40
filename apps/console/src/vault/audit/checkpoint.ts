/** What a checkpoint says (C2SP tlog-checkpoint): the log, how many records it had, and the root over all of them. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: string };

/** Reads the text of a signed note; null for what is none. Its signature is for the command line to check. */
export function readCheckpoint(note: string): Checkpoint | null {
  const [origin = '', count = '', root = ''] = note.split('\n');
  const size = Number(count);
  return origin !== '' && /^\d+$/.test(count) && Number.isSafeInteger(size) && root !== ''
    ? { origin, size, root }
    : null;
}
