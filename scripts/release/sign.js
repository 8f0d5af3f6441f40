// Signs the checksums of a release, so that whoever trusts the public key can trust every file:
//   openssl pkeyutl -verify -rawin -pubin -inkey countersign-release.pub -in SHA256SUMS -sigfile SHA256SUMS.sig
//   grep '  countersign-0.1.0.tgz$' SHA256SUMS | sha256sum --check -
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The key of a file. Throws one sentence, without anything of the file, where it is none that may sign. */
export function readSigningKey(file) {
  let pem;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--sign-key: ${file} cannot be read (${error.code})`, { cause: error });
  }
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(
      `--sign-key: others on this machine can read ${file}: chmod 600, and ask whether they have`,
    );
  const key = privateKeyIn(pem);
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `--sign-key: ${file} is no Ed25519 private key: "openssl genpkey -algorithm ed25519" makes one`,
    );
  return key;
}

function privateKeyIn(pem) {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/** What `sha256sum --check` reads: a line for each of these files. */
export const sumsOf = (folder, files) =>
  files.map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`).join('');

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The 64 bytes of a pure Ed25519 signature (RFC 8032) over a text. */
export const signatureOf = (text, key) => sign(null, Buffer.from(text), key);

const statementType = 'application/vnd.in-toto+json';

/**
 * An in-toto statement as text: in an envelope that the key signed (DSSE 1.0.2, in-toto attestation framework 1.0), or as it is where
 * there is no key.
 */
export function attestationOf(statement, key) {
  const body = Buffer.from(JSON.stringify(statement, null, 1));
  if (key === undefined || key === null) return `${body.toString()}\n`;
  const sig = sign(null, signedOf(statementType, body), key).toString('base64');
  const envelope = {
    payloadType: statementType,
    payload: body.toString('base64'),
    signatures: [{ keyid: fingerprintOf(key), sig }],
  };
  return `${JSON.stringify(envelope, null, 1)}\n`;
}

/** What is signed: DSSE's pre-authentication encoding, so that nobody reads it as something of another type. */
const signedOf = (type, body) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);

/** By which people recognise the public key: SHA-256 of all of its SubjectPublicKeyInfo (DER, RFC 8410), in hex. A part of it may be another key's. */
export const fingerprintOf = (key) => sha256(createPublicKey(key).export({ format: 'der', type: 'spki' }));
