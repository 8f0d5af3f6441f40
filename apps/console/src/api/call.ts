import { dashboardCodes } from '@countersign/protocol/dashboard/codes';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AnswerOf, Endpoint, InputOf } from './endpoint.ts';
import { codeName, type Problem } from './problem.ts';

export type AnyInput = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
};

const holds = new Set<Promise<void>>();

/** From now on calls with a signal wait until what it gives is called; one that is aborted meanwhile is never sent. */
export function holdQueries(): () => void {
  let release = (): void => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  holds.add(hold);
  return () => {
    holds.delete(hold);
    release();
  };
}

async function whenReleased(): Promise<void> {
  while (holds.size > 0) await Promise.all(holds);
}

/**
 * Calls an endpoint with the session's cookie; with a signal as a query does, which others can drop and hold. Never
 * throws: a refusal and a silence are values too.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<Result<AnswerOf<E>, Problem>> {
  const { path, request } = requestOf(endpoint, input as AnyInput);
  if (signal !== undefined) await whenReleased();
  try {
    return read(await fetch(path, { ...request, credentials: 'same-origin', signal: signal ?? null }));
  } catch {
    return fail({ kind: 'unreachable', service: 'dashboard' });
  }
}

/** Returns the request for an endpoint: its path with the query, and the options of `fetch`. */
export function requestOf(endpoint: string, { params, query, body }: AnyInput) {
  const [method = '', path = ''] = endpoint.split(' ');
  const sent =
    method === 'GET'
      ? { headers: {} }
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  return { path: fillPath(path, params) + queryText(query), request: { method, ...sent } };
}

async function read<T>(response: Response): Promise<Result<T, Problem>> {
  const requestId = response.headers.get('x-request-id');
  const envelope: unknown = await response.json().catch(() => null);
  if (!isEnvelope(envelope)) return fail({ kind: 'malformed', service: 'dashboard', requestId });
  if (envelope.code === dashboardCodes.SUCCESS.code) return ok(envelope.data as T);
  const { code, msg, data } = envelope;
  return fail({ kind: 'refused', code: codeName(code), msg, data, requestId });
}

const isEnvelope = (value: unknown): value is { code: number; msg: string; data: unknown } =>
  typeof value === 'object' && value !== null && 'code' in value && 'msg' in value && 'data' in value;

const fillPath = (path: string, params: AnyInput['params']): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));

/** A query as it stands in an address, with its question mark. */
export function queryText(query: object | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) pairs.append(name, String(value));
  }
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}
