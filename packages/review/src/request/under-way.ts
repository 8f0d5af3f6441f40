import type { Body } from './body.ts';
import type { Seen } from './seen.ts';
import { isPrefix, type Route, routeOf } from './route.ts';
import { among, wordsOf } from './words.ts';

/**
 * Whether a log-in shows to be under way: the secret leaves, the operation stood at a form of a log-in, the page is one, or account and
 * secret go to where one signs in. What an address is called alone shows none.
 */
export const isUnderWay = ({ sent, route, isFromLogin }: Seen, signsIn: boolean): boolean =>
  sent.carriesCredential || isFromLogin || isSignInPage(sent.pageUrl) || (signsIn && isSignIn(route));

/** What an address of a log-in is made of beside its verb. */
const parts = among(
  'auth|authentication|oauth|oauth2|openid|openidconnect|oidc|connect|protocol|realms|identity|idp|saml|saml2|sso|session|sessions|token|refresh|refreshtoken|tokenrefresh|renew|identifier|challenge|password|pwd|otp|mfa|2fa|common|organizations|consumers|default|secure|u|[a-z]{2}',
);
const verbs = among(
  'login|signin|logon|wplogin|dologin|userlogin|weblogin|loginsubmit|loginactions|authenticate|authorize|anmelden|anmeldung|einloggen|connexion|inloggen|aanmelden|entrar|iniciarsesion|acceso|accedi|accesso|logowanie|zaloguj|giris|kirjaudu|loggain|logind|prihlaseni|belepes|autentificare',
);
const whose = among('users?|accounts?|myaccount|members?|customers?|clients?|admin');

/** Whether an address is made of words of a log-in alone, and of at most whose it is; no one thing is meant. */
function isOfLogin(names: readonly string[]): boolean {
  const owners = names.filter((name) => whose(name));
  const isOther = (name: string) => !parts(name) && !verbs(name) && !isPrefix(name) && !whose(name);
  return !names.some(isOther) && owners.length <= (owners.includes('admin') ? 1 : 2);
}

const namesOf = ({ segments }: Route): string[] => segments.map((words) => words.join(''));

export function isSignInPage(url: string): boolean {
  const route = routeOf(url);
  const names = namesOf(route);
  return !route.hasId && names.some((name) => verbs(name)) && isOfLogin(names);
}

const isSignIn = (route: Route): boolean => {
  const names = namesOf(route);
  const [last] = names.slice(-1);
  return !route.hasId && (verbs(last) || /^(sessions?|auth|token)$/.test(last ?? '')) && isOfLogin(names);
};

/** RFC 6749, sections 4.1.3 and 6, and what sites send instead. */
const ofTokens = among(
  'granttype|refreshtoken|refresh|clientid|clientsecret|clientinfo|scope|code|codeverifier|redirecturi|resource|audience|claims|x(client|ms|app).*|csrf|csrftoken|csrfmiddlewaretoken',
);

/** Of what an address is made at which a session is renewed. */
const renewing = among(
  'auth|authentication|oauth|oauth2|openidconnect|oidc|connect|protocol|realms|login|signin|sso|session|token|refresh|refreshtoken|tokenrefresh|renew',
);

/** Whether a page asks for nothing but a new token of the session that it has. */
export function renewsItsOwn(route: Route, { shape, members }: Body): boolean {
  const said = new Map(members.map(({ name, value }) => [wordsOf(name).join(''), value]));
  if (!/^(none|form|json)$/.test(shape) || ![...said.keys()].every((name) => ofTokens(name))) return false;
  const own = namesOf(route).filter((name) => !isPrefix(name));
  const grant = said.get('granttype');
  if (grant !== undefined) return grants(grant) && own.at(-1) === 'token' && renewing(own.at(-2) ?? 'oauth');
  const isOwn = said.has('refreshtoken') || said.has('refresh') || own.length > 1;
  return isOwn && !route.hasId && own.every(renewing) && renews(own.at(-1));
}

const grants = among('refresh_token|authorization_code');
const renews = among('token|refresh|refreshtoken|tokenrefresh|session|renew');
