import { accountWords, codeWords, madeWords, newWords, passwordWords, paymentWords } from './field-words.ts';
import type { ObservedField, ObservedForm } from './observation.ts';

/** What a field is for, as far as a secret may go into it. */
export const fieldUses = [
  'secret',
  'identity',
  'new-secret',
  'one-time-code',
  'payment',
  'file',
  'other',
] as const;
export type FieldUse = (typeof fieldUses)[number];

type Field = Pick<ObservedField, 'type' | 'autocomplete' | 'names'>;

/** HTML, Autofill; then the type; then the words of its names. The first that fits. */
const usesOfFields: readonly (readonly [
  FieldUse,
  (type: string, autofill: string, words: string) => boolean,
])[] = [
  ['file', (type) => type === 'file'],
  ['payment', (_, autofill) => /\bcc-/.test(autofill)],
  ['new-secret', (type, autofill) => type !== 'email' && /\bnew-password\b/.test(autofill)],
  ['one-time-code', (_, autofill) => /\bone-time-code\b/.test(autofill)],
  ['secret', (_, autofill) => /\bcurrent-password\b/.test(autofill)],
  ['payment', (_type, _, words) => paymentWords.test(words)],
  [
    'new-secret',
    (type, _, words) => (type === 'password' || passwordWords.test(words)) && newWords.test(words),
  ],
  [
    'new-secret',
    (_type, _, words) =>
      accountWords.test(words) && /\bnew\b|neue|nuev|nouvel|nuov|novo|nieuw|nowy|новый|yeni|新/i.test(words),
  ],
  ['secret', (type) => type === 'password'],
  ['identity', (type, autofill) => type === 'email' || /\b(username|email|tel)\b/.test(autofill)],
  ['one-time-code', (_type, _, words) => codeWords.test(words)],
  ['identity', (_type, _, words) => accountWords.test(words) && !/pass(word|phrase)|密码/i.test(words)],
  ['secret', (_type, _, words) => passwordWords.test(words)],
  ['identity', (_type, _, words) => accountWords.test(words)],
];

/** What a field is for in its form: a card's number beside a password, and nothing else of a card, is an account. */
export function useIn(field: Field, form: ObservedForm | null): FieldUse {
  const use = useOf(field);
  const isCard = use === 'payment' && form !== null && isCardLike(field);
  return isCard && isAccount(form.fields.filter(isTyped).map(useOf)) ? 'identity' : use;
}

/** An amount is no account, nor is the number of a card that pays. */
const isCardLike = ({ autocomplete, names }: Field): boolean =>
  !/\bcc-/.test(autocomplete) &&
  !names.some((name) => /amount|betrag|importe|montant|importo|kwota|сумма|金额|金額/i.test(name));

const isAccount = (uses: readonly FieldUse[]): boolean =>
  uses.filter((use) => use === 'payment').length === 1 && uses.includes('secret');

/** Fields that take one sign each are one code; an account that is only shown is not asked for. `isAtLogin`: by the address. */
export const usesIn = (typed: readonly ObservedField[], isAtLogin = false): FieldUse[] => {
  const isCode = typed.filter(({ single }) => single === true).length > 2;
  const isOneHidden = typed.filter(isHidden).length === 1;
  const uses = typed.map((field): FieldUse => {
    const use = isOneHidden ? useBesideHidden(field) : useOf(field);
    if (isCode && field.single === true) return 'one-time-code';
    return field.fixed === true && use === 'identity' ? 'other' : use;
  });
  if (isOneHidden && isPair(typed, uses, isAtLogin))
    return uses.map((use, at) => (isWritten(typed[at]) && use === 'other' ? 'identity' : use));
  const isCard = typed.every((field, at) => uses[at] !== 'payment' || isCardLike(field));
  return isAccount(uses) && isCard ? uses.map((use) => (use === 'payment' ? 'identity' : use)) : uses;
};

const isHidden = ({ type }: Field): boolean => type === 'password';

/**
 * Where one field hides what is typed, that is the secret: a label that names both is of both (`User ID Password`), and a
 * number behind its name (`password2`) counts no repetition.
 */
function useBesideHidden(field: ObservedField): FieldUse {
  const use = useOf(field);
  if (use === 'new-secret' && isHidden(field))
    return useOf({ ...field, names: field.names.map((name) => name.replace(/2$/, '')) });
  const isNamed = use === 'secret' && /^(text|email|tel|number)?$/.test(field.type);
  return isNamed && field.tag === 'input' && accountWords.test(field.names.map(spaced).join(' | '))
    ? 'identity'
    : use;
}

/**
 * One field, and one behind it that hides: whatever the first is called, it says whose secret that is. So it does at a log-in where
 * `autocomplete` alone calls that new.
 */
const isPair = (typed: readonly ObservedField[], uses: readonly FieldUse[], isAtLogin: boolean): boolean => {
  const written = uses.filter((_, at) => isWritten(typed[at]));
  const [first, second] = typed.filter(isWritten);
  const isByAutofill =
    isAtLogin && second !== undefined && useOf({ ...second, autocomplete: '' }) === 'secret';
  const isHiddenLast =
    written.join() === 'other,secret' || (written.join() === 'other,new-secret' && isByAutofill);
  return isHiddenLast && first !== undefined && isNameLike(first);
};

const isWritten = (field: ObservedField | undefined): boolean => field?.tag !== 'select';

const isNameLike = ({ type, fixed, names }: ObservedField): boolean =>
  /^(text|email|tel|number)?$/.test(type) &&
  fixed !== true &&
  !names.some((name) => madeWords.test(spaced(name)) || riddle.test(name));

/** Riddles, places and codes of goods: no code of a log-in. */
const riddle =
  /captcha|characters|image|picture|promo|coupon|voucher|gift|zip|postal|post ?code|country ?code|area ?code|dialling|honeypot|verifycode$|bild|captch|图形|图片/i;

/** Of a field that was asked about before: nothing in it changes, and a form asks of each several times. */
const known = new WeakMap<Field, FieldUse>();

export function useOf(field: Field): FieldUse {
  const use = known.get(field) ?? usedFor(field);
  known.set(field, use);
  return use;
}

function usedFor({ type, autocomplete, names }: Field): FieldUse {
  const words = names.map(spaced).join(' | ');
  const use =
    usesOfFields.find(([, fits]) => fits(type, autocomplete.toLowerCase(), words))?.[0] ?? singled(names);
  return use === 'one-time-code' && !/one-time-code/i.test(autocomplete) && riddle.test(words)
    ? 'other'
    : use;
}

/** `u` and `p`, or a `code` alone. */
const singled = (names: readonly string[]): FieldUse => {
  if (names.some((name) => /^(code|código|codigo|codice|kod|kód|код|kode)$/iu.test(name.trim())))
    return 'one-time-code';
  if (names.some((name) => /^(u|un|log|nick|login_?id|e)$/i.test(name.trim()))) return 'identity';
  return names.some((name) => /^(p|pw)$/i.test(name.trim())) ? 'secret' : 'other';
};

/** `newPassword` as `newPassword new Password`, for words have bounds. What is longer than a name says nothing. */
export function spaced(whole: string): string {
  const name = whole.slice(0, 120);
  return `${name} ${apart(name)}`;
}

/** The words of what a program calls something: `deleteAccount`, `delete_account`. */
export const apart = (name: string): string =>
  name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[-_.[\]]+/g, ' ');

/** Types into which nothing is typed that counts. */
const silent = new Set([
  'hidden',
  'button',
  'reset',
  'checkbox',
  'radio',
  'submit',
  'image',
  'range',
  'color',
]);

export const isTyped = ({ tag, type, visible, names }: ObservedField): boolean =>
  visible && tag !== 'button' && !silent.has(type) && !names.some((name) => solved.test(name));

/** What the script of a riddle writes its answer into. */
const solved = /^(g-recaptcha|h-captcha|cf-turnstile|frc-captcha|smart-captcha)-(response|solution|token)/;
