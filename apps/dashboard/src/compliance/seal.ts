import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@countersign/service/make-folder';

/** The source of the evidence key: 32 bytes in base64, in a variable or a file. */
export type SealingKey =
  | { readonly kind: 'given'; readonly key: Buffer }
  /** Made there if there is none. */
  | { readonly kind: 'file'; readonly path: string }
  /** Nothing is sealed: nobody outside is asked, and no arguments are kept. */
  | { readonly kind: 'none' };

export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

/** Encrypts and authenticates texts with AES-256-GCM, each bound to the id of the row that keeps it. */
export type Sealer = {
  /** Tells keys apart, and nothing of them. */
  readonly keyId: string;
  readonly seal: (text: string, rowId: string) => Sealed;
  /** Throws, with one sentence to show, for another key, another row or changed bytes. */
  readonly open: (sealed: Sealed, rowId: string) => string;
};

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export function createSealer(key: Buffer): Sealer {
  const keyId = createHash('sha256')
    .update('countersign evidence key')
    .update(key)
    .digest('hex')
    .slice(0, 16);
  return {
    keyId,

    seal(text, rowId) {
      // Random nonces of 96 bits are safe for 2^32 rows under one key (NIST SP 800-38D, 8.3).
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(rowId));
      const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
      return { keyId, bytes: Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]) };
    },

    open(sealed, rowId) {
      if (sealed.keyId !== keyId) throw new Error(`it is sealed under another key (${sealed.keyId})`);
      const { bytes } = sealed;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        });
        decipher.setAAD(Buffer.from(rowId)).setAuthTag(bytes.subarray(-tagBytes));
        const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        throw new Error('it was changed since it was sealed, or belongs to another row');
      }
    },
  };
}

/** Reads the key, makes the file first where it is ours to make. Throws with one sentence to show. */
export function openSealer(from: SealingKey): Sealer | null {
  switch (from.kind) {
    case 'none':
      return null;
    case 'given':
      return createSealer(from.key);
    case 'file':
      return createSealer(readOrMakeKey(from.path));
  }
}

/** Null for anything but 32 bytes in base64. */
export function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text.trim(), 'base64');
  return key.length === keyBytes && key.toString('base64') === text.trim() ? key : null;
}

function readOrMakeKey(path: string): Buffer {
  if (!existsSync(path)) makeKey(path);
  const key = parseKey(readFileSync(path, 'utf8'));
  if (key === null) throw new Error(`${path} does not hold 32 bytes in base64`);
  return key;
}

/** Whole or absent, and never in place of another's: it is written aside and linked in place. */
function makeKey(path: string): void {
  makeFolder(dirname(path));
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(aside, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600 });
  try {
    linkSync(aside, path);
  } catch (error) {
    // Another process was quicker; its key is the key.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(aside);
  }
}
