import { hash, type KeyObject, verify } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { publicKeyOf, rawPublicKey, type Signer } from './keys.ts';

/** A key by the name under which it signs notes (c2sp.org/signed-note). Only Ed25519 (type 0x01). */
export type NoteKey = {
  readonly name: string;
  /** 4 bytes, lower-case hex. */
  readonly keyId: string;
  readonly publicKey: KeyObject;
};

type NoteSignature = { readonly name: string; readonly keyId: string; readonly signature: Buffer };
export type SignedNote = {
  /** Ends with a newline. Not to be believed before a signature over it is verified. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
};

const ed25519 = Buffer.of(1);

/** The key with the id that the specification derives from name and key. */
export const noteKey = (name: string, publicKey: KeyObject): NoteKey => {
  const material = Buffer.concat([Buffer.from(`${name}\n`), ed25519, rawPublicKey(publicKey)]);
  return { name, keyId: hash('sha256', material).slice(0, 8), publicKey };
};

/** A verifier key, `name+id+base64`: how a key is handed to other tools. */
export const verifierKeyText = ({ name, keyId, publicKey }: NoteKey): string =>
  `${name}+${keyId}+${Buffer.concat([ed25519, rawPublicKey(publicKey)]).toString('base64')}`;

/** Reads a verifier key; null when it is none, is not Ed25519 or has an id that does not follow from it. */
export function readVerifierKey(text: string): NoteKey | null {
  const [, name = '', keyId, base64 = ''] =
    /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 33 || bytes[0] !== 1 || bytes.toString('base64') !== base64) return null;
  const publicKey = publicKeyOf(bytes.subarray(1));
  const key = publicKey === null ? null : noteKey(name, publicKey);
  return key?.keyId === keyId ? key : null;
}

/** A note with one signature. `text` ends with a newline. */
export function signNote(text: string, name: string, signer: Signer): string {
  const { keyId } = noteKey(name, signer.publicKey);
  const signature = Buffer.concat([Buffer.from(keyId, 'hex'), signer.sign(Buffer.from(text))]);
  return `${text}\n— ${name} ${signature.toString('base64')}\n`;
}

/** More than any real note has; the specification asks for at least 16. */
const maxSignatures = 64;

/** Takes a note apart; null when it is none. */
export function readNote(note: string): SignedNote | null {
  const at = note.lastIndexOf('\n\n');
  if (at < 0 || !note.endsWith('\n') || hasControl(note) || !note.isWellFormed()) return null;
  const lines = note.slice(at + 2, -1).split('\n');
  if (lines.length > maxSignatures) return null;
  const signatures = lines.map(readSignature);
  return signatures.every((signature) => signature !== null)
    ? { text: note.slice(0, at + 1), signatures }
    : null;
}

export type NoteRefusal = 'unreadable' | 'bad-signature' | 'no-known-key';

/**
 * The note's text and the keys that signed it. Signatures of unknown keys do not count; one of a known key that does
 * not verify spoils the note.
 */
export function openNote(
  note: string,
  keys: readonly NoteKey[],
): Result<{ readonly text: string; readonly signedBy: readonly NoteKey[] }, NoteRefusal> {
  const read = readNote(note);
  if (read === null) return fail('unreadable');
  const text = Buffer.from(read.text);
  const signers: NoteKey[] = [];
  for (const { name, keyId, signature } of read.signatures) {
    const key = keys.find((known) => known.name === name && known.keyId === keyId);
    if (key === undefined) continue;
    if (!verify(null, text, key.publicKey, signature)) return fail('bad-signature');
    signers.push(key);
  }
  return signers.length > 0 ? ok({ text: read.text, signedBy: signers }) : fail('no-known-key');
}

function readSignature(line: string): NoteSignature | null {
  const [, name = '', base64 = ''] = /^— ([^\p{White_Space}+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 5 || bytes.toString('base64') !== base64) return null;
  return { name, keyId: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

/** Below a blank no character but the newline may stand in a note. */
const hasControl = (text: string): boolean => {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && code !== 0x0a) return true;
  }
  return false;
};
