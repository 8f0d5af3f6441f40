import type { IncomingHttpHeaders } from 'node:http';
import { faultOf } from '../downstream/failure.ts';
import { httpError, maxAnswerBytes, secondsIn } from '../downstream/posted-request.ts';
import type { ReadResult } from '../downstream/read-result.ts';
import { plain } from '../downstream/tool-list.ts';
import type { CallOutcome } from '../rules/call-outcome.ts';
import type { Answer, Limit } from './ask.ts';
import { demandIn, requirementOf, settlementOf } from './payment-headers.ts';

/** Maximum size of the body of a 402 or an error. */
const maxAsideBytes = 256 * 1024;

/** A result may be as large as one of an MCP service. */
export const answerLimit: Limit = (status) => (status >= 300 ? maxAsideBytes : maxAnswerBytes);

/** The service is not well, or asks for patience: another try may do. Every other error is the tool's answer. */
const isPassing = (status: number): boolean => status === 429 || (status >= 502 && status <= 504);

/** How a response is read: the payment that was sent, and the clock for challenges, if they are read. */
export type Reading = { readonly paid: object | null; readonly challengesAt: (() => number) | null };

/**
 * Returns whether there is something to read: a result that was cut is none, unless it is a stream or says
 * that money has moved.
 */
export const isReadable = (answer: Answer, paid: object | null): boolean =>
  answer.cut === null ||
  answer.status >= 400 ||
  isStream(answer.headers) ||
  settlementOf(answer.headers, paid) !== undefined;

/** Tells a result from a demand for money. `address` names what was asked, without its query. */
export function readAnswer(answer: Answer, address: string, reading: Reading): ReadResult {
  const outcome = outcomeOf(answer, address, reading);
  return { outcome, asksIn: outcome.kind === 'payment-required' ? 'specified' : null };
}

function outcomeOf(answer: Answer, address: string, reading: Reading): CallOutcome {
  const settlement = settlementOf(answer.headers, reading.paid);
  if (answer.status === 402) return demandOf(answer, settlement, reading);
  const whyNone = settlement === undefined ? withoutResult(answer, reading) : null;
  if (whyNone !== null) return whyNone;
  const { status, headers, cut } = answer;
  const isError = status >= 300;
  const retryAfter = isError ? secondsIn(headers['retry-after']) : null;
  const meta = {
    ...(isError && { httpStatus: status }),
    ...(retryAfter !== null && { retryAfter }),
    ...(cut !== null && !isError && { truncated: true }),
  };
  return {
    kind: 'result',
    isError,
    content: isError ? errorContent(answer) : contentOf(answer, address),
    meta: Object.keys(meta).length === 0 ? undefined : meta,
    settlement,
  };
}

/** Null for an answer that is the tool's own. One that tells of a settlement always is: money has moved. */
function withoutResult(answer: Answer, { paid }: Reading): CallOutcome | null {
  const { status, headers, cut } = answer;
  if (isPassing(status) || (status >= 300 && status < 400))
    return { kind: 'unavailable', failure: faultOf(httpError(status, false, headers)).failure };
  if (!isReadable(answer, paid))
    return { kind: 'protocol-error', why: cut === 'too-large' ? 'too-large' : 'ended' };
  return isEncoded(headers) ? { kind: 'protocol-error', why: 'encoded' } : null;
}

/**
 * Returns the price in a response; the header's if the body was cut off. A response with a settlement need
 * not ask again.
 */
function demandOf(
  { headers, body, cut }: Answer,
  settlement: unknown,
  { challengesAt, paid }: Reading,
): CallOutcome {
  const whole = cut === null ? body : Buffer.alloc(0);
  const requirement =
    challengesAt === null
      ? requirementOf(headers, whole)
      : demandIn(headers, whole, { receivedAt: challengesAt(), paid });
  if (requirement !== undefined) return { kind: 'payment-required', requirement, content: [], settlement };
  return settlement === undefined
    ? { kind: 'requirement-malformed', content: [] }
    : { kind: 'result', isError: true, content: [], settlement };
}

/** Nothing was asked to be compressed: what is nevertheless could unpack to any size. */
export const isEncoded = (headers: IncomingHttpHeaders): boolean => {
  // One that comes twice is a list, whatever its type says.
  const encoding: unknown = headers['content-encoding'];
  return encoding !== undefined && !(typeof encoding === 'string' && encoding.toLowerCase() === 'identity');
};

const isStream = (headers: IncomingHttpHeaders): boolean => typeOf(headers).startsWith('text/event-stream');

type Block = Readonly<Record<string, unknown>>;

/** The words of an error are shown as far as those of a description. */
const errorContent = ({ headers, body }: Answer): readonly Block[] =>
  isText(typeOf(headers), body) && body.length > 0
    ? [{ type: 'text', text: plain(decode(body, headers)) }]
    : [];

function contentOf({ headers, body }: Answer, address: string): readonly Block[] {
  if (body.length === 0) return [];
  const mimeType = typeOf(headers);
  if (isText(mimeType, body) && !isEncoded(headers)) return [{ type: 'text', text: decode(body, headers) }];
  const data = body.toString('base64');
  if (mimeType.startsWith('image/')) return [{ type: 'image', data, mimeType }];
  if (mimeType.startsWith('audio/')) return [{ type: 'audio', data, mimeType }];
  const named = mimeType === '' ? 'application/octet-stream' : mimeType;
  return [{ type: 'resource', resource: { uri: address, mimeType: named, blob: data } }];
}

/** Type and subtype in small letters; empty where the header makes no sense. */
const typeOf = (headers: IncomingHttpHeaders): string =>
  /^\s*([\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64})\s*(;|$)/
    .exec(headers['content-type'] ?? '')?.[1]
    ?.toLowerCase() ?? '';

const isText = (type: string, body: Buffer): boolean =>
  type === ''
    ? !body.includes(0)
    : /^text\/|[/+](json|xml|yaml)$|^application\/(x-)?(json|ndjson|jsonlines|yaml|javascript|x-www-form-urlencoded)/.test(
        type,
      );

function decode(body: Buffer, headers: IncomingHttpHeaders): string {
  const charset = /;\s*charset="?([\w-]{1,32})/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
