import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { accessTokenReader, type Claims, type Purpose, readToken } from './claims.ts';

/** Keys of tokens that count at a time. */
export type TokenKeys = {
  /** Under which tokens are made. */
  readonly newest: Buffer;
  /** The claims of a token that was made under any of them; null for any other text. */
  readonly read: (purpose: Purpose, token: string) => Claims | null;
};

const keyBytes = 32;

/**
 * The enclave's keys of tokens, asked for anew when those known are older than `maxAgeMs`; the same object as long as they
 * are the same. While the enclave is away those known hold.
 */
export function tokenKeys(enclave: Enclave, now: () => Date): (maxAgeMs: number) => Promise<TokenKeys> {
  let known: { readonly bytes: Buffer; readonly keys: TokenKeys; readonly at: number } | null = null;
  let asking: Promise<TokenKeys> | null = null;

  async function ask(): Promise<TokenKeys> {
    const answer = await enclave.call('tokenKey', {});
    if (!answer.ok) throw new EnclaveFailed('tokenKey', answer.error);
    const bytes = answer.value.body;
    const keys = known?.bytes.equals(bytes) === true ? known.keys : keysIn(bytes);
    known = { bytes, keys, at: now().getTime() };
    return keys;
  }

  return async (maxAgeMs) => {
    if (known !== null && now().getTime() - known.at < maxAgeMs) return known.keys;
    asking ??= ask().finally(() => {
      asking = null;
    });
    if (known === null) return asking;
    const { keys } = known;
    return asking.catch(() => keys);
  };
}

function keysIn(bytes: Buffer): TokenKeys {
  const keys = Array.from({ length: bytes.length / keyBytes }, (_, i) =>
    bytes.subarray(i * keyBytes, (i + 1) * keyBytes),
  );
  const [newest] = keys;
  if (newest === undefined) throw new Error('the enclave has no key of tokens');
  const readers = keys.map(accessTokenReader);
  return {
    newest,
    read: (purpose, token) => {
      for (const [i, key] of keys.entries()) {
        const claims = purpose === 'access' ? readers[i]?.(token) : readToken(key, purpose, token);
        if (claims) return claims;
      }
      return null;
    },
  };
}
