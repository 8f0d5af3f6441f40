import type { Body } from './body.ts';
import type { Calls } from './calls.ts';
import type { SentRequest } from './facts.ts';
import { changesByGet } from './gets.ts';
import type { Route } from './route.ts';
import { isSearch } from './search.ts';
import { isLogin } from './sign-in.ts';
import { isTelemetry, isTelemetryResource } from './telemetry.ts';
import { wireOf } from './wire/wire.ts';

export const purposes = ['reading', 'search', 'login', 'telemetry', 'write'] as const;

/** A request with its parts read. */
export type Seen = {
  readonly sent: SentRequest;
  readonly route: Route;
  readonly body: Body;
  readonly calls: Calls;
  /** The operation that set it off was at a form that a person takes for a log-in. */
  readonly isFromLogin: boolean;
};

/** Methods that change nothing, WebDAV's and `QUERY` too. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'TRACE']);
export const isReadingMethod = (method: string): boolean => reading.has(method);

/** What it is for. What it does beside that is the matter of the kinds, which count more. */
export function purposeOf(seen: Seen): (typeof purposes)[number] {
  const { sent, route, body, calls } = seen;
  if (isReadingMethod(sent.method))
    return changesByGet(route) || calls.does === 'write' ? 'write' : 'reading';
  if (sent.method !== 'POST') return 'write';
  if (isTelemetryResource(sent.resource) || isTelemetry(route, body, calls)) return 'telemetry';
  if (overrides(body)) return 'write';
  if (isLogin(seen)) return 'login';
  return wireOf(seen) ?? (isSearch(seen) ? 'search' : 'write');
}

const overrides = ({ members }: Body): boolean =>
  members.some(
    ({ name, value }) =>
      /^(_method|x-http-method(-override)?)$/i.test(name) && /^(put|patch|delete)$/i.test(value),
  );
