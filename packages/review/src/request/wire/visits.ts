import { z } from 'zod';
import type { Body } from '../body.ts';
import type { Calls } from '../calls.ts';
import { isPrefix, type Route } from '../route.ts';
import { among, wordsOf } from '../words.ts';

/** Whether a message is one of those by which pages tell of a visit, in the shape that its service has for it. */
export const tellsOfVisit = (route: Route, names: readonly string[], body: Body, calls: Calls): boolean =>
  isCookieChoice(route, names, body) ||
  isTracked(route, names, body) ||
  asksForFlags(route, names, body) ||
  isWordPressHeartbeat(names, body, calls) ||
  isPlausible(names, body) ||
  isPostHog(route, names, body) ||
  isSentry(route, names);

/** Plausible's event: name, address, domain, referrer, each by a letter. */
const isPlausible = (names: readonly string[], { json }: Body): boolean =>
  names.join('/') === 'api/event' && visited.safeParse(json).success;
const visited = z.strictObject({
  n: z.string(),
  u: z.string(),
  d: z.string(),
  r: z.unknown().optional(),
  w: z.unknown().optional(),
  h: z.unknown().optional(),
  m: z.unknown().optional(),
  p: z.unknown().optional(),
});

/** PostHog's events, packed. */
const isPostHog = ({ queryNames }: Route, names: readonly string[], { shape, members }: Body): boolean =>
  names.join('/') === 'e' &&
  ['ip', '_'].every((one) => queryNames.includes(one)) &&
  shape === 'form' &&
  members.every(({ name }) => name === 'data' || name === 'compression');

const isSentry = ({ queryNames }: Route, names: readonly string[]): boolean =>
  queryNames.includes('sentry_key') && /^(api )?(envelope|store)$/.test(names.join(' '));

const event = z.looseObject({
  type: z.enum(['track', 'page', 'screen', 'identify', 'group', 'alias']).optional(),
});
const tracked = among(
  'type|event|name|category|anonymousid|userid|previousid|groupid|messageid|writekey|timestamp|sentat|originaltimestamp|receivedat|context|integrations|properties|traits|metadata|channel|version|options',
);

/** Segment's tracking API: a version and one word or letter, and events as its specification has them. */
function isTracked({ hasId }: Route, names: readonly string[], { json }: Body): boolean {
  if (
    hasId ||
    names.length !== 1 ||
    !/^([a-z]|batch|track|page|screen|identify|group|alias|import)$/.test(names[0] ?? '')
  )
    return false;
  const isEvent = (one: unknown): boolean => {
    const read = event.safeParse(one);
    const said = read.success ? Object.keys(read.data).map((name) => wordsOf(name).join('')) : [];
    return (
      said.length > 1 &&
      said.some(among('type|event|properties|traits')) &&
      said.every((name) => tracked(name))
    );
  };
  const batch = z.object({ batch: z.array(z.unknown()).min(1) }).safeParse(json);
  return batch.success ? batch.data.batch.every(isEvent) : isEvent(json);
}

/** PostHog's question which features are on for a visitor. */
const asksForFlags = ({ queryNames }: Route, names: readonly string[], { json }: Body): boolean =>
  (/^(decide|flags)$/.test(names.join('/')) && queryNames.includes('v') && visitor.safeParse(json).success) ||
  (names.at(-1) === 'featureflags' && asker.safeParse(json).success) ||
  (/(^|\/)evalx(\/[^/]+)?\/(users?|contexts?)$/.test(names.join('/')) && evaluated.safeParse(json).success);
/** Who asks which are on, and none of them by name. */
const who = z.record(z.string(), z.unknown());
const asker = z.union([z.strictObject({ user: who }), z.strictObject({ context: who })]);
/** LaunchDarkly's contexts have a kind and a key of their own. */
const evaluated = z.strictObject({
  user: who.optional(),
  context: who.optional(),
  kind: z.string().optional(),
  key: z.string().optional(),
});
const visitor = z.looseObject({ distinct_id: z.string() });

/** A heartbeat may carry a draft: of what it carries, these two only ask. */
const isWordPressHeartbeat = (names: readonly string[], { shape, members }: Body, calls: Calls): boolean =>
  shape === 'form' &&
  names.at(-1) === 'adminajax' &&
  calls.names.length === 1 &&
  members.every(({ name, value }) =>
    name === 'action'
      ? value === 'heartbeat'
      : /^(_(wp)?nonce|interval|screen_id|has_focus|data\[wp-(auth-check|check-locked-posts)\].*)$/.test(
          name,
        ),
  );

const cookieKinds =
  'necessary|essential|required|functional|functionality|preferences|statistics|statistical|analytics|performance|marketing|advertising|ads|targeting|social|socialmedia|personalization|unclassified';
const isCookieKind = among(cookieKinds);
const ofCookies = among(
  `${cookieKinds}|accept|accepted|acceptall|reject|rejected|rejectall|deny|all|choice|choices|consent|consents|categories|level|status|version|timestamp|date|csrf|csrftoken|token`,
);

/** A banner asks which cookies may be set. A consent that says nothing of that is another's. */
function isCookieChoice(
  { hasId, segments }: Route,
  names: readonly string[],
  { shape, members }: Body,
): boolean {
  if (hasId || !/^(none|json|form)$/.test(shape)) return false;
  const said = members.map(({ name }) => wordsOf(name).join(''));
  if (
    segments
      .slice(-2)
      .flat()
      .some((word) => word.startsWith('cookie')) &&
    /consent|choice|preferences|banner|^cookies?$|^(accept|reject)(all)?$/.test(names.at(-1) ?? '')
  )
    return said.every((name) => ofCookies(name));
  const isBare =
    names.at(-1) === 'consent' &&
    names.slice(0, -1).every((name) => isPrefix(name) || /^(gdpr|privacy|cmp|tcf)$/.test(name));
  return (
    isBare &&
    said.some((name) => isCookieKind(name) && name !== 'marketing') &&
    said.every((name) => isCookieKind(name))
  );
}
