import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../config.ts';
import { isUrl } from '@countersign/protocol/url';

/** Why a request is turned away before it is read, or null. */
export type Refusal = { readonly status: 401 | 403; readonly message: string } | null;

/**
 * Host and Origin of a browser that was lured here by DNS rebinding name somebody else's site. On loopback
 * only loopback names pass, and the public one under which a proxy stands before the gateway (`publicHost`); elsewhere the
 * bearer token is what a lured browser does not have.
 */
export function checkOrigin(
  request: IncomingMessage,
  boundHost: string,
  publicHost: string | null = null,
): Refusal {
  const { host, origin } = request.headers;
  if (isLoopback(boundHost) && !isOurs(host ?? '', publicHost)) {
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

const isOurs = (host: string, publicHost: string | null): boolean =>
  loopbackHost.test(host) || host === publicHost;

const hostName = (url: string): string => (isUrl(url) ? new URL(url).hostname : '');
