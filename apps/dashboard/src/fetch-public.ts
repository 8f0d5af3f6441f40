import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** A server's answer; a redirect is an answer like any other. */
export type PublicAnswer = {
  readonly status: number;
  /** Read as UTF-8. */
  readonly text: string;
  readonly location: string | null;
};

/** Gets an https URL of a stranger, until it is told to stop. Rejects without words of its server. */
export type FetchPublic = (url: string, stopping?: AbortSignal) => Promise<PublicAnswer>;

export type PublicLimits = {
  readonly maxBytes: number;
  readonly patienceMs: number;
  /** Our User-Agent. */
  readonly userAgent: string;
};

/** Only for tests: a server on this machine that stands in for the internet. */
export type TestNetwork = {
  readonly allowPrivate?: boolean;
  readonly ca?: string;
  readonly port?: number;
  readonly lookup?: LookupFunction;
};

/**
 * The address is checked as it is connected to, so that no name and no second look-up leads inside (a private, loopback,
 * link-local or reserved address is not connected to).
 */
export function publicFetcher(
  { maxBytes, patienceMs, userAgent }: PublicLimits,
  { allowPrivate = false, ca, port, lookup }: TestNetwork = {},
): FetchPublic {
  const filter = { allowPrivateIPAddress: allowPrivate, allowMetaIPAddress: allowPrivate };
  const agent = new RequestFilteringHttpsAgent({ ...filter, ...(ca !== undefined && { ca }) });
  return (url, stopping) =>
    new Promise((resolve, reject) => {
      const sent = request(url, {
        agent,
        signal: untilOr(patienceMs, stopping),
        headers: { accept: 'application/json', 'user-agent': userAgent },
        ...(port !== undefined && { port }),
        ...(lookup !== undefined && { lookup }),
      });
      sent.on('error', () => reject(new Error('the document could not be fetched')));
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > maxBytes) response.destroy(new Error('too large'));
        });
        response.on('error', () => reject(new Error('the document could not be read')));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            location: response.headers.location ?? null,
          }),
        );
      });
      sent.end();
    });
}

const untilOr = (ms: number, stopping: AbortSignal | undefined): AbortSignal =>
  stopping === undefined ? AbortSignal.timeout(ms) : AbortSignal.any([AbortSignal.timeout(ms), stopping]);
