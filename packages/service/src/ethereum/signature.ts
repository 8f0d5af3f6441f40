import { type Address, parseAddress } from '@countersign/protocol/address';
import { keccak256 } from './keccak.ts';
import { secp256k1 } from './secp256k1.ts';

/** A well-formed ECDSA signature: 65 bytes, v 27 or 28, low s (EIP-2). */
type Signature = { readonly compact: Uint8Array; readonly recovery: number };

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Null for everything else: the high-s twin of a good signature, the 64-byte form, v of 0 or 1, trailing bytes. */
function parseSignature(text: string): Signature | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) return null;
  const v = Number.parseInt(text.slice(130), 16);
  if (v !== 27 && v !== 28) return null;
  if (BigInt(`0x${text.slice(66, 130)}`) > HALF_ORDER) return null;
  return { compact: Buffer.from(text.slice(2, 130), 'hex'), recovery: v - 27 };
}

/** Who signed `hash`: address and uncompressed public key (`0x04…`); null when the signature is none. */
export function recoverSigner(
  hash: Uint8Array,
  signature: string,
): { address: Address; publicKey: string } | null {
  const parsed = parseSignature(signature);
  if (parsed === null) return null;
  const publicKey = secp256k1.recover(hash, parsed.compact, parsed.recovery);
  if (publicKey === null) return null;
  return { address: addressOfBytes(publicKey), publicKey: `0x${Buffer.from(publicKey).toString('hex')}` };
}

/** Signs a hash: 65 bytes as hex, v 27 or 28, low s. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): `0x${string}` {
  const { compact, recovery } = secp256k1.sign(hash, privateKey);
  return `0x${Buffer.from(compact).toString('hex')}${recovery === 0 ? '1b' : '1c'}`;
}

/** The address of an uncompressed public key in hex (`0x04…`); null for any other text. */
export function addressOfPublicKey(publicKey: string): Address | null {
  if (!/^0x04[0-9a-fA-F]{128}$/.test(publicKey)) return null;
  return addressOfBytes(Buffer.from(publicKey.slice(2), 'hex'));
}

/** The address of a 32-byte private key. */
export function addressOfPrivateKey(privateKey: Uint8Array): Address {
  return addressOfBytes(secp256k1.publicKey(privateKey));
}

function addressOfBytes(publicKey: Uint8Array): Address {
  const hash = keccak256(publicKey.subarray(1));
  const address = parseAddress(`0x${Buffer.from(hash.subarray(12)).toString('hex')}`);
  if (address === null) throw new Error('keccak256 gave no 32 bytes');
  return address;
}
