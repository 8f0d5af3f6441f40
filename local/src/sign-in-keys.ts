import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './write-whole.ts';

/** Paths of PEM files: the key with which the dashboard says who is signed in, and its public half. */
export type SignInKeys = { readonly privateKey: string; readonly publicKey: string };

/** Those of the system in `dir`, made when they are first asked for. */
export function signInKeysIn(dir: string): SignInKeys {
  const paths = {
    privateKey: join(dir, 'sign-in', 'key.pem'),
    publicKey: join(dir, 'sign-in', 'public.pem'),
  };
  // Written last: with it both are there.
  if (existsSync(paths.publicKey)) return paths;
  const made = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeWhole(paths.privateKey, made.privateKey);
  writeWhole(paths.publicKey, made.publicKey);
  return paths;
}
