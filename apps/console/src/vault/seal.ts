import type { sealInfo } from '@countersign/protocol/vault/credential';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { fromBase64, toBase64, utf8 } from './bytes.ts';

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const info = utf8('countersign-vault-v1' satisfies typeof sealInfo).buffer;
/** An uncompressed point of P-256. */
const encBytes = 65;

/** Seals the JSON text of `value` (RFC 9180, base mode): base64 of enc ‖ ciphertext. */
export async function seal(publicKey: string, value: unknown): Promise<string> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromBase64(publicKey).buffer);
  const { enc, ct } = await suite.seal({ recipientPublicKey, info }, utf8(JSON.stringify(value)).buffer);
  return toBase64(new Uint8Array([...new Uint8Array(enc), ...new Uint8Array(ct)]));
}

/** A key that lives as long as one answer is awaited: what is sealed to it is opened here and nowhere else. */
export async function newRecipient() {
  const { publicKey, privateKey } = await suite.kem.generateKeyPair();
  return {
    publicKey: toBase64(new Uint8Array(await suite.kem.serializePublicKey(publicKey))),
    /** The value; null for what was not sealed to this key. */
    async open(sealed: string): Promise<unknown> {
      try {
        const bytes = fromBase64(sealed);
        const enc = bytes.slice(0, encBytes).buffer;
        const ciphertext = bytes.slice(encBytes).buffer;
        const opened = await suite.open({ recipientKey: privateKey, enc, info }, ciphertext);
        return JSON.parse(new TextDecoder().decode(opened)) as unknown;
      } catch {
        return null;
      }
    },
  };
}
