import { readFile } from 'node:fs/promises';
import { type Checkpoint, readCheckpoint, signCheckpoint } from '../checkpoint.ts';
import type { Signer } from '../keys.ts';
import { noteKey, openNote } from '../signed-note.ts';
import { replaceFile } from './flush.ts';

export type OwnCheckpoint = { readonly checkpoint: Checkpoint; readonly signer: Signer };

/**
 * The log's own last checkpoint, which stands apart from its records, and who of `signers` signed it. Null when there
 * is no file; `foreign` when none of them signed it for this log, `changed` when it is not what was signed.
 */
export async function readOwnCheckpoint(
  file: string,
  origin: string,
  signers: readonly Signer[],
): Promise<OwnCheckpoint | 'foreign' | 'changed' | null> {
  const note = await readIfThere(file);
  if (note === null) return null;
  for (const signer of signers) {
    const opened = openNote(note, [noteKey(origin, signer.publicKey)]);
    if (!opened.ok && opened.error !== 'no-known-key') return 'changed';
    const checkpoint = opened.ok ? readCheckpoint(opened.value.text) : null;
    if (checkpoint?.origin === origin) return { checkpoint, signer };
  }
  return 'foreign';
}

export async function writeOwnCheckpoint(
  file: string,
  checkpoint: Checkpoint,
  signer: Signer,
): Promise<void> {
  await replaceFile(file, signCheckpoint(checkpoint, signer));
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
