import type { Envelope } from '@countersign/protocol/enclave/credential-parts';

/** An envelope as a row keeps it. */
export type EnvelopeRow = {
  readonly root: number;
  readonly salt: Buffer;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
};

/** The envelope as the enclave wants it. */
export const envelopeOf = ({ root, salt, nonce, ciphertext }: EnvelopeRow): Envelope => ({
  root,
  salt: salt.toString('base64'),
  nonce: nonce.toString('base64'),
  ciphertext: ciphertext.toString('base64'),
});

/** The envelope as columns take it: root, salt, nonce, ciphertext. */
export const bytesOf = ({ root, salt, nonce, ciphertext }: Envelope) =>
  [root, ...[salt, nonce, ciphertext].map((text) => Buffer.from(text, 'base64'))] as const;
