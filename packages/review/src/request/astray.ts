import { enrolWords, loginWords, passwordWords, signInWords } from '../field-words.ts';
import { useIn } from '../field-use.ts';
import { purposeOf, purposeOfGroup } from '../form.ts';
import { isUnderOtherTitle, namedByTitle } from '../beside.ts';
import { namedByText } from '../named.ts';
import type { ObservedField, ObservedTarget } from '../observation.ts';
import type { Put, SetOff } from './put.ts';
import type { Route } from './route.ts';
import { among } from './words.ts';

/**
 * Whether a secret goes astray: its field has become something else since it was filled, what set the request off is no log-in, or what is
 * sent there others read. `isSignIn`: the request is called a log-in.
 */
export function goesAstray(put: Put, setOff: SetOff, { route, isSignIn }: To): boolean {
  const [before, now] = [standingBefore(put), standingNow(put)];
  if (before === 'other' || now === 'other') return true;
  if (!put.asLogin) return false;
  const isAtLogin = before === 'kept' ? isSignIn || logsIn(put, setOff) : setOff.isLogin;
  return !isAtLogin || (!saysWhere(put.was) && isForOthers(route));
}

/** By what stands together with the field, or is called so; a tab of its page may stand near. */
function logsIn({ was, before }: Put, { isLogin, names }: SetOff): boolean {
  if (names.some((name) => signInWords.test(name) && !isAct(name))) return true;
  const isPart = partsOf(before ?? was).some(
    (part) => part.names.length > 0 && part.names.every((name) => names.includes(name)),
  );
  const goesOn = names.length === 0 || names.some((name) => loginWords.test(name) && !isAct(name));
  return isLogin && (isPart || goesOn);
}

type To = { readonly route: Route; readonly isSignIn: boolean };

/** Its form names an address, so that no script sends it elsewhere. */
const saysWhere = ({ form, frameUrl }: ObservedTarget): boolean =>
  form?.method === 'POST' && form.action !== frameUrl;

const isForOthers = ({ segments }: Route): boolean => keptForOthers(segments.at(-1)?.join(''));
const keptForOthers = among(
  'comments?|repl(y|ies)|reviews?|guestbook|gaestebuch|shouts?|shoutbox|tweets?|toots?|feedback|discussions?|announcements?',
);

type Standing = 'kept' | 'away' | 'other';

/** Before the page could answer: nothing of it works, or turns, yet. */
function standingBefore({ asLogin, was, before }: Put): Standing {
  if (before === null || !before.visible) return 'away';
  if (isSame(was, before)) return 'kept';
  if (!isCalledAlike(was, before)) return 'other';
  if (!asLogin) return asksNoMore(was, before) ? 'kept' : 'other';
  return isLogin(before) && (saysSignIn(before) || !saysSignIn(was)) ? 'kept' : 'other';
}

/**
 * Its page is at work by then: the form may be gone or off, its button may say so or turn into a wheel. Other is what asks for something
 * else, leads elsewhere or names an act.
 */
function standingNow({ was, before, now }: Put): Standing {
  if (now === null || now === 'unknown' || !now.visible) return 'away';
  const stood = before?.visible === true ? before : was;
  if (isSame(stood, now)) return 'kept';
  const isOther = !isCalledAlike(was, now) || !asksNoMore(stood, now) || namesNewAct(stood, now);
  return isOther ? 'other' : 'kept';
}

const partsOf = ({ form, group = [] }: ObservedTarget): readonly ObservedField[] => form?.fields ?? group;

const isButton = ({ tag, type }: ObservedField): boolean =>
  tag === 'button' || /^(submit|button|image|reset)$/.test(type);

/** All that a person reads there. That what was typed is shown makes no other. */
const isSame = (one: ObservedTarget, other: ObservedTarget): boolean => shownIn(one) === shownIn(other);
const shownIn = (target: ObservedTarget): string =>
  JSON.stringify([
    target.names,
    target.form?.action,
    target.form?.method,
    target.titles,
    partsOf(target).map((part) => [part.tag, part.names, part.value, isButton(part) || part.visible]),
  ]);

/** By the same name, by one that has more to say, or by another of a password. */
function isCalledAlike(was: ObservedTarget, seen: ObservedTarget): boolean {
  if (was.tag !== seen.tag) return false;
  const [before, now] = [nameOf(was), nameOf(seen)];
  const isPart = before !== '' && now !== '' && (before.includes(now) || now.includes(before));
  return before === now || isPart || passwordWords.test(now) || was.names.some((name) => plain(name) === now);
}
const nameOf = ({ names }: ObservedTarget): string => plain(names[0] ?? '');
const plain = (name: string): string => name.toLowerCase().trim();

/** The same address, and nothing more to fill in: of a field that is called otherwise one name stays. */
function asksNoMore(was: ObservedTarget, seen: ObservedTarget): boolean {
  const before = new Set(partsOf(was).filter(isToFill).flatMap(namesOf));
  const isNew = (field: ObservedField): boolean =>
    isToFill(field) && !namesOf(field).some((name) => before.has(name));
  return was.form?.action === seen.form?.action && !partsOf(seen).some(isNew);
}

const isToFill = (field: ObservedField): boolean => field.visible && !isButton(field);

/** What has no name is called that. */
const namesOf = ({ names }: ObservedField): readonly string[] => (names.length === 0 ? [''] : names);

/** The field of a log-in for what one has, whether it hides that or not. */
function isLogin(seen: ObservedTarget): boolean {
  const { form, frameUrl, titles = [] } = seen;
  const use = useIn({ ...seen, type: seen.type === 'text' ? 'password' : seen.type }, form);
  if (!['secret', 'new-secret', 'one-time-code'].includes(use)) return false;
  if (form !== null) return purposeOf(form, { frameUrl, titles }) === 'login';
  const purpose = purposeOfGroup(seen);
  return purpose === null ? !isUnderOtherTitle(titles, [], false) : purpose === 'login';
}

const saysSignIn = (target: ObservedTarget): boolean =>
  [
    ...(target.titles ?? []),
    ...partsOf(target)
      .filter(isButton)
      .flatMap(({ names }) => names),
  ].some((text) => signInWords.test(text));

/** Above it, or by a button that was called otherwise; of more or fewer parts nobody knows which was which. */
function namesNewAct(before: ObservedTarget, now: ObservedTarget): boolean {
  const titles = (now.titles ?? []).filter((title) => before.titles?.includes(title) !== true);
  if (titles.some((title) => namedByTitle(title).length > 0)) return true;
  if (partsOf(before).length !== partsOf(now).length) return false;
  const known = new Set(partsOf(before).flatMap(({ names }) => names));
  const names = partsOf(now)
    .filter(isButton)
    .flatMap((button) => button.names);
  return names.some((name) => !known.has(name) && isAct(name));
}

const isAct = (name: string): boolean => enrolWords.test(name) || namedByText(name).length > 0;
