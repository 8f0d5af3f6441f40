import { fail, ok, type Result } from '@countersign/protocol/result';
import { z } from 'zod';
import type { Unavailable } from '../screening/ports.ts';

export type VendorRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these very bytes, because some vendors want them signed. */
  readonly body?: string;
  /** HTTP statuses whose JSON means something; 200 alone if absent. */
  readonly statuses?: readonly number[];
};

export type VendorAnswer = {
  readonly kind: 'answered';
  readonly status: number;
  readonly json: unknown;
  readonly raw: string;
  readonly requestId: string | null;
};

const maxAnswerBytes = 2 * 1024 * 1024;

/**
 * One exchange with a vendor: at most one more try when the network failed before any answer, never a redirect.
 * What is no whole JSON text of an expected status is `unavailable`, whatever it looks like.
 */
export async function askVendor(
  request: VendorRequest,
  signal: AbortSignal,
): Promise<VendorAnswer | Unavailable> {
  const response = await send(request, signal, 1);
  if (response === null) return unanswered(signal);
  const raw = await readText(response);
  if (raw === null && signal.aborted) return unanswered(signal);
  const { status, headers } = response;
  if (!(request.statuses ?? [200]).includes(status)) return refused(status, headers, raw);
  const json = raw === null ? undefined : parseJson(raw);
  if (raw === null || json === undefined) return malformed(`HTTP ${status} without one whole JSON text`, raw);
  return { kind: 'answered', status, json, raw, requestId: requestIdOf(headers) };
}

/** Null when no answer came. */
async function send(request: VendorRequest, signal: AbortSignal, retries: number): Promise<Response | null> {
  const { method, url, headers, body } = request;
  try {
    const options = { method, headers: { accept: 'application/json', ...headers }, signal };
    return await fetch(url, { ...options, redirect: 'manual', ...(body !== undefined && { body }) });
  } catch {
    return retries > 0 && !signal.aborted ? send(request, signal, retries - 1) : null;
  }
}

/** Null when it is cut off, larger than any answer or not UTF-8. */
async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxAnswerBytes) return null;
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function unanswered(signal: AbortSignal): Unavailable {
  return signal.aborted
    ? { kind: 'unavailable', why: 'timeout', detail: 'no whole answer in time', raw: null }
    : { kind: 'unavailable', why: 'unreachable', detail: 'no connection', raw: null };
}

function refused(status: number, headers: Headers, raw: string | null): Unavailable {
  const detail = `HTTP ${status}`;
  if (status === 401 || status === 403) return { kind: 'unavailable', why: 'unauthorized', detail, raw };
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
  return {
    kind: 'unavailable',
    why: 'http',
    detail,
    raw,
    ...(seconds !== undefined && { retryAfterMs: Number(seconds) * 1000 }),
  };
}

export const malformed = (detail: string, raw: string | null): Unavailable => ({
  kind: 'unavailable',
  why: 'malformed',
  detail,
  raw,
});

const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id'];

function requestIdOf(headers: Headers): string | null {
  const sent = requestIdHeaders.map((name) => headers.get(name)).find((value) => value !== null);
  return sent !== undefined && sent !== null && /^[\w.:-]{1,128}$/.test(sent) ? sent : null;
}

/** Reads an answer by its documented shape: more fields are fine, other types or unknown words are not. */
export function readAnswer<S extends z.ZodType>(
  schema: S,
  { json, raw }: VendorAnswer,
): Result<z.output<S>, Unavailable> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const where = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  return fail(malformed(`the answer is not as documented at "${where}"`, raw));
}

/** A page that we may send a person to. */
export const pageUrl = z.url({ protocol: /^https$/ });

/** An endpoint below a base URL, whose own path stays. */
export const below = (base: URL, path: string): URL => new URL(base.href.replace(/\/$/, '') + path);
