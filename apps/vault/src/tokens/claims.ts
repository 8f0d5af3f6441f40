import { type Scope, scope } from '@countersign/protocol/vault/scopes';
import { decrypt, encrypt } from '@countersign/service/paseto';
import { z } from 'zod';

/** A token's claims. Times have whole seconds, as they are shown. */
export type Claims = {
  readonly jti: string;
  readonly sub: string;
  readonly tenant: string;
  readonly scope: readonly Scope[];
  readonly iat: Date;
  readonly exp: Date;
};

/** A refresh token opens nothing but new tokens, and an access token never counts as one. */
export type Purpose = 'access' | 'refresh';

const assertions: Readonly<Record<Purpose, Buffer>> = {
  access: Buffer.from('countersign-vault access'),
  refresh: Buffer.from('countersign-vault refresh'),
};

const time = z.iso.datetime().transform((text) => new Date(text));
const claims = z.object({
  jti: z.uuid(),
  sub: z.string(),
  tenant: z.string(),
  scope: z
    .string()
    .transform((text) => text.split(' '))
    .pipe(z.array(scope)),
  iat: time,
  exp: time,
});

/** Writes a token: PASETO v4.local under the key that the enclave keeps for it. */
export function writeToken(key: Uint8Array, purpose: Purpose, what: Claims, nonce: Uint8Array): string {
  const payload = { ...what, scope: what.scope.join(' ') };
  return encrypt(key, Buffer.from(JSON.stringify(payload)), nonce, { assertion: assertions[purpose] });
}

/** The claims of a token that was made with this key for this purpose, expired or not; null for any other text. */
export function readToken(key: Uint8Array, purpose: Purpose, token: string): Claims | null {
  const read = decrypt(key, token, assertions[purpose]);
  if (read === null) return null;
  // Nobody but us can have made it, yet an older version of us may have.
  const parsed = claims.safeParse(JSON.parse(read.payload.toString('utf8')));
  return parsed.success ? parsed.data : null;
}

/** So many texts are known before all are forgotten; only genuine ones get in. */
const maxKnown = 10_000;

/**
 * Reads access tokens: what a genuine text says it always says, so each is decrypted once. Whether it has expired or was
 * revoked is no part of that: it is asked at each use.
 */
export function accessTokenReader(key: Uint8Array): (token: string) => Claims | null {
  const known = new Map<string, Claims>();
  return (token) => {
    const before = known.get(token);
    if (before !== undefined) return before;
    const claims = readToken(key, 'access', token);
    if (claims === null) return null;
    if (known.size >= maxKnown) known.clear();
    known.set(token, claims);
    return claims;
  };
}
