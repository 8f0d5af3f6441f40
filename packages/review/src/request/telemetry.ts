import type { Body } from './body.ts';
import type { Calls } from './calls.ts';
import { isPrefix, type Route } from './route.ts';
import { tellsOfVisit } from './wire/visits.ts';
import { among, wordsOf } from './words.ts';

/** Requests that the browser makes of itself. A beacon is no such: a page may save by one. */
export const isTelemetryResource = among('cspviolationreport|csp-violation-report|reporting');

/** Names that nothing else has. */
const always = among(
  'analytics|plausible|umami|fathom|goatcounter|posthog|snowplow|countly|telemetry|cspreport|cspreports|csp|rum|pageview|pageviews|gtag|gtm|matomo|piwik|sentry|datadog|newrelic|amplitude|mixpanel|bugsnag|perfmetrics|webvitals|clientlog|clientlogs|clienterror|clienterrors|jserror|jserrors|jslog|errorreport|errorreports|crashreport|crashreports|reportcsp|cspviolation|clickstream|nel|rgstr|usagestats|ces|logevent|logevents|trackevent|browserlogs|logclient|logerror|logerrors|intakeevents|clientevent|clientevents|frontendlogs',
);
/** Names that other things have too: parcels are tracked, payments collected. */
const perhaps = among(
  'beacon|beacons|heartbeat|keepalive|vitals|impressions|impression|tracker|tracking|metrics|stats|collect|track|ping|alive|envelope',
);
const ending = among(
  'collect|track|ping|log|logs|envelope|identify|heartbeat|batch|activity|presence|alive|store|events|t|p|b|e|i|g',
);
/** Of services that only count. */
const counters = among('sentry_key|tid|ddsource');

/** What such a body has at its top. */
const counted = among(
  'event|events|eventname|eventtype|eventid|name|type|kind|category|label|props|properties|t|ts|time|timestamp|sentat|clienttime|session|sessionid|sid|visitor|visitorid|anonymousid|clientid|user|userid|page|pageid|viewid|url|path|href|referrer|referer|title|location|screen|viewport|width|height|language|locale|timezone|tz|useragent|ua|version|v|app|appversion|release|environment|env|appid|platform|os|browser|device|build|source|duration|elapsed|seq|sequence|counter|stats|metrics|log|logs|batch|level|traceid|spanid|context|contexts|sdk|dsn|alive|active|visible|csrf|csrftoken|token',
);

/** Where what is counted, and by whom, is set; and what sets it. */
const settings = among(
  'settings|admin|integrations?|preferences|account|config|configuration|projects?|apps?',
);
const sets = among('enabled?|disabled?|active|on|off|optin|optout|dsn|consent|apikey|site');
/** What says that it is a page that is counted, and not a pulse or a parcel. */
const ofPages = among(
  'event|events|eventname|url|href|path|page|referrer|referer|session|sid|sessionid|visitor|visitorid|anonymousid|clientid|appid|useragent|ua|screen|viewport|ts|timestamp|sentat|clienttime|stats|metrics|log|logs|batch|sdk|context',
);
const isPulse = among('beacon|beacons|heartbeat|keepalive|alive|ping');
/** What stands before the others: nothing of a site's own, of which parcels are tracked and payments collected. */
const ofBrowsers = among(
  'session|sessions|browser|client|clients|visitor|visit|visits|messenger|private|js|frontend|ui|site|cdncgi|intake|rec|events?|user|[a-z]',
);

/** Whether a request only counts what a person does, or says whether it may. */
export function isTelemetry(route: Route, body: Body, calls: Calls): boolean {
  const names = route.segments.map((words) => words.join(''));
  if (calls.does === 'write') return false;
  return tellsOfVisit(route, names, body, calls) || (!setsIt(names, body) && counts(route, names, body));
}

function counts({ isOfOne, hasId, queryNames }: Route, names: readonly string[], body: Body): boolean {
  const [before, last] = [names.slice(0, -1), names.at(-1)];
  if (isOfOne) return false;
  if (isAlways(names, body) || keepsSession(names, body)) return true;
  const isOfSite = before.some((name) => ![isPrefix, ofBrowsers, always, perhaps].some((is) => is(name)));
  if (!isOfSite && ending(last) && before.some(always)) return true;
  if (!perhaps(last) || hasId || (isOfSite && !isPulse(last))) return false;
  return queryNames.some(counters) || onlyCounts(body);
}

/** `/session/extend` with nothing said; of something else, as of parking, it is paid. */
const keepsSession = (names: readonly string[], { members, shape }: Body): boolean =>
  /^sessions?$/.test(names.at(-2) ?? '') &&
  /^(extend|touch|prolong)$/.test(names.at(-1) ?? '') &&
  names.slice(0, -2).every((name) => isPrefix(name) || name === 'auth') &&
  members.length === 0 &&
  shape !== 'unread';

/** Of a measurement protocol: its property, the visitor and what happened. */
const isMeasured = ({ shape, members }: Body): boolean =>
  shape === 'form' && ['tid', 'cid', 't'].every((one) => members.some(({ name }) => name === one));

/** `/client-log`, `/log/client` and `/client/log` are the same; a call with a customer is written to `/events/log`, too. */
function isAlways(names: readonly string[], body: Body): boolean {
  const [before, last] = [names.at(-2) ?? '', names.at(-1) ?? ''];
  if (always(last)) return true;
  const isJoined = [before + last, last + before].some(always);
  return isJoined && (names.includes('browser') || onlyCounts(body) || isError(body));
}

const ofErrors = among('message|error|stack|stacktrace|line|lineno|column|colno|col|filename|file');
/** Of a script, with where it stood. */
const isError = (body: Body): boolean => {
  const names = topOf(body);
  return (
    body.shape === 'json' &&
    names.some((name) => name === 'stack' || name === 'stacktrace') &&
    names.every((name) => counted(name) || ofErrors(name))
  );
};

const topOf = ({ members }: Body): string[] => {
  const top = members.reduce((least, { depth }) => Math.min(least, depth), 1);
  return members.flatMap(({ name, depth }) => (depth > top ? [] : [wordsOf(name).join('')]));
};

const setsIt = (names: readonly string[], body: Body): boolean =>
  names.slice(0, -1).some(settings) || (body.members.length < 4 && topOf(body).some(sets));

function onlyCounts(body: Body): boolean {
  if (body.shape === 'none' || isMeasured(body)) return true;
  const names = topOf(body);
  return (
    (body.shape === 'json' || body.shape === 'form') &&
    !body.hasFile &&
    names.every((name) => counted(name) || /^[a-z]$/.test(name)) &&
    (names.length === 0 || names.some((name) => ofPages(name) || name === 'u'))
  );
}
