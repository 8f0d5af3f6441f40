import type { Dialect, Told } from './dialect.ts';
import type { Route } from './route.ts';

/** The result of a call; see the client's `Answer`. */
export type Outcome<T, Code extends string> =
  | { readonly kind: 'ok'; readonly data: T }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: Told<Code>;
      readonly msg: string;
      readonly data: unknown;
    }
  | { readonly kind: 'failed'; readonly why: 'timeout' | 'unreachable' | 'aborted' | 'malformed' };

/** Returns the request for a route: its path with parameters and query filled in, and its body. */
export function requestOf(
  route: Route,
  {
    params,
    query,
    body,
  }: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: object;
    readonly body?: object;
  },
  apiKey?: string,
): { readonly path: string; readonly body: string | null } {
  const path = fillPath(route.path, params) + queryText(query);
  if (route.method === 'GET') return { path, body: null };
  return { path, body: JSON.stringify(route.auth === 'api-key' ? { apiKey, ...body } : (body ?? {})) };
}

const fillPath = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    : path;

function queryText(query: object | undefined): string {
  if (query === undefined) return '';
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Judges an answer by its route and its API's dialect. What is neither success nor refusal there is malformed. */
export function readOutcome<Code extends string>(
  dialect: Dialect<Code, never>,
  route: Route,
  status: number,
  text: string,
): Outcome<unknown, Code> {
  const isGood = isSuccess(route, status);
  if (isGood && route.text !== undefined) return { kind: 'ok', data: text };
  const answer = parse(text);
  if (!isGood) {
    const refusal = dialect.readRefusal(answer);
    return refusal === null ? malformed : { kind: 'refused', status, ...refusal, data: refusal.data };
  }
  const data = route.data.safeParse(dialect.readSuccess(answer));
  return data.success ? { kind: 'ok', data: data.data } : malformed;
}

/** Returns whether a status is one with which this route says yes. */
export const isSuccess = ({ created, accepted }: Route, status: number): boolean =>
  status === (created ? 201 : 200) || (status === 202 && accepted === true);

const malformed = { kind: 'failed', why: 'malformed' } as const;

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
