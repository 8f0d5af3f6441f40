import { chainNames } from './chains.ts';

/** A hash of an EVM chain with `0x` in front, which some leave out; any other as it is. Case stays: hashes compare without it. */
export const spelledHash = (chain: string, hash: string): string => hashesOn(chain, hash)[0];

/**
 * Returns the spellings of a hash: that of `spelledHash`, then the forms that earlier builds stored (bare
 * digits, or as reported).
 */
export const hashesOn = (chain: string, hash: string): readonly [spelled: string, ...former: string[]] =>
  chainNames(chain)[0].startsWith('eip155:') ? formsOf(hash) : [hash];

/** Every form under which the log may have this hash, in lower case. */
export const hashForms = (hash: string): readonly string[] => [
  ...new Set(formsOf(hash).map((form) => form.toLowerCase())),
];

function formsOf(hash: string): readonly [spelled: string, ...former: string[]] {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(hash.trim())?.[1];
  return digits === undefined ? [hash] : [`0x${digits}`, digits, hash];
}

/** USDC in another case or with blanks around it as it is spelled; any other token as it is. */
export const spelledToken = (symbol: string): string =>
  symbol.trim().toUpperCase() === 'USDC' ? 'USDC' : symbol;
