import { isChosen } from '../../masking/chosen.ts';

/**
 * What a parameter of an address is by its name: `id` of a log-in; a `token` that logs in or acts for whoever is logged in; a
 * `signature` that stands in for a log-in at one address; a `guard` against forged requests, which logs nobody in; a place in a list
 * (`paging`). Names that nobody has heard of are `other`.
 */
type NameKind = 'id' | 'token' | 'signature' | 'guard' | 'paging' | 'other';

/** Servlets, PHP, ASP and ASP.NET, ColdFusion, phpBB, osCommerce, Zen Cart, Moodle, and what sites of their own call it. */
const ids =
  /^(?:j?session_?id|php_?sess_?id|aspsessionid[a-z]*|asp_?net_?session_?id|\.?aspxauth|s_?id|ssid|usid|sess|sess_?id|sess_?key|session_?key|session_?token|cf_?token|os_?csid|zen_?id|moodlesession|connect_sid|x_?session|user_?session)$/;
const tokens =
  /^(?:(?:[a-z_]*_?)?token|jwt|bearer|auth|auth_?key|auth_?code|authorization|ticket|st|code|otp|otac|oob_?code|key|api_?key|secret|nonce|magic|invite|session|login|login_?key|login_?code|assertion|saml_?response|saml_?art|credential|pass|passcode|k)$/;
const guards = /csrf|xsrf|authenticity|request_?verification_?token/;
const signatures = /(?:^|_)(?:sig|signature|hmac|hash|mac|policy)$/;
const paging =
  /(?:^|_)(?:cursor|offset|marker)$|^(?:page|next|prev|previous|continuation|continue|scroll|sync|after|before|start|last|lastevaluated)(?:_?page)?(?:_?(?:token|key|id))?$/;

/** Servers read names so: PHP takes `+PHP%53ESSID` for its own. */
const read = (name: string): string =>
  name
    .replace(/\+|%20/g, '')
    .replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** `pageToken`, `page-token` and `page_token` are one name; a `data-` before it says nothing. */
const plain = (name: string): string =>
  read(name)
    .replace(/^data-/i, '')
    .replace(/(?<=[a-z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .replace(/[-.[\]]+/g, '_')
    .replace(/^_+|_+$/g, '');

export function kindOfName(name: string): NameKind {
  const said = plain(name);
  if (ids.test(said)) return 'id';
  if (paging.test(said)) return 'paging';
  if (guards.test(said)) return 'guard';
  if (tokens.test(said)) return 'token';
  return signatures.test(said) ? 'signature' : 'other';
}

/** Whether it can be nothing but the id of a log-in, whatever its value: a store has a `sid`, a course a `session_id`. */
export const isIdAlone = (name: string): boolean =>
  kindOfName(name) === 'id' && !shortNames.test(plain(name));
const shortNames = /^(?:s_?id|ssid|usid|sess|session_?id)$/;

/** Whether nobody chose it: machines make ids of log-ins. Percent signs are of the address. */
export const isMade = (value: string): boolean =>
  !isChosen(Buffer.from(value.replace(/%[0-9a-f]{2}/gi, '-')));

/** Ids of log-ins are long and have digits: `sid=store-overview-2` is none. */
export const isOfMachine = (value: string): boolean =>
  value.length >= 16 && (isMade(value) || /^[a-z\d]{16,}$/i.test(value));

/** Whether it may be a token, under a name of one: no word has so many letters, nor so many that are hexadecimal digits. */
export const isToken = (value: string): boolean =>
  isMade(value) || /^(?:[\da-f]{16,}|[a-z\d]{24,})$/i.test(value);

/** Whether a cookie of this name is that of a log-in, though scripts may read it. */
export function namesLogIn(name: string): boolean {
  const said = plain(name).replace(/^(?:host|secure)_/, '');
  return !guards.test(said) && (ids.test(said) || logIns.test(said));
}
const logIns =
  /sess|(?:^|_)(?:sid|sso)|auth(?!or)|token|jwt|log(?:ged)?_?in|identity|remember|application_?cookie|ticket/;

export const isGuard = (name: string): boolean => guards.test(plain(name));

const thing = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}|[0-9A-HJKMNP-TV-Z]{26})$/i;

/** What an order, a file or a message is called: a UUID, an ObjectId or a ULID, under a name of one. */
export const namesThing = (name: string, value: string): boolean =>
  /(?:id|uuid|guid|ref|item|order|file)$/i.test(name) && thing.test(value);

/** The same under any name, or a number. */
export const isThing = (value: string): boolean => /^\d+$/.test(value) || thing.test(value);
