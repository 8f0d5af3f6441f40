import { z } from 'zod';
import { type PatternFault, parseUrlPattern, type UrlPattern } from './url-scope.ts';

/** To people and agents: how to write what is no pattern yet. */
const howToWrite = {
  'no-origin':
    'must be an http or https origin with an optional path prefix, like https://shop.example/account/*',
  'user-name': 'must not contain a user name: leave out everything before @',
  'other-owners':
    'has a wildcard that covers hosts of different owners: name the site, like https://*.shop.example',
  'path-without-star': 'must have a path that ends in /* (everything below it), like /account/*',
  'star-inside-path': 'may contain * in its path only at the end',
  'path-spelling':
    'must have a normalized path: no . or .., no // or ;, no encoded ASCII letters, and non-ASCII characters encoded',
  'wildcard-inside-host': 'may have a wildcard only as the leftmost label, like https://*.shop.example',
  'no-host': 'must name a host and a port that exist',
  'host-spelling':
    'must have a normalized host: no encoded letters, no trailing dot, and addresses in their usual form',
} as const satisfies Record<PatternFault, string>;

/** The one spelling of a pattern. */
export const formatUrlPattern = ({ scheme, host, wildcard, port, pathPrefix }: UrlPattern): string =>
  `${scheme}//${wildcard ? '*.' : ''}${host}${port === '' ? '' : `:${port}`}${pathPrefix === '/' ? '' : `${pathPrefix}*`}`;

const urlPattern = z
  .string()
  .max(2048)
  .transform((text, context) => {
    const pattern = parseUrlPattern(text);
    if (pattern.ok) return formatUrlPattern(pattern.value);
    context.addIssue({ code: 'custom', message: howToWrite[pattern.error] });
    return z.NEVER;
  });

/** Schema of `allowed_urls` on the wire: each in its one spelling. */
export const urlPatterns = z.array(urlPattern).max(64);
/** At least one of them. */
export const allowedUrls = urlPatterns.min(1);
