import { type FetchPublic, publicFetcher, type TestNetwork } from '../fetch-public.ts';
import { readClientMetadata } from './client-metadata.ts';

/** Gets a client's metadata document (draft-ietf-oauth-client-id-metadata-document). Rejects without words of its server. */
export type FetchDocument = (url: string) => Promise<{ readonly status: number; readonly text: string }>;

const limits = { maxBytes: 5 * 1024, patienceMs: 3_000, userAgent: 'countersign-oauth' };

/** At most 5 KiB within 3 s, of public addresses alone; redirects are answers like any other. */
export const documentFetcher = (network?: TestNetwork): FetchPublic => publicFetcher(limits, network);

/**
 * How long a document that failed to load is not requested again, in milliseconds: one request may need it
 * several times.
 */
const restMs = 30_000;
const maxResting = 1_000;
/** So many documents are fetched at once, whoever asks. */
const maxInFlight = 8;

/** Gives oidc-provider what we keep of a document, or an answer that it refuses. Never rejects. */
export function documentReader(
  fetchDocument: FetchDocument,
  now: () => Date,
): (url: string) => Promise<Response> {
  const resting = new Map<string, number>();
  let inFlight = 0;
  return async (url) => {
    if ((resting.get(url) ?? 0) > now().getTime()) return unreadable();
    resting.delete(url);
    if (inFlight >= maxInFlight) return unreadable();
    inFlight += 1;
    const metadata = await read(fetchDocument, url).finally(() => (inFlight -= 1));
    if (metadata !== null) return Response.json(metadata);
    if (resting.size >= maxResting) resting.clear();
    resting.set(url, now().getTime() + restMs);
    return unreadable();
  };
}

const unreadable = (): Response => new Response(null, { status: 404 });

async function read(fetchDocument: FetchDocument, url: string): Promise<object | null> {
  const { status, text } = await fetchDocument(url).catch(() => ({ status: 0, text: '' }));
  const document: unknown = status === 200 ? parse(text) : null;
  if (!isObject(document) || document['client_id'] !== url) return null;
  const metadata = readClientMetadata(document);
  return metadata.ok ? { client_id: url, ...metadata.value } : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
