import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';

/** A key that may sign a service's offers beside its payee: an address, or an Ed25519 key (32 bytes, hex). */
export type OfferSigner =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'ed25519'; readonly key: string };

/** A list of `service=key` pairs, of services that are judged elsewhere. A service may have several keys. */
export function readOfferSigners(value: string): Result<ReadonlyMap<string, readonly OfferSigner[]>, string> {
  const signers = new Map<string, readonly OfferSigner[]>();
  for (const part of value.split(',')) {
    const [service = '', text = ''] = part.split('=', 2).map((side) => side.trim());
    const signer = readOfferSigner(text);
    if (signer === null)
      return fail('must be service=key pairs; a key is an address or a did:key of Ed25519');
    signers.set(service, [...(signers.get(service) ?? []), signer]);
  }
  return ok(signers);
}

/** Reads an address or an Ed25519 `did:key`; null for any other text. */
export function readOfferSigner(text: string): OfferSigner | null {
  const address = parseAddress(text);
  if (address !== null) return { kind: 'address', address };
  const encoded = /^did:key:z([1-9A-HJ-NP-Za-km-z]{46,48})$/.exec(text)?.[1];
  const bytes = encoded === undefined ? null : fromBase58(encoded);
  return bytes?.length === 68 && bytes.startsWith(ed25519)
    ? { kind: 'ed25519', key: bytes.slice(ed25519.length) }
    : null;
}

/** The code of such a key (multicodec `0xed`, as a varint). */
const ed25519 = 'ed01';
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Hex. What begins with zeros is no key here. */
function fromBase58(text: string): string {
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character));
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}
