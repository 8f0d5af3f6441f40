import { randomBytes, randomUUID } from 'node:crypto';
import {
  type ActionTokenClaims,
  actionTokenClaims,
  actionTokenLifetimeMs,
} from '@countersign/protocol/control/execution';
import { decrypt, encrypt } from '@countersign/service/paseto';
import type { EnclaveKeys } from '../keys/enclave-keys.ts';
import { hkdf, withSecret } from '../keys/hkdf.ts';

export type TokenParts = {
  readonly keys: Pick<EnclaveKeys, 'tokenKey'>;
  /** Name of the audit log: who mints. */
  readonly origin: string;
  readonly measurement: string;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** The claims that the caller supplies. The enclave adds who minted the token, and its times. */
type Asked = Omit<ActionTokenClaims, 'jti' | 'iss' | 'iat' | 'exp' | 'tee_mrenclave'>;

/** A token for one run. The tenant is its implicit assertion: in another one it is not even read. */
export function mintToken(
  { keys, origin, measurement, now }: TokenParts,
  asked: Asked,
): { readonly token: string; readonly claims: ActionTokenClaims } {
  const at = now();
  const claims = {
    ...asked,
    jti: randomUUID(),
    iss: origin,
    iat: new Date(at).toISOString(),
    exp: new Date(at + actionTokenLifetimeMs).toISOString(),
    tee_mrenclave: measurement,
  };
  const bound = { assertion: Buffer.from(claims.sub.tenant) };
  const payload = Buffer.from(JSON.stringify(claims));
  const token = withSecret(tokenKey(keys), (key) => encrypt(key, payload, randomBytes(32), bound));
  return { token, claims };
}

/**
 * Returns the claims of a token that this enclave minted for this tenant, expired or not; null for any other
 * text.
 */
export function readToken(
  { keys, origin }: Pick<TokenParts, 'keys' | 'origin'>,
  tenantId: string,
  token: string,
): ActionTokenClaims | null {
  const read = withSecret(tokenKey(keys), (key) => decrypt(key, token, Buffer.from(tenantId)));
  if (read === null) return null;
  // Nobody but us can have made it, yet an older version of us may have.
  const { success, data } = actionTokenClaims.safeParse(JSON.parse(read.payload.toString('utf8')));
  return success && data.iss === origin && data.sub.tenant === tenantId ? data : null;
}

export const isExpired = ({ exp }: Pick<ActionTokenClaims, 'exp'>, now: number): boolean =>
  Date.parse(exp) <= now;

/** Another key than the vault's tokens have. */
const tokenKey = ({ tokenKey }: TokenParts['keys']): Buffer =>
  hkdf(tokenKey, 'countersign-control-v1/action-token');

/**
 * Returns the seed of the key that signs action statements, for services that verify offline. It lives as
 * long as the enclave's directory, as the token key does.
 */
export const actionSeed = ({ tokenKey }: TokenParts['keys']): Buffer =>
  hkdf(tokenKey, 'countersign-control-v1/action-statement');
