import { doesMoreThanLogin, logsInAlone, namedByTitle, saysOtherAct } from './beside.ts';
import { type FieldUse, isTyped, spaced, useOf, usesIn } from './field-use.ts';
import {
  accountWords,
  addressWords,
  credentialsAsked,
  domainWords,
  enrolWords,
  helpWords,
  identifyWords,
  loginWords,
  makeWords,
  nameWords,
  orderNouns,
  passwordWords,
  personWords,
  searchWords,
  serverWords,
  signInWords,
  stayWords,
  surnameWords,
  tenantWords,
} from './field-words.ts';
import { dotted, namedByText } from './named.ts';
import type { ObservedField, ObservedForm, ObservedTarget } from './observation.ts';
import { changesFirst, isActIn, isEnrolButton, sends } from './other-buttons.ts';
import { kindsOfAddress } from './request/kinds.ts';
import { isKeyRoute, isLoginRoute, isLoginTail } from './request/login.ts';
import { routeOf } from './request/route.ts';
import { asksInSilence } from './silent.ts';

export const formPurposes = ['login', 'search', 'other'] as const;
type Purpose = (typeof formPurposes)[number];

/** Names of the buttons by which a person sends the form; the first is what Enter presses. */
export const sendNames = ({ fields }: ObservedForm): string[][] =>
  fields.filter(sends).map(({ names }) => names.map(dotted));

/** The same of a form that a script sends: no button does so by itself, so any of them may. */
const pressedNames = (form: ObservedForm): string[][] => {
  const sending = sendNames(form);
  const isPressed = ({ tag, type, visible }: ObservedField): boolean =>
    visible && type !== 'reset' && (tag === 'button' || type === 'button');
  const names =
    sending.length > 0 ? sending : form.fields.filter(isPressed).map(({ names }) => names.map(dotted));
  if (!form.fields.some(isHidden)) return names;
  // Whoever forgot the password sends none.
  const others = names.filter((called) => !isHelp(called));
  return others.length > 0 || names.every(isKeyHelp) ? others : names;
};

/** A button for those who lost or forgot something, by which nothing is done but that they get another password. */
const isHelp = (called: readonly string[]): boolean =>
  called.some((name) => helpWords.test(name)) &&
  !called.some((name) =>
    [...namedByText(name), ...namedByTitle(name)].some((kind) => kind !== 'credential_change'),
  );

/** Of these, what says that it is the password or the name that is lost. */
const isKeyHelp = (called: readonly string[]): boolean =>
  called.some((name) => passwordWords.test(name) || accountWords.test(name));

const isHidden = ({ type, visible }: ObservedField): boolean => visible && type === 'password';

/** What a person who sees the form takes it for. */
export function purposeOf(form: ObservedForm, at: Pick<ObservedTarget, 'frameUrl' | 'titles'>): Purpose {
  if (isLoginForm(form, at)) return 'login';
  if (saysOtherAct(form)) return 'other';
  const typed = form.fields.filter(isTyped);
  const secret = typed.some((field) => !['identity', 'other', 'one-time-code'].includes(useOf(field)));
  if (secret || typed.some(({ tag }) => tag === 'textarea')) return 'other';
  const asks =
    form.method === 'GET' ||
    form.method === 'UNSAID' ||
    (form.method === 'DIALOG' && typed.length === 0) ||
    typed.some(({ type, names }) => type === 'search' || names.some((name) => searchWords.test(name))) ||
    sendNames(form).some((names) => names.some((name) => searchWords.test(name)));
  return asks ? 'search' : 'other';
}

/** The same of a field that no form holds, by the fields and buttons that stand together with it; null where none are known. */
export const purposeOfGroup = ({ form, group, frameUrl, titles }: ObservedTarget): Purpose | null =>
  form !== null || group === undefined
    ? null
    : purposeOf({ action: frameUrl, method: 'UNSAID', fields: group }, { frameUrl, titles: titles ?? [] });

/** More than a log-in asks beside account and password: a tenant, a riddle, an answer. */
const maxOthers = 3;

/** A form with its parts read, and the page on which it stands. */
type Read = {
  readonly form: ObservedForm;
  readonly typed: readonly ObservedField[];
  readonly uses: readonly FieldUse[];
  /** Of the buttons that send it, or may. */
  readonly names: readonly string[];
  /** Of these, of the first that stands behind the password. */
  readonly first: readonly string[];
  readonly titles: readonly string[];
  readonly pageUrl: string;
};

function isLoginForm(
  form: ObservedForm,
  { frameUrl, titles = [] }: Pick<ObservedTarget, 'frameUrl' | 'titles'>,
): boolean {
  const typed = form.fields.filter(isTyped);
  const pressed = pressedNames(form);
  const [first = pressed[0] ?? []] = pressedNames(fromSecret(form));
  const isAt = isLoginTail(routeOf(form.action)) || isLoginRoute(routeOf(frameUrl));
  const uses = usesIn(typed, isAt && !titles.some((title) => makeWords.test(title)));
  const read = { form, typed, uses, names: pressed.flat(), first, titles, pageUrl: frameUrl };
  return !doesMore(read) && asksAsLogin(read, saidBy(read));
}

/** Without what stands above the password: where a page is one form, its search and its way to an account do too. */
const fromSecret = (form: ObservedForm): ObservedForm => ({
  ...form,
  fields: form.fields.slice(Math.max(form.fields.findLastIndex(isHidden), 0)),
});

const signsIn = ({ names }: Read): boolean =>
  names.some((name) => signInWords.test(name) && !enrolWords.test(name));
const goesOn = ({ names }: Read): boolean =>
  names.some((name) => loginWords.test(name) && !enrolWords.test(name));
const isAtLogin = ({ form }: Read): boolean => isLoginTail(routeOf(form.action));

/** Whether fields, buttons, what stands beside them or the address are for something else. */
const doesMore = (read: Read): boolean =>
  othersIn(read) > maxOthers ||
  asksForMore(read.typed, read.uses) ||
  (!goesOn(read) && read.names.some(isCalledOther)) ||
  read.names.some((name) => signInWords.test(name) && !logsInAlone(name)) ||
  doesMoreThanLogin(read) ||
  read.form.fields.some(isActIn(read.form)) ||
  (read.uses.includes('new-secret') && changesPassword(read)) ||
  (!isAtLogin(read) && leadsElsewhere(read));

/** Whether a button or a heading says that the password which a field calls new will be that. */
const changesPassword = ({ form, first, titles }: Read): boolean =>
  form.fields.some((field) => isEnrolButton(field, first.some(logsInAlone))) || titles.some(changesFirst);

const othersIn = ({ typed, uses }: Read): number =>
  typed.filter(({ tag, fixed }, at) => uses[at] === 'other' && tag !== 'select' && fixed !== true).length;

function saidBy(read: Read): Said {
  const page = routeOf(read.pageUrl);
  const isHere = isAtLogin(read);
  const isPlace = isHere || isLoginRoute(page);
  const isSaid =
    isPlace || signsIn(read) || page.segments.some(isOfLogins) || saysSo(read) || asksInSilence(read);
  return {
    logsIn: goesOn(read),
    signsIn: signsIn(read) || isHere,
    isHere,
    isKnown: goesOn(read) || isPlace || (read.names.length === 0 && isSaid),
    isSaid,
  };
}

/** `/auth/mdp`: the part of a site in which people log in. */
const isOfLogins = (words: readonly string[]): boolean =>
  /^(auth|authentication|login|logon|signin|oauth2?|idp|sso)$/.test(words.join(''));

/** By a field for the password one has, or by what stands beside the fields; what one is called says nothing of the form. */
const saysSo = (read: Read): boolean =>
  read.typed.some(isCurrent) ||
  read.titles.some(
    (title) =>
      (signInWords.test(title) ||
        (identifyWords.test(title) && !orderNouns.test(title)) ||
        credentialsAsked.test(title.trim())) &&
      !read.typed.some(({ names }) => names.includes(title)),
  ) ||
  (read.uses.includes('identity') && (isWrittenAsLogin(read.form) || read.typed.some(isOfLoginByName)));

/** By a box to stay logged in, or by what its site calls its buttons and hidden fields, whatever language its people read. */
const isWrittenAsLogin = ({ fields }: ObservedForm): boolean =>
  fields.some(({ tag, type, names, visible, value = '' }) => {
    if (type === 'checkbox') return visible && names.some((name) => stayWords.test(name));
    const isButton = tag === 'button' || ['submit', 'image', 'button'].includes(type);
    const isOfSite = isButton ? visible : type === 'hidden' || type === 'password';
    return isOfSite && [...names, value].some((name) => /\b(log|sign) ?(in|on)\b/i.test(spaced(name)));
  });

/** Whether it has a field that no log-in has. */
const asksForMore = (typed: readonly ObservedField[], uses: readonly FieldUse[]): boolean =>
  typed.some((field, at) => isForeign(field, uses[at], isSurnameAlone(typed, uses, field))) ||
  (uses.some(isToKeep) && typed.some((field, at) => namesServer(field, uses[at])));

/** A button that makes an account, or does something. */
const isCalledOther = (name: string): boolean => enrolWords.test(name) || namedByText(name).length > 0;

/** Whether its address does something. One without an address is sent to that of its page: a checkout lets its customers log in. */
function leadsElsewhere(read: Read): boolean {
  const { action } = read.form;
  const asksWho = asksWhoIsThere(read);
  const asks = asksWho || (isKeyPage(action) && asksOneAlone(read));
  return kindsOfAddress('POST', action).some((kind) => {
    if (kind === 'payment') return !(asksWho && action === read.pageUrl);
    // `/members/` is where these log in, too.
    if (kind === 'permission_grant') return !(asksWho && isArea(action));
    return !(asks && kind === 'credential_change');
  });
}

/** A part of a site by its name alone, and nothing that is done there. */
const isArea = (action: string): boolean => {
  const { segments, said, hasId } = routeOf(action);
  return said.length === 0 && !hasId && segments.length === 1;
};

/** `/pin` and `/password` are where these are asked for, too: who gives account and secret there signs in, as the button says. */
const asksWhoIsThere = (read: Read): boolean =>
  read.uses.includes('identity') &&
  read.uses.filter((use) => use === 'secret' || use === 'new-secret').join() === 'secret' &&
  signsIn(read);

/** `/u/password` and `/enter-password`; not `/change-password`. */
function isKeyPage(action: string): boolean {
  const route = routeOf(action);
  const last = route.segments.at(-1) ?? [];
  const changes = last.some((word) => /^(change|reset|update|set|new|edit|create|forgot|recover)/.test(word));
  return !changes && isKeyRoute({ ...route, segments: [...route.segments.slice(0, -1), last.slice(-1)] });
}

/** A hosted second page: the password that one has, and nothing else. */
const asksOneAlone = ({ typed, uses }: Read): boolean =>
  uses.filter((use) => use !== 'other').join() === 'secret' && typed.some(isCurrent);

type Said = {
  /** By a button, which may say no more than `Continue`. */
  readonly logsIn: boolean;
  /** By a button or the form's address, in so many words. */
  readonly signsIn: boolean;
  /** Anywhere: button, address of form or page, headings, or the field asks for the password one has. */
  readonly isSaid: boolean;
  readonly isHere: boolean;
  readonly isKnown: boolean;
};

/** Account and secret; a secret alone; a code; or an account alone, where button or address say that it is for that. */
function asksAsLogin(read: Read, said: Said): boolean {
  const { typed, uses } = read;
  const count = (use: FieldUse): number =>
    uses.filter((one, at) => one === use && !(use === 'identity' && typed[at]?.tag === 'select')).length;
  const [fresh, accounts] = [count('new-secret'), count('identity')];
  const secrets = count('secret') + fresh;
  const isOfNobody = secrets > 0 && !said.isSaid;
  if (isOfNobody || (fresh > 0 && !asksByOtherName(read, said, { secrets, accounts }))) return false;
  if (secrets > 0) return secrets === 1 ? accounts <= 3 : isTwofold(typed, secrets, said);
  if (count('one-time-code') > 0) return accounts <= 1;
  return said.isKnown && accounts > 0 && accounts <= 2 && othersIn(read) <= 2;
}

/** The password of an account, which only `autocomplete` calls new. */
const asksByOtherName = (
  { typed }: Read,
  said: Said,
  { secrets, accounts }: { readonly secrets: number; readonly accounts: number },
): boolean => secrets === 1 && accounts > 0 && said.signsIn && onlyByAutofill(typed);

/** A field for a password that its site calls one of a log-in: `LoginPortlet_password`. */
const isOfLoginByName = ({ type, names }: ObservedField): boolean =>
  type === 'password' && names.some((name) => /login(portlet)?[-_.[]*(pass|pwd)/i.test(name));

/** Cards, files, persons and what is written for others. */
const isForeign = (field: ObservedField, use: FieldUse | undefined, isSurname = false): boolean =>
  use === 'payment' ||
  use === 'file' ||
  field.tag === 'textarea' ||
  (use !== 'secret' && !isSurname && field.names.some(namesPerson)) ||
  (use === 'other' && field.names.some((name) => nameWords.test(name)));

/** What is explained in brackets is no name. */
const namesPerson = (name: string): boolean =>
  personWords.test(spaced(name.slice(0, 200).replace(/\([^)]*\)/g, ' ')));

/** Airlines and libraries ask for the surname beside number and PIN; who is new has another name as well. */
const isSurnameAlone = (
  typed: readonly ObservedField[],
  uses: readonly FieldUse[],
  field: ObservedField,
): boolean =>
  uses.includes('identity') &&
  uses.filter((use) => use === 'secret').length === 1 &&
  field.names.some((name) => surnameWords.test(spaced(name))) &&
  typed.filter(({ names }) => names.some(namesPerson)).length === 1;

/** A log-in asks who it is; whoever has logged in and is asked for the secret alone confirms something. */
export function asksSecretAlone({ fields }: ObservedForm): boolean {
  const uses = usesIn(fields.filter(isTyped));
  return uses.includes('secret') && !uses.includes('identity');
}

const isToKeep = (use: FieldUse): boolean => ['secret', 'new-secret', 'one-time-code'].includes(use);

/** Whoever fills it decides which machine gets what is typed beside it; of a list the site has said which. */
function namesServer(
  { tag, type, autocomplete, names, fixed }: ObservedField,
  use: FieldUse | undefined,
): boolean {
  if (tag === 'select' || type === 'password') return false;
  // One of the site's own; a machine that is shown may have been named in the address.
  if (fixed === true && names.every((name) => /^(database|db|datenbank|base de datos)$/i.test(name.trim())))
    return false;
  const words = names.map((name) => spaced(name.replace(mailbox, ' ')));
  const has = (meant: RegExp): boolean => words.some((name) => meant.test(name));
  if (type === 'url' || /\burl\b/i.test(autocomplete) || has(serverWords)) return true;
  return !has(tenantWords) && (has(addressWords) || (use !== 'identity' && has(domainWords)));
}

/** An example of an account, which stands on no machine that is asked for. */
const mailbox = /[^\s@]+@[^\s@]+/g;

/** Sites write `new-password` to keep browsers from filling a log-in. */
const onlyByAutofill = (typed: readonly ObservedField[]): boolean =>
  typed.every((field) => useOf({ ...field, autocomplete: '' }) !== 'new-secret');

/** A PIN or a second password beside the first; or the one that there is, asked twice. */
const isTwofold = (typed: readonly ObservedField[], secrets: number, { logsIn, isHere }: Said): boolean =>
  secrets === 2 && logsIn && (typed.some(isPin) || (isHere && typed.filter(isCurrent).length === 2));

const isCurrent = ({ autocomplete }: ObservedField): boolean => /\bcurrent-password\b/i.test(autocomplete);

const isPin = ({ names }: ObservedField): boolean =>
  names.some((name) => /\bpin\b|code|memorable|tan\b|token|secret|second/i.test(spaced(name)));
