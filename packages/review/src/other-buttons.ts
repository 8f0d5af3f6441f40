import { namedByTitle, saidAsWell } from './beside.ts';
import { apart } from './field-use.ts';
import {
  accountWords,
  enrolWords,
  helpWords,
  passwordWords,
  recoverWords,
  signInWords,
  signUpWords,
  stayWords,
  viewWords,
} from './field-words.ts';
import type { Sensitive } from './lexicon.ts';
import { doneByName, dotted, namedByText } from './named.ts';
import type { ObservedField, ObservedForm } from './observation.ts';

const isButton = ({ tag, type, visible }: ObservedField): boolean =>
  visible && type !== 'reset' && (tag === 'button' || ['submit', 'image', 'button'].includes(type));

/** A button by which a person sends the form. */
export const sends = (field: ObservedField): boolean => isButton(field) && field.type !== 'button';

/**
 * What a button is called that makes an account or the like. Who is let in is told so first, and of nothing that is made as well; to
 * help or to remember somebody makes none either, unless an account is made.
 */
export function isEnrolName(name: string): boolean {
  const at = name.search(enrolWords);
  const helps = (helpWords.test(name) || stayWords.test(name)) && !signUpWords.test(name);
  if (at < 0 || helps) return false;
  const letsIn = name.search(signInWords);
  return letsIn < 0 || letsIn > at || signUpWords.test(saidAsWell(name));
}

/** Whether a heading speaks of another password before it speaks of logging in. */
export function changesFirst(title: string): boolean {
  const [said = title] = title.split(signInWords);
  return namedByTitle(said).includes('credential_change');
}

/**
 * Whether a button, by sending the form or by a script, makes an account or a new password of what is filled in. What changes how the page
 * is shown does not; nor does, beside one that logs in, the way to another password.
 */
export const isEnrolButton = (field: ObservedField, isBesideLogin: boolean): boolean =>
  isButton(field) &&
  field.names.some(isEnrolName) &&
  !field.names.some((name) => changesView(name) || (isBesideLogin && recovers(name)));

const changesView = (name: string): boolean =>
  viewWords.test(apart(name)) && !passwordWords.test(name) && !signUpWords.test(name);

const recovers = (name: string): boolean =>
  recoverWords.test(name) && (passwordWords.test(name) || accountWords.test(name)) && !signUpWords.test(name);

/** What nobody does who has not logged in. */
const acts: ReadonlySet<Sensitive> = new Set([
  'delete',
  'payment',
  'mfa_change',
  'api_key_creation',
  'permission_grant',
]);

/** All that a button is called which empties fields; one that names more deletes that. */
const clears =
  /^((clear|reset|delete|empty|effacer|vider|borrar|limpiar|cancella|svuota|wis) )?((all|the|alle|die|la|les|el|los|todos los|i|tutti i) )*(eingaben?|felder|input|inputs|(input|text|form) ?fields?|saisies?|campos|campi|velden)( (löschen|leeren|wissen))?$|^(入力(内容|欄)を?(削除|消去)|(清除|删除|清空)输入(框|内容)?|입력 ?(내용|란) ?(삭제|지우기))$/iu;

/**
 * Paying without an account, or a subscription, which is one; a shop has its cart beside; the rest consents and chooses. What was typed
 * is cleared, and nothing deleted by that.
 */
const besides: Readonly<Partial<Record<Sensitive, RegExp>>> = {
  payment: new RegExp(
    `${signUpWords.source}|\\bguest\\b|\\bwithout\\b|check ?out|donate|^(quick|express|fast|one[- ]time) ?pay(ment)?s?$`,
    'iu',
  ),
  permission_grant: /\b(authori[sz]e|allow|invit\w+|accept)\b/i,
  delete: new RegExp(`\\bcookies?\\b|${clears.source}`, 'iu'),
};

/** Whether a button is called by something that nobody does who has not logged in. */
const namesAct = (names: readonly string[]): boolean => {
  const called = names.map((name) => dotted(apart(name)));
  return called
    .filter((name) => !signInWords.test(name))
    .flatMap((name) => [...namedByText(name), ...namedByTitle(name), ...doneByName(name)])
    .some((kind) => acts.has(kind) && !called.some((name) => besides[kind]?.test(name)));
};

/**
 * Which buttons of a form do something else than to log in: those that send it; of others, which may clear a field or be keys for a PIN,
 * what says of what.
 */
export function isActIn({ fields }: ObservedForm): (field: ObservedField) => boolean {
  const digits = fields.filter((field) => isButton(field) && field.names.some((name) => /^\d$/.test(name)));
  const isSent = fields.some(sends);
  const isWhole = (field: ObservedField) => digits.length < 10 && (sends(field) || !isSent);
  return (field) =>
    isButton(field) && namesAct(field.names.filter((name) => isWhole(field) || saysOfWhat.test(apart(name))));
}

const saysOfWhat = /\S\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u;
