import type { Calls } from './calls.ts';
import {
  grantsAccess,
  isEnrolRoute,
  isKeyRoute,
  isKeyTail,
  isLoginBody,
  isLoginRoute,
  isLoginTail,
  isOfSettings,
  isOtherAct,
  startsByPath,
} from './login.ts';
import type { Seen } from './seen.ts';
import { writesByPath } from './route.ts';
import { isSignInPage, isUnderWay, renewsItsOwn } from './under-way.ts';

/** Whether a request logs in, or is a step of that: where a log-in is under way, by its address and the shape of its body. */
export function isLogin(seen: Seen): boolean {
  const { sent, route, body, calls } = seen;
  const said = isLoginBody(body);
  if (said.writes) return false;
  if (renewsItsOwn(route, body)) return true;
  if (!isUnderWay(seen, said.signsIn)) return false;
  if (calls.protocol === 'graphql')
    return isLoginCall(calls) && (calls.does === 'write' || sent.carriesCredential);
  if ([...calls.names, ...route.said].some(isOtherAct)) return false;
  if (grantsAccess(route, body)) return sent.carriesCredential && said.full;
  return isLoginAt(seen, said);
}

/** By the address: what is done to sessions, as `/login/lock`, makes none. */
function isLoginAt(seen: Seen, said: ReturnType<typeof isLoginBody>): boolean {
  const { route, body } = seen;
  if (writesByPath(route) && !startsByPath(route)) return false;
  if (!isLoginRoute(route)) return isLoginElsewhere(seen, said);
  return isLoginThere(seen, said.step || body.members.length === 0);
}

/** What the agent typed itself where a password goes is a new one. */
const isLoginThere = ({ sent, route }: Seen, isStep: boolean): boolean =>
  isKeyTail(route) ? sent.carriesCredential && isStep : isStep || isLoginTail(route, true);

/** At an address that is not called a log-in. */
function isLoginElsewhere(seen: Seen, { full, step }: ReturnType<typeof isLoginBody>): boolean {
  const { sent, route, body, isFromLogin } = seen;
  if (isKeyRoute(route)) return sent.carriesCredential && full;
  if (doesElsewhere(seen, full) || body.members.length > maxMembers) return false;
  const isStep = step && !isOfSettings(route);
  const asksWho = full || isFromLogin || body.members.length === 0;
  return (sent.carriesCredential && asksWho) || (isStep && isAtLogin(isFromLogin, sent.pageUrl));
}

const isAtLogin = (isFromLogin: boolean, pageUrl: string): boolean => isFromLogin || isSignInPage(pageUrl);

/** Whether the address makes an account, or does what the form of a log-in does not set off. */
const doesElsewhere = ({ sent, route, isFromLogin }: Seen, full: boolean): boolean =>
  isEnrolRoute(route) ||
  (writesByPath(route) && !(sent.carriesCredential && isFromLogin && full && startsByPath(route)));

/** More than a step of a log-in has. */
const maxMembers = 25;

const isLoginCall = ({ names }: Calls): boolean =>
  names.length > 0 &&
  names.every((words) =>
    /^(do|submit|user|customer|account)?((log|sign)(in|on)(with[a-z]+|user|customer)?|auth|authenticate(user)?|create(auth)?session|createtoken|tokenauth|refreshtoken|tokenrefresh|tokencreate|(verify|send)otp)(mutation)?$/.test(
      words.join(''),
    ),
  );
