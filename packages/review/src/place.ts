import { isUrl, parseUrl } from '@countersign/protocol/url';
import { namesAccount } from '@countersign/protocol/vault/field-roles';
import {
  isSamePlace,
  type KnownPlace,
  place as onePlace,
  type Place,
} from '@countersign/protocol/vault/credential-use';
import { z } from 'zod';
import { isUnderOtherTitle } from './beside.ts';
import { asksSecretAlone } from './form.ts';
import type { ObservedTarget, Review } from './observation.ts';
import { kindsOfAddress } from './request/kinds.ts';
import { isEnrolRoute, isLoginTail, isOtherAct, startsByPath } from './request/login.ts';
import { type Route, routeOf, writesByPath } from './request/route.ts';
import { namedByVerbs, writes } from './request/verbs.ts';
import { among, wordsOf } from './request/words.ts';
import type { OperationSeen, TargetSeen } from './seen.ts';

/** Where a `fill` or a presentation would let a secret go, and what is known of that place. */
export const placeFacts = z.strictObject({
  ...onePlace.shape,
  /** It was allowed before, or the very operation was. */
  known: z.boolean(),
  looksLikeLogin: z.boolean(),
  /** The page may be another than the one that its server made: the agent had a hand in it. */
  touched: z.boolean(),
});
export type PlaceFacts = z.infer<typeof placeFacts>;

type Judged = { readonly operation: OperationSeen; readonly target: TargetSeen | null };

/** Null where no secret would go anywhere. */
export function placeOf(
  { operation, target }: Judged,
  { credential, observation, wasSent }: Review,
  mask: (text: string) => string,
): PlaceFacts | null {
  const seen = observation.target;
  if (credential === null || target === null || seen === null) return null;
  const isName = operation.fields.every((field) => namesAccount.has(field));
  const to = needsPlace(operation, credential, isName) ? whereTo(seen) : null;
  if (to === null) return null;
  const { touched } = observation;
  const isAgain = wasSent === true && asksAlone(seen);
  const isLogin = !isAgain && looksLikeLogin(seen, target, credential.type);
  const isOne = isOnePlace(seen, to, touched, isLogin);
  return {
    ...to,
    path: mask(to.path),
    field: mask(to.field),
    known: credential.uses === 'agreed' || (isOne && isAmong(credential.uses ?? [], to, { isName, isLogin })),
    looksLikeLogin: isOne && isLogin,
    touched,
  };
}

const asksAlone = ({ form }: ObservedTarget): boolean => form === null || asksSecretAlone(form);

/** A form with several addresses may be sent to one at which nobody has looked, and so may what a touched page sends; by GET it would stand in an address. */
const isOnePlace = (seen: ObservedTarget, to: Place, touched: boolean, isLogin: boolean): boolean =>
  !(to.method === 'POST' && seen.form?.otherMethods?.includes('GET') === true) &&
  (!leadsElsewhere(seen, to) || (isLogin && !touched && offersOtherWays(seen, to))) &&
  (saysWhere(seen) || !touched);

/** Its site's other ways to log in, by buttons of the same form: nothing that an address says is done there. */
const offersOtherWays = ({ form }: ObservedTarget, { origin }: Place): boolean =>
  (form?.otherActions ?? []).every(
    (action) =>
      parseUrl(action)?.origin === origin &&
      kindsOfAddress('POST', action).length === 0 &&
      isWayIn(routeOf(action)),
  );

/** Of those who vouch for people: `/federated/spid`. */
const vouches = among(
  'federated|federation|federato|spid|cie|eidas|franceconnect|digid|idin|itsme|bankid|shibboleth',
);

/** Whether it is called a log-in, and nothing else is done there. */
const isWayIn = (route: Route): boolean =>
  (isLoginTail(route) || route.segments.some((words) => vouches(words.join('')))) &&
  !isEnrolRoute(route) &&
  !route.said.some(isOtherAct) &&
  (!writesByPath(route) || startsByPath(route));

/** Names of accounts do only where the credential has no addresses of its own. */
const needsPlace = (
  { type, fields }: OperationSeen,
  { allowedUrls }: NonNullable<Review['credential']>,
  isName: boolean,
): boolean => type === 'fill' && fields.length > 0 && !(isName && allowedUrls.length > 0);

type Asked = { readonly isName: boolean; readonly isLogin: boolean };

/** The name of an account may go to each site to which something of it goes; where one only logged in, a secret may not go to confirm something. */
const isAmong = (uses: readonly KnownPlace[], to: Place, { isName, isLogin }: Asked): boolean =>
  uses.some((use) =>
    isName ? use.origin === to.origin : isSamePlace(use, to) && (isLogin || use.as_login !== true),
  );

/** To where the form says, else to where the page is: its script decides then. */
function whereTo({ form, frameUrl, field }: ObservedTarget): Place | null {
  const said = form !== null && /^https?:/i.test(form.action) ? form.action : frameUrl;
  if (!isUrl(said)) return null;
  const { origin } = new URL(said);
  const method = form === null || said !== form.action ? 'UNSAID' : form.method;
  const place = onePlace.safeParse({ origin, path: pathOf(said), method, field });
  return place.success ? place.data : null;
}

/** By which many a site shows all its pages at one path: `?page=share`, `?r=note/new`. */
const saysPage =
  /^(page|p|pg|screen|view|tab|section|area|action|a|act|do|op|cmd|task|mode|step|m|module|r|route|controller|option|fn|func)$/i;
/** The same by a number. */
const saysPageByNumber = /^(page|form|post|node|article|topic|screen)_?id$/i;
/** What a visit is told by: where one came from and is going, in which language, with what token. */
const saysVisit =
  /^(utm_\w+|gclid|fbclid|ref(errer)?|source|src|from|next|back|back_?url|continue|redirect\w*|return\w*|service|lang(uage)?|locale|hl|country|region|currency|tz|timezone|theme|state|code|scope|prompt|client_?id|tenant|realm|response_\w+|code_\w+|nonce|(.*[_-])?(token|csrf|session|sid|sig|signature|hash|ts|time))$/i;
/** Words, and no value that is another each time. */
const isWord = (value: string): boolean => /^\d{0,3}\p{L}[\p{L}_./:-]{0,60}$/u.test(value);
/** The number of one thing or of a log; whatever else is said may be another page. */
const isNumber = (value: string): boolean => /^\d*$/.test(value);

const says = ([name, value]: readonly [string, string]): boolean =>
  saysPageByNumber.test(name) ||
  (saysPage.test(name) ? !isNumber(value) : isWord(value) && (!saysVisit.test(name) || isDone(name)));

/** `delete_session=all` is no session. */
function isDone(name: string): boolean {
  const [first = '', ...more] = wordsOf(name);
  return more.length > 0 && (writes(first) || namedByVerbs([first]).length > 0);
}

/** The path, with what query and fragment say of which page is shown there, or what is done. */
function pathOf(address: string): string {
  const { pathname, search, hash } = new URL(address);
  const said = [...new URLSearchParams(search)]
    .map(([name, value]) => [name.trim(), value.trim()] as const)
    .filter(says);
  const query = said.length === 0 ? '' : `?${said.map(([name, value]) => `${name}=${value}`).join('&')}`;
  const fragment = hash.slice(1).split('?')[0]?.replaceAll('%20', ' ').trim() ?? '';
  return pathname + query + (isNumber(fragment) ? '' : `#${fragment}`);
}

/** Whether the form itself names an address; else a script of its page may send it to another. */
const saysWhere = ({ form, frameUrl }: ObservedTarget): boolean =>
  form?.method === 'POST' && form.action !== frameUrl;

/** Buttons of the form that would send it to another address. */
const leadsElsewhere = ({ form }: ObservedTarget, { origin, path }: Place): boolean =>
  (form?.otherActions ?? []).some((action) => {
    const other = parseUrl(action);
    return other === null || other.origin !== origin || pathOf(action) !== path;
  });

/** As a person sees it: the field of a log-in that asks for the password one has, or for the code of its second step. */
function looksLikeLogin(
  seen: ObservedTarget,
  target: TargetSeen,
  credentialType: NonNullable<Review['credential']>['type'],
): boolean {
  const { type, autocomplete, form } = seen;
  const asks = asksFor(target.use, { type, autocomplete, credentialType });
  const isLogin = target.form?.purpose === 'login' && form?.method !== 'GET';
  const isFree = target.form === null && asks === 'password' && isFreeLogin(seen, target);
  const isAsked = (isLogin && asks !== 'nothing') || isFree;
  return isAsked && target.visible && !target.covered;
}

/** By what stands together with it; where nothing is known of that, by what is said there. */
const isFreeLogin = ({ titles = [] }: ObservedTarget, { group }: TargetSeen): boolean =>
  group === undefined ? !isUnderOtherTitle(titles, [], false) : group === 'login';

/** A password is not asked for in plain view; a key is, and so is the code of a second step. */
function asksFor(
  use: TargetSeen['use'],
  about: Pick<ObservedTarget, 'type' | 'autocomplete'> & { readonly credentialType: string },
): 'password' | 'other' | 'nothing' {
  const isHidden = about.type === 'password' || /\bcurrent-password\b/i.test(about.autocomplete);
  if (use === 'secret' && isHidden) return 'password';
  const isKey = use === 'secret' && about.credentialType === 'api_key';
  return isKey || use === 'new-secret' || use === 'one-time-code' ? 'other' : 'nothing';
}
