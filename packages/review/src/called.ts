import { isUrl, parseUrl } from '@countersign/protocol/url';
import { type FieldUse, useIn, useOf } from './field-use.ts';
import { searchWords } from './field-words.ts';
import type { Sensitive } from './lexicon.ts';
import { doneByName, isTitle, namedByText, withoutDeclined } from './named.ts';
import { isAnswer, logsInAlone, namedByQuestion } from './beside.ts';
import { isEnrolName } from './other-buttons.ts';
import type { ObservedField, ObservedTarget, Review } from './observation.ts';
import { kindsOfAddress } from './request/kinds.ts';
import { meansOne } from './request/route.ts';
import { namedByVerbs } from './request/verbs.ts';
import { wordsOf } from './request/words.ts';

export const isSubmit = ({ tag, type }: ObservedTarget): boolean =>
  tag === 'button' ? type !== 'button' && type !== 'reset' : ['submit', 'image'].includes(type);

/** Sends the form that it is in; outside of any form it is a button like others. */
const sendsForm = (target: ObservedTarget): boolean => isSubmit(target) && target.form !== null;

type Met = {
  readonly target: ObservedTarget;
  readonly operation: Review['operation'];
  readonly pageUrl: string;
  /** The form or the group in which it stands asks for a log-in. */
  readonly isLogin: boolean;
};

/**
 * What an operation at an element does by its names. A link leads somewhere, which is judged by its address, and where that means
 * one thing, by what it is called to do to it; of a list the chosen option counts; any other element does what it is called.
 */
export function namedBy({ target, operation, pageUrl, isLogin }: Met): Sensitive[] {
  const ofField = ofUse(useIn(target, target.form));
  const { operation_type: type } = operation;
  if (type === 'select') return [...doneByOption(target, operation.value), ...ofField];
  // What a log-in asks for is what it asks for; its button may say what comes after it.
  const isOfLogin = isLogin && (type === 'fill' || target.names.some(logsInAlone));
  if (isOfLogin || (type === 'fill' && target.type === 'search')) return ofField;
  return [...byItsNames(target, pageUrl), ...(isLogin ? [] : byAnswer(target)), ...ofField];
}

/** A button of a log-in form that makes an account of what is filled in there: its password is a new one. */
export const makesAccount = ({ form }: ObservedTarget, by: readonly string[]): boolean =>
  by.some(isEnrolName) && (form?.fields ?? []).some(({ type, visible }) => visible && type === 'password');

function byItsNames(target: ObservedTarget, pageUrl: string): Sensitive[] {
  if (leadsAway(target.link, pageUrl)) return doneByLink(target);
  const named = namesOf(target).map(withoutDeclined).flatMap(namedByText);
  // Places are called by what is done there; nothing is called by being deleted.
  const isPlace = target.shows === 'place' && !sendsForm(target);
  return [...saidInScript(target.link), ...(isPlace ? named.filter((kind) => kind === 'delete') : named)];
}

const doneByLink = ({ link, names }: ObservedTarget): Sensitive[] =>
  link !== null && meansOne(link) ? names.flatMap(doneByName) : [];

/** `Yes` and `OK` do what is asked above them and with the fields beside them, unless that is a search. */
function byAnswer({ names, form, group = [], titles = [] }: ObservedTarget): Sensitive[] {
  if (!names.some(isAnswer) || (form?.fields ?? group).some(isSearched)) return [];
  if (titles.some((title) => /\bcookies?\b/i.test(title))) return [];
  const beside = group.filter(({ visible }) => visible).flatMap((field) => ofUse(useOf(field)));
  return [...titles.flatMap(namedByQuestion), ...beside];
}

const isSearched = ({ tag, type, names, visible }: ObservedField): boolean =>
  visible && tag === 'input' && (type === 'search' || names.some((name) => searchWords.test(name)));

/** What a page calls by a link: `__doPostBack('grid','Delete$2')`. */
const saidInScript = (link: string | null): Sensitive[] =>
  [...(/^javascript:/i.test(link ?? '') ? (link ?? '').slice(0, 500) : '').matchAll(/'([^']*)'|"([^"]*)"/g)]
    .flatMap(([, one, other]) => namedByVerbs(wordsOf(one ?? other ?? '')))
    .filter((kind) => kind === 'delete' || kind === 'payment');

/** An option does what it is called, or leads where it says. */
function doneByOption({ options = [], frameUrl }: ObservedTarget, wanted: string): Sensitive[] {
  const [value, text] = options.find((one) => one.some((said) => said.trim() === wanted.trim())) ?? [
    wanted,
    wanted,
  ];
  const leads = /^(https?:\/\/|\/|\?|\.\.?\/)/i.test(value) && isUrl(value, frameUrl);
  return [...(leads ? kindsOfAddress('GET', new URL(value, frameUrl).href) : []), ...doneByName(text)];
}

/** Headings and rows say what they are; cells and paragraphs that are clicked mention things. */
const isText = ({ tag, role = '', names }: ObservedTarget): boolean =>
  /^(tr|th|caption|legend|h[1-6])$/.test(tag) ||
  /^(row|rowheader|columnheader|heading|treeitem|article|region)$/.test(role) ||
  ((/^(td|tbody|table|p|article|section|main|li|ul|dl|dd|dt)$/.test(tag) ||
    /^(listitem|cell|gridcell)$/.test(role)) &&
    (names[0] ?? '').trim().split(/\s+/).length > 3);

const namesOf = (target: ObservedTarget): readonly string[] => {
  if (sendsForm(target)) return target.names;
  return isText(target) || target.shows === 'part' ? [] : target.names.filter((name) => !isTitle(name));
};

export const ofUse = (use: FieldUse): Sensitive[] => {
  if (use === 'new-secret') return ['credential_change'];
  if (use === 'payment') return ['payment'];
  return use === 'file' ? ['file_upload'] : [];
};

/** `#` and `javascript:` lead nowhere: a script does what the link says. */
function leadsAway(link: string | null, pageUrl: string): boolean {
  if (link === null || !/^https?:/i.test(link)) return false;
  const [to, here] = [new URL(link), parseUrl(pageUrl)];
  return !(
    link.includes('#') &&
    here !== null &&
    to.origin + to.pathname + to.search === here.origin + here.pathname + here.search
  );
}
