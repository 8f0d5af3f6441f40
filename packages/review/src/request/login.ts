import { accountWords, codeWords, passwordWords } from '../field-words.ts';
import type { Body, Member } from './body.ts';
import type { Route } from './route.ts';
import { namedByVerbs, writes } from './verbs.ts';
import { among, wordsOf } from './words.ts';

/** Segments that only a log-in has. */
const certain = among(
  'login|signin|logon|authenticate|authentication|dologin|loginsubmit|weblogin|userlogin|ajaxlogin|trylogin|identifier|passwordless|magiclink|signinwithpassword|loginwithpassword|j_security_check|jsecuritycheck|acs|sso|saml|saml2|oidc|anmelden|anmeldung|einloggen|connexion|inloggen|aanmelden|entrar|iniciarsesion|acceso|accedi|accesso|logowanie|zaloguj|giris|kirjaudu|loggain|logind|prihlaseni|belepes|autentificare|passwordlogin|sendotp|verifyotp|twofactorlogin',
);

/** Segments that a log-in has among others: what else stands in the address decides. */
const possible = among(
  'session|sessions|verification|verificar|verificacion|verificacao|verifieer|verifica|verifizieren|dogrula|weryfikacja|overeni|codigo|sms|tan|auth|token|refresh|refreshtoken|tokenrefresh|otp|2fa|mfa|totp|twofactor|twofactorauth|challenge|challenges|verify|callback|idp|signincallback|password|pwd|email|username|login_check|code|webauthn|assertion|passkey|introspect|reauthenticate|reauth|renew|access|stepup',
);

/** Parts of a site where those words mean something else. */
const elsewhere = among(
  'settings|profile|account|me|user|users|security|preferences|admin|checkout|payment|payments|billing|orders|order|upload|uploads|chat|webhooks|api_keys|apikeys|developer|developers|team|teams|org|orgs|register|registration|signup|join|invite|newsletter|subscribe|subscriptions|shopping|cart|iam|domains|devices|contacts|personal|access|members',
);

/** Whether an account, a code or a secret that stands there alone is set or used for something, rather than asked for to log in. */
export const isOfSettings = (route: Route): boolean => route.hasId || joined(route).some(elsewhere);

const enrols = among(
  'register|registration|signup|join|createaccount|enroll|enrol|newsletter|subscribe|newaccount|forgot|forgotpassword|recover|recovery|reset|resetpassword|invite|waitlist|unsubscribe|lostpassword',
);

const joined = ({ segments }: Route): string[] => segments.map((words) => words.join(''));

/** Whether an address is where people log in, or are asked for the next step of it. */
export function isLoginRoute(route: Route): boolean {
  const names = withoutSending(joined(route));
  if (isHostedKey(route)) return true;
  if (names.some(enrols)) return false;
  const tail = names.slice(-3);
  if (tail.some(certain) || route.segments.slice(-2).some(isLogin)) return true;
  if (!possible(names.at(-1))) return false;
  const rest = names.slice(0, -1);
  return (
    !rest.some(elsewhere) &&
    (rest.some(certain) ||
      rest.some(possible) ||
      !/^(email|username|access|code|password|pwd|sms)$/.test(names.at(-1) ?? ''))
  );
}

/** `/mfa/submit` is what `/mfa` sends. */
const withoutSending = (names: readonly string[]): readonly string[] =>
  /^(submit|check|process|next)$/.test(names.at(-1) ?? '') && possible(names.at(-2))
    ? names.slice(0, -1)
    : names;

const isKey = among('pin|password|passcode|passwd|pwd');
export const isKeyTail = (route: Route): boolean => isKey(joined(route).at(-1));

/** `/u/password?state=…`: the second page of a log-in that others host carries the state of its transaction. */
export const isHostedKey = (route: Route): boolean =>
  isKeyTail(route) && route.queryNames.includes('state') && joined(route).slice(0, -1).join('/') === 'u';

const consents = among(
  'authorize|authorise|authorization|consents?|grants?|approve|approval|allow|decision|oauthconsent',
);
const lends = among(
  'oauth|oauth2|openid|oidc|connect|login|signin|auth|authz|authorize|authorise|saml|sso|idp',
);

/** Whether somebody else is let in: an application that asks for consent, a device that shows a code. */
export const grantsAccess = (route: Route, { members }: Body): boolean =>
  (joined(route).slice(-2).some(consents) && route.segments.some((words) => words.some(lends))) ||
  members.some(({ name }) => /^user_?code$/i.test(name));

/** What a log-in says that it does: `mode=process`, `action=create_session`. */
const ofLogins = among(
  'session|auth|token|identify|challenge|otp|submit|process|connect|run|execute|exec|open|start|set|put|write|post|complete|finish|apply|sign|confirm|unlock|pin|link',
);

/** Whether the name of what is to be done is nothing that a log-in does. */
export const isOtherAct = (words: readonly string[]): boolean =>
  namedByVerbs(words).some(
    (kind) => kind === 'delete' || kind === 'payment' || kind === 'credential_change',
  ) ||
  (!isLogin(words) && (words.some(writes) || isForOthers(words)) && !words.some(ofLogins));

const isSent = among('codes?|sms|mail|email|verification|magiclink|mfa|2fa');

/** `publish`, `inviteUser`; but a code is sent to who logs in. */
const isForOthers = (words: readonly string[]): boolean =>
  !words.some(isSent) &&
  namedByVerbs(words).some((kind) => kind === 'public_post' || kind === 'permission_grant');

/** Of sessions themselves, which are made where one logs in. */
const isSession = among('sessions?|auth|authentications?|login|logins|signin|token');

const makesSession = among('create|new|start|process|submit');

/** Whether an address says no more than what the form of a log-in sets off: `/sessions/create`, `/customer/process`. */
export const startsByPath = ({ segments, methods, said }: Route): boolean =>
  (isSession(segments.at(-2)?.join('')) && makesSession(segments.at(-1)?.join(''))) ||
  [...segments.slice(-1), ...methods, ...said].every((words) => !words.some(writes) || words.some(ofLogins));

/** Whether an address is called by the secret itself: it is asked for there, or changed. */
export function isKeyRoute(route: Route): boolean {
  const names = joined(route);
  return isKeyTail(route) && !names.some(elsewhere) && !names.some(enrols);
}

/** Whether an address is where accounts are made, or where secrets do not go to log in. */
export const isEnrolRoute = (route: Route): boolean => joined(route).some(enrols);

/** Whether an address itself is called a log-in; `certainly`: by a name that nothing else has. */
export const isLoginTail = (route: Route, certainly = false): boolean =>
  joined(route).slice(-3).some(certain) ||
  isLogin(route.segments.at(-1) ?? []) ||
  (!certainly && isLoginRoute(route));

/** `user_login.php`, `login-submit`, `processLogin`, `sign-in`. */
const isLogin = (words: readonly string[]): boolean =>
  words.length <= 4 &&
  (words.some(among('login|signin|logon|authenticate')) ||
    ['log in', 'sign in', 'log on', 'sign on'].some((name) => words.join(' ').includes(name)));

const account =
  /^(user_?(name|id)?|log_?in(_?(name|id|fmt|field))?|e?_?mail(_?address)?|account(_?(name|id))?|identifier|phone(_?number)?|tel|msisdn|uid|userid|log|usr|uname|sign_?in_?name|customer_?(id|number|no)|member_?(id|number)|card_?number|username_or_email|j_username|session_?key|principal|handle|benutzername|usuario|utilisateur|identifiant|gebruikersnaam)$/i;
const secret =
  /^(pass(word|wd|phrase|code)?|pwd?|pw|psw|j_password|log_?in_?password|session_?password|secret|pin|passwort|clave|contrasena|senha|mot_?de_?passe|mdp|wachtwoord|haslo|heslo|hash(ed)?_?password|encrypted_?password|enc_?password|otp(_?(code|attempt))?|totp(_?code)?|code|one_?time_?(code|password)|verification_?code|security_?code|mfa_?(code|token)|two_?factor_?(code|token)|token|answer)$/i;
const confirming =
  /^(new_?pass|pass(word)?_?(new|confirm|confirmation|repeat|again|2)|confirm_?(pass|pwd)|repeat_?pass|verify_?pass|retype|re_?pass|old_?pass|current_?pass|first_?name|last_?name|full_?name|birth|dob|amount|iban|price|to_?account|recipient|payee|new_?e?mail|new_?username|newsletter)/i;
const content =
  /^(comment|text|message|content|body|title|subject|description|bio|note|memo|html|markdown|post|reply|status|about|summary|caption)$/i;

/** The last name of `user[session][password]` or `form.password`, without the prefix of a framework. */
function ownName(name: string): string {
  const last =
    name
      .replaceAll(/[\]]/g, '')
      .split(/[[.:$]/)
      .at(-1) ?? name;
  return wordsOf(
    last.replace(
      /^(txt|tb|tbx|inp|input|fld|frm|edt|field|ctl\d+|os|pma|ap|mw|wp|wpName)_?(?=[A-Za-z])/i,
      '',
    ),
  ).join('_');
}

const namesAccount = (name: string): boolean => account.test(name) || isWord(name, accountWords);
const namesSecret = (name: string): boolean =>
  secret.test(name) || isWord(name, passwordWords) || isWord(name, codeWords);
const isWord = (name: string, words: RegExp): boolean =>
  name.length <= 40 && words.test(name.replaceAll('_', ' '));

const grant = /^(grant_?type|refresh_?token|id_?token|SAMLResponse|assertion)$/i;
const isOtherGrant = ({ name, value }: Member): boolean =>
  /^grant_?type$/i.test(name) && value !== 'password';

/** A surname, and no other name of the person, stands beside number and PIN of who is known. */
const isSurnameOf = (names: readonly string[], name: string): boolean =>
  /^last_?name$/i.test(name) &&
  names.some(namesAccount) &&
  names.some(namesSecret) &&
  names.filter((one) => confirming.test(one)).length === 1;

/** `title=Special:UserLogin`, `reply=1`: a program says it to another, and nobody reads it. */
const isMark = (member: Member | undefined): boolean =>
  /^(\d{0,3}|[a-z]\w*:[a-z]\w*)$/i.test(member?.value ?? ' ');

/** More names than a log-in has: `grant_type`, `csrf`, `remember`, a device and its answer to a riddle. */
const maxLoginMembers = 40;

/** Whether a body is what a log-in form sends: an account and a secret or a step of that, and nothing that is written for others. */
export function isLoginBody({ shape, members, hasFile }: Body): {
  full: boolean;
  /** Account and secret stand in it, and no other grant than these. */
  signsIn: boolean;
  step: boolean;
  writes: boolean;
} {
  if (members.length > maxLoginMembers) return { full: false, signsIn: false, step: false, writes: true };
  const names = members.map(({ name }) => ownName(name));
  // Forms send what nobody saw and filled, too; in JSON what is empty may hold others.
  const isSaid = (at: number): boolean => !/^(form|multipart)$/.test(shape) || members[at]?.value !== '';
  const writes =
    hasFile ||
    shape === 'unread' ||
    names.some(
      (name, at) =>
        (confirming.test(name) && isSaid(at) && !isSurnameOf(names, name)) ||
        (content.test(name) && !isMark(members[at])),
    );
  const [hasAccount, hasSecret] = [names.some(namesAccount), names.some(namesSecret)];
  const isGrant = members.some(({ name }) => grant.test(name));
  if (writes) return { full: false, signsIn: false, step: false, writes };
  const isBoth = hasAccount && hasSecret;
  return {
    signsIn: isBoth && !members.some(isOtherGrant),
    full: isBoth || isGrant,
    step: hasAccount || hasSecret || isGrant,
    writes,
  };
}
