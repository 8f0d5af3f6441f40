import type { Address } from '@countersign/protocol/address';

const limit = 4096;

/**
 * Remembers who signed what: recovery is a pure function of both texts. Bounded, so that a hostile service
 * cannot fill the memory. Never remember a status, an expiry or a budget this way.
 */
export function memoised(
  recover: (message: string, signature: string) => Address | null,
): (message: string, signature: string) => Address | null {
  const known = new Map<string, Address | null>();
  return (message, signature) => {
    const key = `${signature}\n${message}`;
    const hit = known.get(key);
    if (hit !== undefined) return hit;
    const signer = recover(message, signature);
    if (known.size >= limit) known.clear();
    known.set(key, signer);
    return signer;
  };
}
