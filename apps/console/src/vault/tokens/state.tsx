import type { Scope } from '@countersign/protocol/vault/scopes';
import { Badge } from '../../ui/badge.tsx';
import { useNow } from '../../ui/time.tsx';
import type { VaultAnswer } from '../http.ts';

export type Token = VaultAnswer<'GET /api/v1/tokens'>['items'][number];
export type NewTokenAnswer = VaultAnswer<'POST /api/v1/tokens'>;

/** What each scope allows, in words. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  'credential:read': 'See what is known about credentials, never their secrets',
  'credential:use': 'Use credentials in browser sessions without ever seeing them: what an agent needs',
  'credential:write': 'Keep and delete credentials',
  'credential:decrypt': 'See the secrets themselves, and use credentials: nothing for an agent',
  'audit:read': 'Read the audit log',
  admin: 'Everything',
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

/** Whether a token still opens anything. */
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
