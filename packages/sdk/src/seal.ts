import { sealInfo } from '@countersign/protocol/vault/credential';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const exactly = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const info = exactly(new TextEncoder().encode(sealInfo));
/** An uncompressed point of P-256, which `enc` is. */
const pointBytes = 65;

/** Seals the JSON text of `value` to a public key of 65 bytes in base64 (RFC 9180): base64 of enc ‖ ciphertext. */
export async function seal(publicKey: string, value: object): Promise<string> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(exactly(Buffer.from(publicKey, 'base64')));
  const plaintext = exactly(new TextEncoder().encode(JSON.stringify(value)));
  const { enc, ct } = await suite.seal({ recipientPublicKey, info }, plaintext);
  return Buffer.concat([new Uint8Array(enc), new Uint8Array(ct)]).toString('base64');
}

/** A key that lives as long as one answer is awaited. */
export type Recipient = {
  /** 65 bytes in base64. */
  readonly publicKey: string;
  /** The JSON value that was sealed to it; null for anything else. */
  readonly open: (sealed: string) => Promise<unknown>;
};

export async function newRecipient(): Promise<Recipient> {
  const { publicKey, privateKey: recipientKey } = await suite.kem.generateKeyPair();
  return {
    publicKey: Buffer.from(await suite.kem.serializePublicKey(publicKey)).toString('base64'),
    async open(sealed) {
      try {
        const bytes = Buffer.from(sealed, 'base64');
        const enc = exactly(bytes.subarray(0, pointBytes));
        const opened = await suite.open({ recipientKey, enc, info }, exactly(bytes.subarray(pointBytes)));
        return JSON.parse(new TextDecoder().decode(opened)) as unknown;
      } catch {
        return null;
      }
    },
  };
}
