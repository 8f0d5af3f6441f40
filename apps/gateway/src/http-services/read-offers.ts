import { deadlineIn } from '@countersign/service/deadline';
import { httpError, HttpTransportError } from '../downstream/posted-request.ts';
import { type Offer, offerOf } from './endpoint.ts';
import type { Host } from './host.ts';
import type { DocumentReader } from './documents/read-text.ts';
import type { Answer, Limit } from './ask.ts';
import type { Prepared } from './operation.ts';
import { requirementOf } from './payment-headers.ts';
import { answerLimit, isEncoded } from './read-answer.ts';
import type { DocumentSetting, EndpointSetting, HttpServiceSetting } from './settings.ts';

export type Offers = {
  readonly offers: readonly Offer[];
  readonly leftOut: number;
  /** Origins of operations that are left out because they are there. */
  readonly elsewhere: readonly string[];
  readonly name: string | null;
  readonly instructions: string | null;
};

/** Larger documents describe more operations than are listed. */
const maxDocumentBytes = 4 * 1024 * 1024;
const documentLimit: Limit = () => maxDocumentBytes;

/**
 * Returns a service's offers, from its document or from its endpoint's response. Throws if neither has any.
 */
export const readOffers = (
  setting: HttpServiceSetting,
  host: Host,
  timeoutMs: number,
  readDocument: DocumentReader,
): Promise<Offers> =>
  setting.kind === 'openapi'
    ? fromDocument(setting, host, timeoutMs, readDocument)
    : fromEndpoint(setting, host, timeoutMs);

async function fromDocument(
  { url, server, credential }: DocumentSetting,
  host: Host,
  timeoutMs: number,
  readDocument: DocumentReader,
): Promise<Offers> {
  const path = url.pathname + url.search;
  const answer = await get(host, { method: 'GET', path }, documentLimit, timeoutMs);
  if (answer.status !== 200) throw httpError(answer.status, false, answer.headers);
  if (answer.cut !== null) throw nonsense('the OpenAPI document is too large, or ended early');
  if (isEncoded(answer.headers)) throw nonsense('the OpenAPI document is compressed, which nobody asked for');
  const read = await readDocument({
    bytes: answer.body,
    from: url.href,
    server: server?.href ?? null,
    taken: Object.keys(credential?.headers ?? {}),
  });
  if (!('why' in read)) return read;
  if (read.why === 'no-document')
    throw nonsense('the service answered no OpenAPI 3 document in JSON or YAML');
  if (read.why === 'too-costly') throw nonsense('the OpenAPI document takes too much time or memory to read');
  throw new HttpTransportError(
    300,
    'the OpenAPI document has its operations on another host: name it as "server" in HTTP_SERVICES',
    { headers: { location: read.origin } },
  );
}

/** Only a GET without arguments that the owner told is asked: what is posted is a call, and the service may do it for nothing. */
async function fromEndpoint(setting: EndpointSetting, host: Host, timeoutMs: number): Promise<Offers> {
  const isAsked = setting.method === 'GET' && setting.inputSchema === null;
  const requirement = isAsked ? await askEndpoint(setting, host, timeoutMs) : undefined;
  const offer = offerOf(setting, requirement);
  const offers = offer === null ? [] : [offer];
  return { offers, leftOut: 1 - offers.length, elsewhere: [], name: null, instructions: null };
}

/** Asked once without arguments and payment. It may say that they are missing; then they are not known. */
async function askEndpoint(
  { url, method }: EndpointSetting,
  host: Host,
  timeoutMs: number,
): Promise<unknown> {
  const answer = await get(host, { method, path: url.pathname + url.search }, answerLimit, timeoutMs);
  const { status, headers, body, cut } = answer;
  if (status === 402) return requirementOf(headers, cut === null ? body : Buffer.alloc(0));
  if (status >= 300 && status !== 400 && status !== 422) throw httpError(status, false, headers);
  return undefined;
}

async function get(
  host: Host,
  request: Pick<Prepared, 'method' | 'path'>,
  limit: Limit,
  timeoutMs: number,
): Promise<Answer> {
  const deadline = deadlineIn(timeoutMs);
  try {
    const { answer } = await host.ask({ ...request, headers: {}, body: null }, deadline.signal, limit);
    return answer;
  } finally {
    deadline.end();
  }
}

const nonsense = (message: string) => new HttpTransportError(200, message);
