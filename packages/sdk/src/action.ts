import { hash } from 'node:crypto';
import { readActionKey, readStatement } from '@countersign/audit-log/action-statement';
import { canonicalText } from '@countersign/audit-log/chain';
import { actionTokenRoutes } from '@countersign/protocol/control/action-token-routes';
import type { ControlCode } from '@countersign/protocol/control/codes';
import { controlDialect } from '@countersign/protocol/control/dialect';
import type { ActionClaims } from '@countersign/protocol/control/execution';
import type { DataOf } from '@countersign/protocol/route';
import { createClient } from '@countersign/service/client';

/**
 * What a service learns of a requested action. INVARIANT: it must perform an action only if it is `valid`.
 */
export type ActionVerdict<Reason extends string> =
  | { readonly valid: true; readonly claims: ActionClaims }
  | { readonly valid: false; readonly reason: Reason };

/** A header as Node gives it. */
type Header = string | readonly string[] | undefined;
type TokenProblem = NonNullable<DataOf<typeof actionTokenRoutes.verifyActionToken>['reason']>;

export type ActionTokensOptions = {
  /** Such as `https://127.0.0.1:4023`. */
  readonly url: string;
  /** PEM of the authority to believe in place of the public ones. */
  readonly ca?: string;
  /** Which service asks: tokens for another are `another_service`. */
  readonly service: string;
  /** Default 5 seconds. */
  readonly timeoutMs?: number;
};

export type ActionTokens = {
  /**
   * Asks the control plane about the header `countersign-action-token`, which needs no key. True once: during the request that
   * carries the token. `no_answer`: nobody can tell, and asking again will be answered `spent`.
   */
  readonly verifyActionToken: (
    token: Header,
  ) => Promise<ActionVerdict<TokenProblem | 'another_service' | 'no_answer'>>;
  readonly close: () => Promise<void>;
};

/**
 * Returns a verifier of the action tokens in a control plane's requests, for the services that receive them.
 */
export function connectActionTokens({
  url,
  ca,
  service,
  timeoutMs = 5_000,
}: ActionTokensOptions): ActionTokens {
  const options = { baseUrl: new URL(url), timeoutMs, tls: { ...(ca !== undefined && { ca }) } };
  const client = createClient<typeof actionTokenRoutes, ControlCode>(
    actionTokenRoutes,
    controlDialect,
    options,
  );
  return {
    close: client.close,
    async verifyActionToken(token) {
      if (typeof token !== 'string') return { valid: false, reason: 'malformed' };
      const answer = await client.verifyActionToken({ body: { token } });
      if (answer.kind !== 'ok') return { valid: false, reason: 'no_answer' };
      const { valid, reason, claims } = answer.data;
      if (!valid || claims === undefined) return { valid: false, reason: reason ?? 'no_answer' };
      return claims.aud === service ? { valid, claims } : { valid: false, reason: 'another_service' };
    },
  };
}

export type StatementOptions = {
  /** The enclave's key of statements, `k4.public.…`, from a source that you trust. */
  readonly publicKey: string;
  /** Which service checks. */
  readonly service: string;
  readonly now: Date;
};

/**
 * Checks the header `countersign-action-statement` and asks nobody. It may come again until `exp`: remember `jti` until then, and
 * refuse one that was there before. Throws where `publicKey` is no key.
 */
export function checkActionStatement(
  statement: Header,
  { publicKey, service, now }: StatementOptions,
): ActionVerdict<'not_signed' | 'expired' | 'another_service'> {
  const key = readActionKey(publicKey);
  if (key === null) throw new Error('publicKey must be an Ed25519 key in PASERK form: k4.public.…');
  const claims = typeof statement === 'string' ? readStatement(statement, key) : null;
  if (claims === null) return { valid: false, reason: 'not_signed' };
  if (Date.parse(claims.exp) <= now.getTime()) return { valid: false, reason: 'expired' };
  return claims.aud === service ? { valid: true, claims } : { valid: false, reason: 'another_service' };
}

/** `params_hash` of what a request asks for: SHA-256 of the RFC 8785 text of its params. Throws on what is no JSON. */
export const paramsHash = (params: Readonly<Record<string, unknown>>): string =>
  `sha256:${hash('sha256', canonicalText(params))}`;
