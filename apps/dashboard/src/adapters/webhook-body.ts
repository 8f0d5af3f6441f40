import { timingSafeEqual } from 'node:crypto';

/** Returns whether a text is this digest in hex. How long that takes says nothing of where they differ. */
export function isDigest(hex: string | null, expected: Buffer): boolean {
  const sent = Buffer.from(hex ?? '', 'hex');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** Undefined for what is no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
