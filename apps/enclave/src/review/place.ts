import {
  isSamePlace,
  type KnownPlace,
  place as onePlace,
  type Place,
} from '@countersign/protocol/vault/credential-use';
import { z } from 'zod';
import { namesAccount } from '../credential/field.ts';
import { isUnderOtherTitle } from './beside.ts';
import type { ReviewFacts } from './facts.ts';
import { asksSecretAlone } from './form.ts';
import type { ObservedTarget, Review } from './observation.ts';

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

type Judged = Pick<ReviewFacts, 'operation' | 'target'>;

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
  const isOne = isOnePlace(seen, to, touched);
  const isLogin = !isAgain && looksLikeLogin(seen, target, credential.type);
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

/** A form with several addresses may be sent to one at which nobody has looked, and so may what a touched page sends. */
const isOnePlace = (seen: ObservedTarget, to: Place, touched: boolean): boolean =>
  !leadsElsewhere(seen, to) && (saysWhere(seen) || !touched);

/** Names of accounts do only where the credential has no addresses of its own. */
const needsPlace = (
  { type, fields }: ReviewFacts['operation'],
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
  if (!URL.canParse(said)) return null;
  const { origin } = new URL(said);
  const method = form === null || said !== form.action ? 'UNSAID' : form.method;
  const place = onePlace.safeParse({ origin, path: pathOf(said), method, field });
  return place.success ? place.data : null;
}

/** By which many a site shows all its pages at one path: `?page=share`, `?r=note/new`. */
const saysPage =
  /^(page|p|pg|screen|view|tab|section|area|action|a|act|do|op|cmd|task|mode|step|m|module|r|route|controller|option|fn|func)$/i;
/** The number of one thing or of a log; whatever else is said may be another page. */
const isNumber = (value: string): boolean => /^\d*$/.test(value);

/** The path, with what query and fragment say of which page is shown there. */
function pathOf(address: string): string {
  const { pathname, search, hash } = new URL(address);
  const said = [...new URLSearchParams(search)]
    .map(([name, value]) => [name.trim(), value.trim()] as const)
    .filter(([name, value]) => saysPage.test(name) && !isNumber(value));
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
    const other = URL.canParse(action) ? new URL(action) : null;
    return other === null || other.origin !== origin || pathOf(action) !== path;
  });

/** As a person sees it: the field of a log-in that asks for the password one has, or for the code of its second step. */
function looksLikeLogin(
  seen: ObservedTarget,
  target: NonNullable<ReviewFacts['target']>,
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
const isFreeLogin = (
  { titles = [] }: ObservedTarget,
  { group }: NonNullable<ReviewFacts['target']>,
): boolean => (group === undefined ? !isUnderOtherTitle(titles, [], false) : group === 'login');

/** A password is not asked for in plain view; a key is, and so is the code of a second step. */
function asksFor(
  use: NonNullable<ReviewFacts['target']>['use'],
  about: Pick<ObservedTarget, 'type' | 'autocomplete'> & { readonly credentialType: string },
): 'password' | 'other' | 'nothing' {
  const isHidden = about.type === 'password' || /\bcurrent-password\b/i.test(about.autocomplete);
  if (use === 'secret' && isHidden) return 'password';
  const isKey = use === 'secret' && about.credentialType === 'api_key';
  return isKey || use === 'new-secret' || use === 'one-time-code' ? 'other' : 'nothing';
}
