import { allowsUrl, parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import { z } from 'zod';
import { isUrl, parseUrl } from '@countersign/protocol/url';

/** A URL as the record keeps it: query and fragment only by their length, since they may hold anything. */
export const address = z.strictObject({
  /** `https://host/path`; for other schemes the scheme alone, `javascript:`; empty for what is no URL. */
  url: z.string().max(4096),
  namesUser: z.boolean(),
  /** Characters of query and fragment. */
  data: z.int().min(0),
});
export type Address = z.infer<typeof address>;

/** Reads a URL as it stands on a page at `base`. */
export function addressOf(text: string, base?: string): Address {
  const url = parseUrl(text, base);
  if (url === null) return { url: '', namesUser: false, data: 0 };
  const web = /^(https?|wss?):$/.test(url.protocol);
  return {
    url: (web
      ? url.origin.replace(/^null$/, `${url.protocol}//${url.host}`) + url.pathname
      : url.protocol
    ).slice(0, 4096),
    namesUser: url.username !== '' || url.password !== '',
    data: url.search.length + url.hash.length,
  };
}

export const isInScope = (at: Address, allowedUrls: readonly string[]): boolean =>
  !at.namesUser && allowsUrl(parseAllowedUrls(allowedUrls), at.url);

export const hostOf = ({ url }: Address): string => (isUrl(url) ? new URL(url).hostname : '');
const schemeOf = ({ url }: Address): string => /^[a-z][a-z0-9+.-]*:/.exec(url)?.[0] ?? '';

export const isWeb = (at: Address): boolean => /^(https?|wss?):$/.test(schemeOf(at));
export const isDowngrade = (from: Address, to: Address): boolean =>
  schemeOf(from) === 'https:' && ['http:', 'ws:'].includes(schemeOf(to));

/**
 * The part of a host name that one owner registers, by a short rule instead of the public suffix list: two labels, or
 * three below a country's second level (`shop.co.uk`). An address is its own site.
 */
export function siteOf(at: Address): string {
  const host = hostOf(at);
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return host;
  const second = /\.(ac|co|com|edu|go|gov|gob|ne|net|nom|or|org)\.[a-z]{2}$/.test(host);
  return host
    .split('.')
    .slice(second ? -3 : -2)
    .join('.');
}

export const isCrossSite = (from: Address, to: Address): boolean => siteOf(from) !== siteOf(to);
