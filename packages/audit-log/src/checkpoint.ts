import { hash } from 'node:crypto';
import { readBase64, type Signer } from './keys.ts';
import { signNote } from './signed-note.ts';

/** The head of a log's tree (c2sp.org/tlog-checkpoint). */
export type Checkpoint = {
  /** Names the log, whatever key signs for it. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
};

export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** The checkpoint as a signed note, under the log's own name. */
export const signCheckpoint = (checkpoint: Checkpoint, signer: Signer): string =>
  signNote(checkpointText(checkpoint), checkpoint.origin, signer);

/** Reads the text of a note; null when it is no checkpoint. Lines of extensions are allowed and not looked at. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', base64 = '', ...rest] = text.split('\n');
  const root = readBase64(base64, 32);
  const extensions = rest.slice(0, -1);
  if (origin === '' || root === null || rest.at(-1) !== '' || extensions.includes('')) return null;
  return isDecimal(size) ? { origin, size: Number(size), root } : null;
}

/** Returns whether a text is an integer without leading zeros that a number holds exactly. */
export const isDecimal = (text: string): boolean =>
  /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

/** The name of a log on chain: SHA-256 of its origin, 32 bytes. */
export const logIdOf = (origin: string): Buffer => hash('sha256', origin, 'buffer');
