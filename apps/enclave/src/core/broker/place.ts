import type { Definition } from '@countersign/protocol/control/connector';
import type { Place } from '@countersign/protocol/control/openapi/place';
import { ownCopy } from '../credential/field.ts';
import { percentEncoded } from './percent-encoded.ts';

/** Returns where an `mcp-tool` connector's credential goes. */
export const placeInTool = ({ auth }: Definition<'mcp-tool'>): Place => ({
  in: 'header',
  name: auth.header,
  prefix: auth.prefix,
  form: 'plain',
});

/** The bytes that stand there, which the caller wipes; null when they would be no part of a header or a URL. */
export function bytesIn(place: Place, credential: Buffer): Buffer | null {
  if (place.form === 'base64') return base64(credential);
  if (place.in !== 'header') return percentEncoded(credential);
  return credential.every((byte) => byte >= 0x20 && byte !== 0x7f) ? ownCopy(credential) : null;
}

const signs = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

/** Encodes by hand. INVARIANT: the credential never becomes a string, which could not be wiped. */
function base64(bytes: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const four = [18, 12, 6, 0].map((shift) => signs[(three >> shift) & 63] ?? 0);
    const left = bytes.length - at;
    out.push(...four.map((sign, place) => (place > left ? 0x3d : sign)));
  }
  const encoded = ownCopy(Uint8Array.from(out));
  out.fill(0);
  return encoded;
}
