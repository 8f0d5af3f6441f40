import type { KeyObject } from 'node:crypto';
import { publicKeyOf } from '@countersign/audit-log/keys';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const longest = 128;

/** Bytes of multibase base58btc (`z…`); null for anything else. */
export function readBase58(text: string): Buffer | null {
  if (!/^z[1-9A-HJ-NP-Za-km-z]+$/.test(text) || text.length > longest) return null;
  let number = 0n;
  for (const digit of text.slice(1)) number = number * 58n + BigInt(alphabet.indexOf(digit));
  const hex = number === 0n ? '' : number.toString(16);
  const zeros = /^1*/.exec(text.slice(1))?.[0].length ?? 0;
  return Buffer.from('00'.repeat(zeros) + (hex.length % 2 === 0 ? hex : `0${hex}`), 'hex');
}

const ed25519Prefix = Buffer.from([0xed, 0x01]);

/** The Ed25519 key that a did:key names (with or without a fragment); null for any other DID. */
export function keyOfDid(did: string): KeyObject | null {
  const [, name] = /^did:key:(z\w+)(?:#\1)?$/.exec(did) ?? [];
  const bytes = name === undefined ? null : readBase58(name);
  if (bytes?.length !== 34 || !bytes.subarray(0, 2).equals(ed25519Prefix)) return null;
  return publicKeyOf(bytes.subarray(2));
}
