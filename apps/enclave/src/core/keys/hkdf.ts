import { createHmac } from 'node:crypto';

const noSalt = Buffer.alloc(32);

/**
 * HKDF-SHA256 (RFC 5869) with an output of 32 bytes. Made of HMACs, because Node's own HKDF leaves a copy of `secret`
 * in memory. The caller wipes what it gets.
 */
export function hkdf(secret: Uint8Array, info: string, salt: Uint8Array = noSalt): Buffer {
  const extracted = createHmac('sha256', salt).update(secret).digest();
  try {
    return createHmac('sha256', extracted).update(info).update(one).digest();
  } finally {
    extracted.fill(0);
  }
}

const one = Buffer.from([1]);

/** Gives a secret to `use`, and wipes it whatever happens. */
export function withSecret<T>(secret: Buffer, use: (secret: Buffer) => T): T {
  try {
    return use(secret);
  } finally {
    secret.fill(0);
  }
}
