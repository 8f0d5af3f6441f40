import type { Scope } from '@countersign/protocol/vault/scopes';
import { Badge } from '../../ui/badge.tsx';
import { useNow } from '../../ui/time.tsx';
import type { VaultAnswer } from '../http.ts';

export type Token = VaultAnswer<'GET /api/v1/tokens'>['items'][number];
export type NewTokenAnswer = VaultAnswer<'POST /api/v1/tokens'>;

/** The text of each scope. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  'credential:use':
    'For agents: use credentials in browser sessions without ever seeing a secret, and read their metadata.',
  'credential:read':
    'View credentials, where they may be used, and the token’s own sessions. No secrets, and nothing is used.',
  'credential:decrypt':
    'Read secrets as plain text, and use them. For programs that must hold secrets, never for an agent.',
  'credential:send':
    'For gateways, never for an agent: have a credential sent in HTTP requests, wherever it may be used. A service may repeat it.',
  'credential:write': 'Create, change and delete credentials without seeing existing secrets.',
  'audit:read': 'Read the audit log: what everyone did.',
  admin: 'Everything above, plus everyone’s sessions and tokens.',
};

export const allScopes = Object.keys(scopeNames) as Scope[];

export function tokenState({ revoked_at, expires_at }: Token, now: number): 'live' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked';
  return Date.parse(expires_at) > now ? 'live' : 'expired';
}

const looks = {
  live: { tone: 'ok', name: 'Active' },
  revoked: { tone: 'plain', name: 'Revoked' },
  expired: { tone: 'plain', name: 'Expired' },
} as const;

/** Returns whether a token still opens anything. */
export function TokenState({ token }: { token: Token }) {
  const { tone, name } = looks[tokenState(token, useNow())];
  return <Badge tone={tone}>{name}</Badge>;
}

export function ScopeBadges({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'plain'}>
          {scope}
        </Badge>
      ))}
    </span>
  );
}
