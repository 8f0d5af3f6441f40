import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../config.ts';

/** Why a request is turned away before it is read, or null. */
export type Refusal = { readonly status: 401 | 403; readonly message: string } | null;

/**
 * Host and Origin of a browser that was lured here by DNS rebinding name somebody else's site. On loopback
 * only loopback names pass; elsewhere the bearer token is what a lured browser does not have.
 */
export function checkOrigin(request: IncomingMessage, boundHost: string): Refusal {
  const { host, origin } = request.headers;
  if (isLoopback(boundHost) && !loopbackHost.test(host ?? '')) {
    return { status: 403, message: 'This Host is not allowed: the gateway answers to loopback names only.' };
  }
  if (origin === undefined) return null;
  const from = hostName(origin);
  const ownName = hostName(`http://${host ?? ''}`);
  if (isLoopback(from) || (!isLoopback(boundHost) && from !== '' && from === ownName)) return null;
  return { status: 403, message: 'This Origin is not allowed.' };
}

/** A Host header with or without port. Parsing it as a URL would cost ten times as much, on every request. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

const hostName = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

export type Authenticated = { readonly ok: true; readonly agent: string | null } | { readonly ok: false };

/** Checks the bearer token. Tokens are kept and compared as hashes, so that no comparison tells a prefix. */
export function bearerCheck(
  tokens: ReadonlyMap<string, string>,
): (request: IncomingMessage) => Authenticated {
  const agents = new Map([...tokens].map(([token, agent]) => [digest(token), agent]));
  return (request) => {
    if (agents.size === 0) return { ok: true, agent: null };
    const match = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '');
    const agent = match === null ? undefined : agents.get(digest(match[1] ?? ''));
    return agent === undefined ? { ok: false } : { ok: true, agent };
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
