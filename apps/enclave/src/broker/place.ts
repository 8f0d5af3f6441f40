import type { Definition } from '@countersign/protocol/control/connector';
import { percentEncoded } from './percent-encoded.ts';
import { ownCopy } from '../credential/field.ts';
import { type HttpOperation, type SecurityScheme, securitySchemeOf } from '../connectors/http/operation.ts';

/** Where the credential stands in a request, and in which form. */
export type Place = {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: string;
  readonly form: 'plain' | 'base64';
};

/**
 * Where an operation wants it: null where nobody is asked who they are, or needs to be and there is no credential; `none`
 * where no way is one that we know.
 */
export function placeOf(
  definition: Definition<'http'>,
  { security }: HttpOperation,
  hasCredential: boolean,
): Place | null | 'none' {
  const isOpen = security.some((way) => Object.keys(way).length === 0);
  if (security.length === 0 || (isOpen && !hasCredential)) return null;
  // There is one credential: where two are wanted together, that is no way.
  for (const [name, ...others] of security.map(Object.keys)) {
    const scheme = name === undefined ? null : securitySchemeOf(definition, name);
    const place = scheme === null || others.length > 0 ? null : placeIn(scheme);
    if (place !== null) return place;
  }
  return isOpen ? null : 'none';
}

const bearer: Place = { in: 'header', name: 'authorization', prefix: 'Bearer ', form: 'plain' };

function placeIn(scheme: SecurityScheme): Place | null {
  switch (scheme.type) {
    case 'apiKey':
      return { in: scheme.in, name: scheme.name, prefix: '', form: 'plain' };
    case 'oauth2':
    case 'openIdConnect':
      return bearer;
    case 'http':
      if (/^bearer$/i.test(scheme.scheme)) return bearer;
      return /^basic$/i.test(scheme.scheme)
        ? { in: 'header', name: 'authorization', prefix: 'Basic ', form: 'base64' }
        : null;
  }
}

/** Of an `mcp-tool` connector. */
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

/** By hand, so that no text is made of it, which could not be wiped. */
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
