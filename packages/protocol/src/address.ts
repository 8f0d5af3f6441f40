import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';

/** An EVM address with its EIP-55 checksum. Two of them are the same account exactly when the texts are equal. */
export type Address = `0x${string}` & { readonly __brand: 'Address' };

const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Reads an address in any case. Mixed case must carry the right EIP-55 checksum: a wrong one is a typing
 * error, and gives null like everything else that is not an address.
 */
export function parseAddress(text: string): Address | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const address = readAddress(text);
  if (parsed.size >= rememberedAddresses) parsed.clear();
  parsed.set(text, address);
  return address;
}

/** The same few parties come again and again, and a checksum costs a hash. Bounded against whoever sends others. */
const parsed = new Map<string, Address | null>();
const rememberedAddresses = 4096;

function readAddress(text: string): Address | null {
  if (!HEX_ADDRESS.test(text)) return null;
  const lower = text.toLowerCase();
  const checksummed = checksum(lower);
  const body = text.slice(2);
  const oneCase = body === body.toLowerCase() || body === body.toUpperCase();
  return oneCase || text === checksummed ? checksummed : null;
}

export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** EIP-55, "Specification". */
function checksum(lower: string): Address {
  const digits = lower.slice(2);
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  let text = '0x';
  for (let i = 0; i < 40; i++)
    text += hash.charAt(i) >= '8' ? digits.charAt(i).toUpperCase() : digits.charAt(i);
  return text as Address;
}

/** Schema of an address on the wire: any case in, checksummed out. */
export const addressText = z
  .string()
  .transform((text, context) => {
    const address = parseAddress(text);
    if (address !== null) return address;
    context.addIssue({
      code: 'custom',
      message: 'must be a 0x-prefixed address of 40 hex digits with a valid EIP-55 checksum',
    });
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'] });
