import { dashboardCodes } from '@countersign/protocol/dashboard/codes';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { AnswerOf, Endpoint, InputOf } from './endpoint.ts';
import { codeName, type Problem } from './problem.ts';

export type AnyInput = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
};

/** Calls an endpoint with the session's cookie. Never throws: a refusal and a silence are values too. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<Result<AnswerOf<E>, Problem>> {
  const { path, request } = requestOf(endpoint, input as AnyInput);
  try {
    return read(await fetch(path, { ...request, credentials: 'same-origin', signal: signal ?? null }));
  } catch {
    return fail({ kind: 'unreachable', service: 'dashboard' });
  }
}

/** How an endpoint is asked: by its path, with its query, and what else `fetch` wants. */
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
  return fail({ kind: 'refused', code: codeName(envelope.code), msg: envelope.msg, requestId });
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
