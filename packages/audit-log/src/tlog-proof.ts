import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Checkpoint, isDecimal, readCheckpoint } from './checkpoint.ts';
import { readBase64 } from './keys.ts';
import { rootFromInclusion } from './proof.ts';
import { type NoteKey, type NoteRefusal, openNote } from './signed-note.ts';

/** Proof that a leaf is in a log, to be checked without asking anybody (c2sp.org/tlog-proof). */
export type TlogProof = {
  /** Not authenticated by itself. Ours holds the record's text, which is the leaf. */
  readonly extra: Buffer | null;
  readonly index: number;
  readonly path: readonly Buffer[];
  /** A signed note. */
  readonly checkpoint: string;
};

const title = 'c2sp.org/tlog-proof@v1';

export function tlogProofText({ extra, index, path, checkpoint }: TlogProof): string {
  const head = [title, ...(extra === null ? [] : [`extra ${extra.toString('base64')}`]), `index ${index}`];
  return `${[...head, ...path.map((hash) => hash.toString('base64'))].join('\n')}\n\n${checkpoint}`;
}

/** Takes a proof apart; null when it is none. */
export function readTlogProof(text: string): TlogProof | null {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  if (first !== title) return null;
  const extra = lines[0]?.startsWith('extra ') === true ? readExtra(lines.shift() ?? '') : null;
  const index = /^index (\S+)$/.exec(lines.shift() ?? '')?.[1] ?? '';
  const path = lines.map((line) => readBase64(line, 32));
  if (extra === undefined || !isDecimal(index) || !path.every((hash) => hash !== null)) return null;
  return { extra, index: Number(index), path, checkpoint: text.slice(end + 2) };
}

function readExtra(line: string): Buffer | undefined {
  const base64 = line.slice('extra '.length);
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : undefined;
}

export type ProofRefusal = NoteRefusal | 'no-checkpoint' | 'not-included';

/** The checkpoint, signed by one of `keys`, that contains the leaf; `leaf` is its RFC 6962 hash. */
export function checkTlogProof(
  { index, path, checkpoint }: TlogProof,
  leaf: Uint8Array,
  keys: readonly NoteKey[],
): Result<Checkpoint, ProofRefusal> {
  const note = openNote(checkpoint, keys);
  if (!note.ok) return note;
  const head = readCheckpoint(note.value.text);
  if (head === null || note.value.signedBy.every(({ name }) => name !== head.origin))
    return fail('no-checkpoint');
  const root = rootFromInclusion(leaf, index, head.size, path);
  return root !== null && head.root.equals(root) ? ok(head) : fail('not-included');
}
