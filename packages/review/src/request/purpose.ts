import type { Body } from './body.ts';
import { acts } from './acts.ts';
import { changesByGet } from './gets.ts';
import { isLoginRoute } from './login.ts';
import { isSearch } from './search.ts';
import type { Seen } from './seen.ts';
import { isLogin } from './sign-in.ts';
import { isTelemetry, isTelemetryResource } from './telemetry.ts';
import { namedByCollection, namedByVerbs, writes } from './verbs.ts';
import { wireOf } from './wire/wire.ts';

export const purposes = ['reading', 'search', 'login', 'telemetry', 'write'] as const;

/** Methods that change nothing, WebDAV's and `QUERY` too. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'TRACE']);
export const isReadingMethod = (method: string): boolean => reading.has(method);

/** What it is for. What it does beside that is the matter of the kinds, which count more. */
export function purposeOf(seen: Seen): (typeof purposes)[number] {
  const { sent, route, calls } = seen;
  if (sent.method === 'OPTIONS') return 'reading';
  if (isReadingMethod(sent.method))
    return changesByGet(route) || calls.does === 'write' ? 'write' : 'reading';
  if (route.isUnread) return 'write';
  if (sent.method === 'POST') return purposeOfPost(seen);
  return putsSession(seen) ? 'login' : 'write';
}

function purposeOfPost(seen: Seen): (typeof purposes)[number] {
  if (tells(seen)) return 'telemetry';
  if (overrides(seen.body)) return 'write';
  if (isLogin(seen)) return 'login';
  return wireOf(seen) ?? (isSearch(seen) ? 'search' : 'write');
}

const tells = (seen: Seen): boolean =>
  tellsOfLink(seen) ||
  isTelemetryResource(seen.sent.resource) ||
  isTelemetry(seen.route, seen.body, seen.calls);

/** HTML, hyperlink auditing: `<a ping>` says where one went, and nothing else. */
const tellsOfLink = ({ sent: { resource, contentType, body }, route }: Seen): boolean =>
  resource === 'ping' &&
  /^text\/ping\b/i.test(contentType) &&
  body === 'PING' &&
  !changesByGet(route) &&
  !route.segments.slice(-2).some(isActed);

/** `/friends/add/7`, `/roles/admin`: what a bare POST may do already. */
const isActed = (words: readonly string[]): boolean =>
  words.some((word) => writes(word) || acts(word)) ||
  acts(words.join('')) ||
  namedByVerbs(words).length > 0 ||
  namedByCollection(words).length > 0;

/** `PUT /session` */
const putsSession = (seen: Seen): boolean =>
  seen.sent.method === 'PUT' && seen.sent.carriesCredential && isLoginRoute(seen.route) && isLogin(seen);

const overrides = ({ members }: Body): boolean =>
  members.some(
    ({ name, value }) =>
      /^(_method|x-http-method(-override)?)$/i.test(name) && /^(put|patch|delete)$/i.test(value),
  );
