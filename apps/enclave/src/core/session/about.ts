import type { sessionCommands } from '@countersign/protocol/enclave/session-commands';
import { parseAllowedUrls, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { z } from 'zod';

export type OpenRequest = z.output<(typeof sessionCommands)['session.open']['request']>;
export type SessionCredential = OpenRequest['credentials'][number];
export type MaskWith = OpenRequest['maskWith'];

/** The parameters with which a session was opened. They never change. */
export type About = Omit<OpenRequest, 'maskWith' | 'isExpected'> & {
  readonly patterns: readonly UrlPattern[];
};

/** Most bytes of all patterns together: they stand in each record of a review. */
const maxScopeBytes = 16_384;

/** Null for patterns that cannot be read, and for more than records have room for. */
export function readAbout(request: Omit<OpenRequest, 'maskWith' | 'isExpected'>): About | null {
  const lists = [request.allowedUrls, ...request.credentials.map(({ allowedUrls }) => allowedUrls)];
  const isReadable = lists.every((list) => parseAllowedUrls(list).length === list.length);
  const fits = Buffer.byteLength(lists.flat().join('')) <= maxScopeBytes;
  return isReadable && fits ? { ...request, patterns: parseAllowedUrls(request.allowedUrls) } : null;
}

/** The credential that a placeholder means: the one that is named, else the only one. */
export const credentialMeant = (
  { credentials }: About,
  named: string | undefined,
): SessionCredential | null =>
  (named === undefined
    ? credentials.length === 1 && credentials[0]
    : credentials.find(({ credentialId }) => credentialId === named)) || null;
