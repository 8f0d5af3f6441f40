import type { FieldUse } from './field-use.ts';
import { linkWords, makeWords, signInWords } from './field-words.ts';
import type { Sensitive } from './lexicon.ts';
import { doneByName, namedBySentence, withoutForbidden } from './named.ts';
import type { ObservedForm } from './observation.ts';
import type { Body, Member } from './request/body.ts';
import { callsIn } from './request/calls.ts';
import { kindsOfMembers } from './request/kinds.ts';
import { isLoginBody, isOtherAct } from './request/login.ts';
import { routeOf } from './request/route.ts';

/** What a heading can say that a form does; others, such as `Log in to comment`, speak of what comes after it. */
const told: ReadonlySet<Sensitive> = new Set([
  'delete',
  'payment',
  'credential_change',
  'mfa_change',
  'api_key_creation',
  'permission_grant',
  'bulk_export',
]);

/** To confirm one's password changes none, a device is not somebody, and codes that were kept are no copy of data. */
const confirming =
  /\bback-?up codes?\b|\b(re-?)?confirm\b(?=.{0,12}\b(password|passphrase|pin|e-?mail)\b)|\b(authori[sz]e|trust|remember)\b(?=.{0,12}\b(device|browser|computer)\b)/gi;

/** `Acme Pay` */
const brand =
  /(?<!\p{L})(?!(?:And|To|Or|Then|Now|Please|Confirm)\s)\p{Lu}\p{L}*\s+Pay(?!\p{L}|\s+(?:your|the|my|now|\p{Sc}))/gu;

/** What is only supposed or asked about. */
const supposed = /^(how|what|why|where|if|in case|should you|you (can|may)|wenn|falls|jeśli|если)(?!\p{L})/iu;

/** Deleting as a noun, and what will be: `Confirm account deletion`, `The file will be removed`. */
const deletion =
  /\b(will|to) be (permanently |irrevocably )?(deleted|removed|erased|cancell?ed|closed|terminated|lost)\b|\b(account|profile|user|workspace|project|data|subscription) (deletion|removal|closure|cancellation|termination)\b|\b(deletion|closure|termination) of\b|^(deleting|closing|erasing) (your|my|this|the) (account|profile|user|workspace|project|data)\b/i;

/** What a sentence beside a form or a question says that is done. */
export function namedByTitle(title: string): Sensitive[] {
  if (supposed.test(title)) return [];
  const said = withoutForbidden(title).replaceAll(confirming, ' ').replaceAll(brand, ' ');
  const named = namedBySentence(said).filter((kind) => told.has(kind));
  return deletion.test(said) ? ['delete', ...named] : named;
}

/** The same of a question that is answered: `Remove photo?` is about one. */
export const namedByQuestion = (title: string): Sensitive[] => [
  ...namedByTitle(title),
  ...doneByName(title.replace(/\s*[?？]$/, '')),
];

/** One payment, and not whatever somebody has to pay. */
const amount = /\p{Sc}\s?\d|\d\s?(\p{Sc}|(EUR|USD|GBP|CHF|JPY|CNY|INR)\b)/u;

/** A whole sentence whose subject nobody may do: `Unauthorized attempts to delete information are prohibited.` */
const prohibition =
  /(?<=^|[.!]\s+)(any )?unauthori[sz]ed attempts? to (?:(?!(?:is|are|will|your|my|this|these|here|below)\b)[\p{L},]+ )+(is|are) (strictly )?(prohibited|forbidden)( and (may|can|will) be (punished|prosecuted)( by law)?)?(\.(?=\s|$)|$)/giu;

/** What somebody who logs in does not do afterwards. */
const grave: ReadonlySet<Sensitive> = new Set(['delete', 'mfa_change', 'api_key_creation']);
const isGrave = (title: string): boolean =>
  !signInWords.test(title) &&
  namedByTitle(title).some(
    (kind) =>
      grave.has(kind) ||
      (kind === 'payment' && amount.test(title)) ||
      (kind === 'permission_grant' && /\bownership\b/i.test(title)),
  );

/**
 * Whether what stands beside a form says that it is for something else than to log in. Where the account is asked for, and button or
 * heading say `Log in`, it may be paid afterwards, and what is prohibited is not done; where the password alone is asked for, it is for that.
 */
export const isUnderOtherTitle = (
  titles: readonly string[],
  sends: readonly string[],
  hasAccount: boolean,
): boolean =>
  hasAccount && [...sends, ...titles].some((text) => signInWords.test(text))
    ? titles.some((title) => isGrave(title.replaceAll(prohibition, ' ')))
    : titles.some((title) => namedByTitle(title).length > 0);

/** `Log in and pay` does both, as does `Pay and log in`; `Log in to view and pay bills` logs in. */
const also = /(?:&|(?<!\p{L})(?:and|und|et|y|e|en|i|и|ve)(?!\p{L}))(.*)$/iu;
const then = /(?<!\p{L})(?:to|um|pour|para|per|om)(?!\p{L})/iu;
export const logsInAlone = (name: string): boolean => {
  if (!signInWords.test(name)) return false;
  const said = name.split(then)[0] ?? '';
  const as = also.exec(said);
  const before = said.slice(0, as?.index ?? 0);
  return (
    namedByTitle(as?.[1] ?? '').length === 0 &&
    // `Authorize & log in` names no act beside.
    (signInWords.test(before) || namedByTitle(before).every((kind) => kind === 'permission_grant'))
  );
};

/** What a name says as well: `Log in and register`. */
export const saidAsWell = (name: string): string => also.exec(name)?.[1] ?? '';

/**
 * Whether a heading says that something is made, whose password will be new. Where a button logs in it speaks to those who have no
 * account yet (a button of its own may make one), or gives news and advice; unless an account of elsewhere is linked.
 */
export const makesSomething = (titles: readonly string[], isLogin: boolean): boolean =>
  titles.some(
    (title) =>
      makeWords.test(title) &&
      !signInWords.test(title) &&
      !/[?？]\s*$/.test(title) &&
      !(isLogin && (!linkWords.test(title) || namesFields.test(title))),
  );

/** `Add username and password`: what is to be filled in below. */
const namesFields =
  /^(add|set up) (a |an |your |the )?(user ?name|e-?mail)( address)? (and|&|or) (a |your |the )?password$/i;

/** What agrees to what stands above it, and says no more. */
const answer =
  /^(yes|ok|okay|confirm|continue|proceed|go ahead|sure|i am sure|i['’]m sure|i understand|ja|oui|sí|si|sim|да|evet|tak|ano|igen|da|bestätigen|confirmer|confirmar|conferma|bevestigen|potwierdź|подтвердить|onayla|はい|確認|確定|确定|确认|是|是的|예|네|확인)(?!\p{L})/iu;
export const isAnswer = (name: string): boolean =>
  answer.test(name.trim()) && name.trim().split(/\s+/).length <= 4;

/** What nobody sees and is sent with the form. */
const hiddenIn = ({ fields }: ObservedForm): Body => ({
  shape: 'form',
  members: fields.flatMap(({ names, value = '' }): Member[] =>
    value === '' ? [] : names.map((name) => ({ name, value, depth: 0 })),
  ),
  hasFile: false,
});

const state = /^(status|state|type)$/i;

/** Whether hidden fields or the query of its address say that a form does something else than its other fields. */
export function saysOtherAct(form: ObservedForm): boolean {
  const { shape, members, hasFile } = hiddenIn(form);
  const said = members.filter(({ name }) => !state.test(name));
  const { names } = callsIn({ shape, members: said, hasFile }, []);
  return [...names, ...routeOf(form.action).said].some(isOtherAct) || kindsOfMembers(said).length > 0;
}

type Asking = {
  readonly form: ObservedForm;
  readonly titles: readonly string[];
  /** Of all buttons that send it, and of the first behind the password. */
  readonly names: readonly string[];
  readonly first: readonly string[];
  readonly uses: readonly FieldUse[];
};

/** Of one that is there: a password that a field calls new is that of what is made. */
const isOfAccount = (uses: readonly FieldUse[]): boolean =>
  uses.includes('identity') && !uses.includes('new-secret');

/** Whether headings say so, or what nobody sees is written for something else than a log-in: an amount, a new address. */
export const doesMoreThanLogin = ({ form, titles, names, first, uses }: Asking): boolean =>
  isUnderOtherTitle(titles, names, uses.includes('identity')) ||
  makesSomething(titles, isOfAccount(uses) && first.some(logsInAlone)) ||
  saysOtherAct(form) ||
  isLoginBody(hiddenIn(form)).writes;

export const kindsBeside = (form: ObservedForm, titles: readonly string[]): Sensitive[] => [
  ...titles.flatMap(namedByTitle),
  ...kindsOfMembers(hiddenIn(form).members),
];
