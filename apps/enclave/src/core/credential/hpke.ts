import { createECDH } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { sealInfo } from '@countersign/protocol/vault/credential';

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const info = new TextEncoder().encode(sealInfo);
/** An uncompressed point of P-256, which `enc` is. */
const pointBytes = 65;

/** Opens what clients seal to the enclave (RFC 9180, base mode). */
export type Unsealer = {
  /** Uncompressed, 65 bytes. */
  readonly publicKey: Buffer;
  /** Opens enc ‖ ciphertext; null if it was not sealed to this key. The caller wipes the result. */
  readonly unseal: (sealed: Uint8Array) => Promise<Buffer | null>;
};

/** `scalar` has 32 bytes. */
export async function unsealer(scalar: Buffer): Promise<Unsealer> {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(scalar);
  const recipientKey = await suite.kem.deserializePrivateKey(exactly(scalar));
  return {
    publicKey: ecdh.getPublicKey(),
    unseal: async (sealed) => {
      try {
        const enc = exactly(sealed.subarray(0, pointBytes));
        const opened = await suite.open({ recipientKey, enc, info }, exactly(sealed.subarray(pointBytes)));
        return Buffer.from(opened);
      } catch {
        return null;
      }
    },
  };
}

/** Opens what was sealed to any key that counts; `publicKey` is the newest. */
export type Unsealers = Unsealer & {
  /** Goes by the keys as they are now. */
  readonly renew: () => Promise<void>;
};

export async function unsealers(keys: { readonly sealScalars: readonly Buffer[] }): Promise<Unsealers> {
  const open = async () => {
    const [newest, ...older] = await Promise.all(keys.sealScalars.map(unsealer));
    if (newest === undefined) throw new Error('there is no key to unseal with');
    return { newest, all: [newest, ...older] };
  };
  let now = await open();
  return {
    get publicKey() {
      return now.newest.publicKey;
    },
    unseal: async (sealed) => {
      for (const each of now.all) {
        const opened = await each.unseal(sealed);
        if (opened !== null) return opened;
      }
      return null;
    },
    renew: async () => {
      now = await open();
    },
  };
}

/** enc ‖ ciphertext to a public key of 65 bytes; null when it is none. */
export async function sealTo(publicKey: Uint8Array, plaintext: Uint8Array): Promise<Buffer | null> {
  const copy = exactly(plaintext);
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(exactly(publicKey));
    const { enc, ct } = await suite.seal({ recipientPublicKey, info }, copy);
    return Buffer.concat([new Uint8Array(enc), new Uint8Array(ct)]);
  } catch {
    return null;
  } finally {
    new Uint8Array(copy).fill(0);
  }
}

const exactly = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
