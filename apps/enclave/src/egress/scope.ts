import { isIP } from 'node:net';
import { isUrl } from '@countersign/protocol/url';
import { allowsConnection, allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Refused } from '../channel/browser-host.ts';
import type { Opening } from './client-hello.ts';

export type Target = { readonly host: string; readonly port: number };

/** Reads `host:port` of a CONNECT; null when it is none. IPv6 stands in brackets, as in URLs. */
export function readAuthority(text: string): Target | null {
  const parts = /^(?<host>\[[0-9a-f:.]+\]|[^\s:/@\\[\]]+):(?<port>\d{1,5})$/i.exec(text)?.groups;
  if (parts === undefined) return null;
  return { host: (parts['host'] ?? '').toLowerCase(), port: Number(parts['port']) };
}

/** Returns the target of an absolute `http:` URL; null if it is not one. */
export function readHttpUrl(text: string): (Target & { readonly path: string }) | null {
  if (!isUrl(text)) return null;
  const { protocol, hostname, port, pathname, search, username, password } = new URL(text);
  if (protocol !== 'http:' || username !== '' || password !== '') return null;
  return { host: hostname, port: Number(port || 80), path: pathname + search };
}

/** Returns whether any connection to the target may be made. */
export const allowsTarget = (scope: readonly UrlPattern[], { host, port }: Target): boolean =>
  allowsConnection(scope, host, port);

/**
 * Returns whether the URL is in scope. Without TLS the whole URL is visible, so that its path counts as well.
 */
export const allowsHttpUrl = (scope: readonly UrlPattern[], url: string): boolean => allowsUrl(scope, url);

/**
 * Returns whether a connection that opens like this may go on: TLS names the very host, and clear text is for
 * `http:` alone.
 */
export function allowsOpening(scope: readonly UrlPattern[], target: Target, opening: Opening): boolean {
  const under = (scheme: UrlPattern['scheme']) =>
    allowsTarget(
      scope.filter((one) => one.scheme === scheme),
      target,
    );
  if (opening.kind !== 'tls') return opening.kind === 'other' && under('http:');
  const isLiteral = isIP(target.host) !== 0 || target.host.startsWith('[');
  return under('https:') && opening.serverName === (isLiteral ? null : target.host);
}

/** Returns the target of a refused connection, shortened so that it fits a log line. */
export const refusedTarget = (target: Target | null): Refused => ({
  host: (target?.host ?? 'unreadable').slice(0, 255).replace(/[^\x21-\x7e]/g, '?'),
  port: target?.port ?? 0,
});
