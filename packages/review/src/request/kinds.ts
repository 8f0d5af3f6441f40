import type { Sensitive } from '../lexicon.ts';
import type { Member } from './body.ts';
import { namedByField } from './by-query.ts';
import { type Calls, callsIn, readsOnly } from './calls.ts';
import { changesWhenOpened } from './gets.ts';
import { grantsAccess, isHostedKey, isKeyRoute, isLoginBody, isLoginRoute, startsByPath } from './login.ts';
import { isSentence } from './opened/imperative.ts';
import { isReadingMethod, purposeOf } from './purpose.ts';
import type { Seen } from './seen.ts';
import { isHelp, readsByPath, type Route, routeOf, writesByPath } from './route.ts';
import { namedByCollection, namedByVerbs, namedTogether, settles, writes } from './verbs.ts';
import { among, wordsOf } from './words.ts';

/** Which kinds of act a request names. */
export function kindsOf(seen: Seen): Sensitive[] {
  if (seen.sent.method === 'OPTIONS') return [];
  if (isReadingMethod(seen.sent.method)) return [...kindsOfGet(seen.route), ...saidBy([], seen.calls)];
  const found = new Set<Sensitive>(kindsByWords(seen));
  if (seen.sent.method === 'DELETE') found.add('delete');
  if (seen.body.hasFile) found.add('file_upload');
  const purpose = purposeOf(seen);
  for (const kind of byPurpose(seen, purpose, found.size > 0)) found.add(kind);
  if (purpose === 'login') for (const kind of ofLogins) found.delete(kind);
  return [...found];
}

/** What the address says beside its verbs: consent, else the collection that is written to. */
function byPurpose(
  { route, body }: Seen,
  purpose: ReturnType<typeof purposeOf>,
  isNamed: boolean,
): readonly Sensitive[] {
  if (purpose === 'write' && grantsAccess(route, body)) return ['permission_grant'];
  const mayBePlace = purpose === 'write' || (purpose === 'login' && !isPlaceOfLogin(route));
  const found = mayBePlace && !isNamed ? byPlace(route) : [];
  return purpose === 'login' && looksUpWho(route)
    ? found.filter((kind) => kind !== 'credential_change')
    : found;
}

/** `/check-username`, `/authorize-email`: the first step of a log-in asks about who it is. */
const looksUpWho = ({ segments }: Route): boolean => {
  const [verb, ...of] = segments.at(-1) ?? [];
  return (
    /^(check|lookup|identify|find|exists|discover|resolve|authorize|authorise)$/.test(verb ?? '') &&
    /^(user|username|email|emailaddress|phone|phonenumber|account)$/.test(of.join(''))
  );
};

const isPlaceOfLogin = (route: Route): boolean => isLoginRoute(route) || isKeyRoute(route);

/** Which kinds an address names by itself, where a form would be sent to it or a link leads to it. */
export const kindsOfAddress = (method: 'GET' | 'POST', url: string): Sensitive[] => {
  const route = routeOf(url);
  if (method === 'GET') return kindsOfGet(route);
  if (isHostedKey(route)) return [];
  const named = namedAtEnd(route);
  return named.length > 0 ? named : byPlace(route);
};

/** Whether an address does something as soon as it is opened, whatever that is. */
export function actsWhenOpened(url: string): boolean {
  const route = routeOf(url);
  return kindsOfGet(route).length > 0 || changesWhenOpened(route) || actsByDocument(route);
}

/** By a document of GraphQL in its query. */
function actsByDocument({ documents }: Route): boolean {
  if (documents.length === 0) return false;
  const body = { shape: 'none', members: [], hasFile: false } as const;
  const calls = callsIn(
    body,
    documents.map((one) => ({ ...one, depth: 0 })),
  );
  return calls.does === 'write' || saidBy([], calls).length > 0;
}

/** The same of what a page fetches for itself: data that it shows may be a table or an archive too. */
export function actsWhenFetched(url: string): boolean {
  const route = routeOf(url);
  const does = kindsOfGet(route).some((kind) => kind !== 'bulk_export');
  return does || changesWhenOpened(route) || actsByDocument(route);
}

/** What the words around a log-in may say: `authorize`, `send the code`, `verify the factor`. */
const ofLogins: readonly Sensitive[] = ['permission_grant', 'public_post', 'mfa_change', 'api_key_creation'];

/** Those that an address alone can do; a form to be filled in stands behind the others. */
const byGet: ReadonlySet<Sensitive> = new Set(['delete', 'bulk_export']);
const afterId: ReadonlySet<Sensitive> = new Set(['delete', 'bulk_export', 'public_post', 'permission_grant']);

/** What one thing is paid by, where its address ends in it; `/pay` alone is a page. */
const pays = among(
  'pay|paynow|buy|buynow|purchase|placeorder|confirmpayment|charge|refund|bezahlen|kaufen|pagar|comprar|payer|acheter|paga|acquista|betalen|kopen|kup|zaplac|оплатить|купить|支付|购买',
);

function kindsOfGet(route: Route): Sensitive[] {
  if (route.isAsset || route.isArticle) return [];
  const said = route.said.filter((words) => !isShowing(words)).flatMap((words) => namedByVerbs(words));
  const last = route.called.at(-1) ?? [];
  const isNoun = last.length > 4 || nounLike.test(last.join(' ')) || isSentence(last) || isGoods(route, last);
  // `/account/close` is a page that asks; `/account/close?id=3` does it.
  const together = route.hasId ? namedTogether([...(route.called.at(-2) ?? []), ...last]) : [];
  const ends = isNoun ? [] : [...namedByVerbs(last), ...together];
  if (route.isDownload) return ['bulk_export'];
  return [
    ...(isPaid(route, last) ? (['payment'] as const) : []),
    ...said.filter((kind) => afterId.has(kind)),
    ...ends.filter((kind) => byGet.has(kind)),
  ];
}

/** `?action=show_post`, `?r=post/view` */
const isShowing = (words: readonly string[]): boolean =>
  (/^(show|view|get|display)$/.test(words[0] ?? '') && !namedByVerbs(words.slice(-1)).includes('delete')) ||
  /^(view|list|show|index|display)$/.test(words.at(-1) ?? '') ||
  (words[0] === 'list' && !namedByVerbs(words).includes('delete'));

/** `/stain-remover-500ml`; in Portuguese one removes by that word. */
const isGoods = ({ hasId, queryNames }: Route, last: readonly string[]): boolean =>
  last.includes('remover') && last.length > 1 && !(last[0] === 'remover' && (hasId || queryNames.length > 0));

const isPaid = (route: Route, last: readonly string[]): boolean =>
  (route.hasId || route.saysThing) &&
  !isHelp(route) &&
  [last, ...route.said].some((words) => pays(words.join('')));

/** Pages that show: `/cancel-policy`, `/remove-ads-info`, `/export-history`. */
const nounLike =
  /\b(policy|policies|info|history|list|guide|faq|help|terms|status|log|logs|options|settings|how|why|trash|protection)\b/;

/** Which kinds members name, by what they call and by their own names. */
export const kindsOfMembers = (members: readonly Member[]): Sensitive[] => [
  ...saidBy([], callsIn({ shape: 'form', members, hasFile: false }, [])),
  ...distinct(members).flatMap(byMember),
];

const saidBy = (said: Route['said'], { names, does, protocol }: Calls): Sensitive[] => [
  ...said.flatMap((words) => saidWith(does, words)),
  ...names.flatMap((words) =>
    protocol === 'graphql' && does === 'read' ? namedByField(words) : saidWith(does, words),
  ),
];

const saidWith = (does: Calls['does'], words: readonly string[]): Sensitive[] =>
  does === 'read' || readsOnly(words) ? namedAnyway(words) : namedByVerbs(words);

function kindsByWords({ route, body, calls, sent }: Seen): Sensitive[] {
  const ends = namedAtEnd(route);
  const said = saidBy(route.said, calls);
  const named = distinct(body.members).flatMap(byMember);
  const { writes } = isLoginBody(body);
  const isPlainLogin =
    sent.carriesCredential && isLoginRoute(route) && !writes && (!writesByPath(route) || startsByPath(route));
  return [
    ...(readsByPath(route) !== 'no' ? ends.filter((kind) => isDoneByReading(kind, route)) : ends),
    ...said,
    ...(isPlainLogin ? named.filter((kind) => kind === 'delete') : named),
  ];
}

/** What reads may delete for all that, and a copy of everything is one by whatever it is fetched. */
const isDoneByReading = (kind: Sensitive, { segments }: Route): boolean =>
  kind === 'delete' || (kind === 'bulk_export' && segments.at(-1)?.includes('download') === true);

/** The last names of an address, each by itself and with the one before it. */
function namedAtEnd({ segments }: Route): Sensitive[] {
  const ends = segments.slice(-3);
  return ends.flatMap((words, at) => [
    ...namedByVerbs(words),
    ...(at === 0 ? [] : namedTogether([...(ends[at - 1] ?? []), ...words])),
  ]);
}

/** A name that reads may still say that it deletes: a server may do that for a query. A field called `transfer` is read. */
const namedAnyway = (words: readonly string[]): Sensitive[] =>
  words.length < 2 ? [] : namedByVerbs(words).filter((kind) => kind === 'delete');

const newSecret =
  /^(new_?pass(word|wd)?\w*|new_?pwd|new_?pin|(\w+_)?new_?log_?in_?(pass|pwd)\w*|pass(word)?_?confirm(ation)?|confirm_?pass\w*|new_?e_?mail)$/i;
const cardNumber =
  /^(card_?number|cc_?number|cvv2?|cvc|card_?cvc|cc_?exp\w*|iban|to_?account|payee|beneficiary(_?\w+)?|payment_?method(_?\w+)?)$/i;

/** A table has the same names in each of its rows. */
const distinct = (members: readonly Member[]): Member[] => [
  ...new Map(members.map((member) => [`${member.name} ${isNo(member.value)}`, member])).values(),
];

const isNo = (value: string): boolean => /^(0|no|false|off|null|undefined)$/i.test(value);

/** The name of a button or a switch that says what is done. */
function byMember({ name, value }: Member): Sensitive[] {
  const words = wordsOf(name);
  const joined = words.join('_');
  if (newSecret.test(joined)) return ['credential_change'];
  if (cardNumber.test(joined)) return ['payment'];
  if (words.length > 4 || isNo(value)) return [];
  return namedByVerbs(words).filter((kind) => kind === 'delete');
}

/** The collection that a write adds to, or whose entry it changes. */
function byPlace({ segments }: Route): Sensitive[] {
  const [before = [], last = []] = [segments.at(-2), segments.at(-1)];
  const found = namedByCollection(last);
  if (found.length > 0) return found;
  const isOther = last.some(writes) && !last.some(settles);
  return isOther ? [] : namedByCollection(before).filter((kind) => kind !== 'credential_change');
}
