import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@countersign/service/make-folder';

const fileIn = (dir: string): string => join(dir, 'receipt-key.pem');

/**
 * The gateway's Ed25519 key for receipts, made on first use: it has nothing to do with the wallet, so that who can
 * spend cannot by that alone rewrite what was decided.
 */
export function openReceiptKey(dir: string): KeyObject {
  if (!existsSync(fileIn(dir))) createKeyFile(dir);
  return createPrivateKey(readFileSync(fileIn(dir)));
}

/** The key of a gateway that has run before; null when there is none in `dir`. */
export const findReceiptKey = (dir: string): KeyObject | null =>
  existsSync(fileIn(dir)) ? openReceiptKey(dir) : null;

/** Written aside and linked into place: of two processes that start at once one makes the key, and both use it. */
function createKeyFile(dir: string): void {
  makeFolder(dir, 0o700);
  const { privateKey } = generateKeyPairSync('ed25519');
  const aside = `${fileIn(dir)}.${randomBytes(8).toString('hex')}`;
  writeFileSync(aside, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flush: true });
  try {
    linkSync(aside, fileIn(dir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
}

/** The public half: 32 bytes, base64. */
export function publicHalf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Base64 of the Ed25519 signature over the text's UTF-8 bytes. */
export const signText = (text: string, key: KeyObject): string =>
  sign(null, Buffer.from(text), key).toString('base64');
