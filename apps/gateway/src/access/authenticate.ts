import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller.ts';
import type { TokenVerdict } from './tokens.ts';

/** Who calls; `none`: no token was shown that could be one. */
export type Authenticated = TokenVerdict | 'none';

type Judge = (tokenHash: string) => TokenVerdict | Promise<TokenVerdict>;

/**
 * Finds out who calls by the bearer token. Tokens are kept and compared as hashes, so that no comparison tells a prefix.
 * Tokens of the configuration are for machines; `judge` knows those of connected clients, and is null without OAuth.
 */
export function authenticator(
  tokens: ReadonlyMap<string, string>,
  judge: Judge | null,
): (request: IncomingMessage) => Authenticated | Promise<Authenticated> {
  const machines = new Map<string, Caller>(
    [...tokens].map(([token, name]) => [digest(token), { name, scopes: 'all' }]),
  );
  const isOpen = machines.size === 0 && judge === null;
  return ({ headers }) => {
    if (isOpen) return anybody;
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return 'none';
    const hash = digest(token);
    const machine = machines.get(hash);
    if (machine !== undefined) return machine;
    // Access tokens have 256 random bits: anything else need not be asked about.
    return judge !== null && /^[\w-]{43}$/.test(token) ? judge(hash) : 'unknown';
  };
}

const anybody: Caller = { name: null, scopes: 'all' };

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
