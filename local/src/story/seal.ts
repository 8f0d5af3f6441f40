import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { sealInfo } from '@countersign/protocol/vault/credential';

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

const bytes = (given: Uint8Array): ArrayBuffer => new Uint8Array(given).buffer;

/** `sealed_data` for the enclave whose `sealPublicKey` this is (RFC 9180): base64 of enc ‖ ciphertext. */
export async function sealFor(sealPublicKey: string, plaintext: object): Promise<string> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(
    bytes(Buffer.from(sealPublicKey, 'base64')),
  );
  const info = bytes(Buffer.from(sealInfo));
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info },
    bytes(Buffer.from(JSON.stringify(plaintext))),
  );
  return Buffer.concat([Buffer.from(enc), Buffer.from(ct)]).toString('base64');
}
