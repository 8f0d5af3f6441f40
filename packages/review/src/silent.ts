import { namedByTitle } from './beside.ts';
import { type FieldUse, spaced, useOf } from './field-use.ts';
import {
  accountWords,
  enrolWords,
  madeWords,
  makeWords,
  newWords,
  passwordWords,
  serverWords,
  stayWords,
  surnameWords,
} from './field-words.ts';
import { namedByText } from './named.ts';
import type { ObservedField, ObservedForm } from './observation.ts';
import { isPrefix, routeOf } from './request/route.ts';
import { among, wordsOf } from './request/words.ts';
import { isUrl } from '@countersign/protocol/url';

type Asked = {
  readonly form: ObservedForm;
  readonly typed: readonly ObservedField[];
  readonly uses: readonly FieldUse[];
  readonly names: readonly string[];
  readonly titles: readonly string[];
  readonly pageUrl: string;
};

/** Where a site begins, and says nothing of what is done there. */
const entry = among(
  'home|homepage|default|main|start|welcome|portal|index|patron|patroninfo|member|mypage|intranet|extranet|en|de|fr|es|it|pt|nl|pl|ru|ja|ko|zh|enus|engb|dede|ptbr|zhcn',
);

/** What a button is called that only goes on; icons have no name. */
const goes =
  /^(go|ok|okay|next|continue|proceed|enter|submit|weiter|los|suivant|continuer|valider|siguiente|continuar|entrar|avanti|continua|próximo|volgende|dalej|далее|продолжить|devam|další|tovább|nästa|neste|næste|seuraava|次へ|다음|확인|absenden|送信|提交|제출|下一步|确定|继续|→|›|»|>)[\s!.→›»>]*$/iu;
/** What programs call a button that a person sees as a picture. */
const ofProgram = /^(?=.*[\d$:_-])[\w$:.-]{1,80}$|^(btn|button|submit|img|image|go|login)[a-z]*$/i;

/**
 * Whether a page asks who is there and says nothing at all: the way into a site whose people know what it is. One name and one hidden
 * password, nothing else to fill in, no heading, a button that only goes on, at an address that says nothing either. What is set or made
 * says of what: by a heading, a button, its address or a further field.
 */
export const asksInSilence = ({ form, typed, uses, names, titles, pageUrl }: Asked): boolean =>
  isNameAndPassword(typed, uses) &&
  !typed.some(saysMore) &&
  onlyGoesOn(form, names) &&
  titles.every((title) => isLabel(title, form)) &&
  isEntry(form.action) &&
  isEntry(pageUrl);

/** Of whom or what, or what becomes of it: who logs in is called by a name, and the password by that it is one. */
const ofOthers =
  /\b(to|for|recipient|beneficiary|payee|delet\w*|remov\w*|invit\w*|grant\w*|transfer\w*|ssid|wpa2?|wi-?fi|min(imum)?|at least|characters?)\b/i;

const saysMore = ({ names }: ObservedField): boolean =>
  names
    .map(spaced)
    .some((name) => [ofOthers, newWords, madeWords].some((other) => other.test(name)) || isMaking(name));

/** `makeWords` anywhere: what begins so is said later in a sentence too. */
const makes = new RegExp(`(?<![a-z])${makeWords.source.slice(1)}`, 'iu');
const isMaking = (text: string): boolean => serverWords.test(text) || isMade(text);
const isMade = (text: string): boolean =>
  [makes, enrolWords, /\btrial\b/i].some((other) => other.test(text)) ||
  namedByText(text).length > 0 ||
  namedByTitle(text).length > 0;

/** What a library or an airline gave somebody; whoever registers has an address. */
const given =
  /\b(card|library|booking|reservation|ticket|barcode)\b.*\b(number|no|nr|code|id|reference|barcode)\b|\bbarcode\b/i;
const isGiven = ({ type, names }: ObservedField): boolean =>
  type !== 'email' &&
  names.some((name) => given.test(spaced(name))) &&
  !names.some((name) => /mail/i.test(name));

/** Libraries and airlines ask for the surname beside a number of theirs: who is new has another name, or an address, beside it. */
function isNameAndPassword(all: readonly ObservedField[], allUses: readonly FieldUse[]): boolean {
  const isAsked = (at: number): boolean =>
    allUses[at] !== 'other' || !(all[at]?.names ?? []).some((name) => surnameWords.test(spaced(name)));
  const typed = all.filter((_, at) => isAsked(at));
  const uses = allUses.filter((_, at) => isAsked(at));
  return (
    (all.length === 2 || (all.length === 3 && typed.some(isGiven))) &&
    typed.length === 2 &&
    uses.join() === 'identity,secret' &&
    // By its own name, and not because a password follows.
    typed[0] !== undefined &&
    useOf(typed[0]) === 'identity' &&
    typed[1]?.type === 'password' &&
    all.every(({ tag, autocomplete }) => tag === 'input' && !/\bnew-password\b/i.test(autocomplete))
  );
}

function onlyGoesOn({ fields }: ObservedForm, names: readonly string[]): boolean {
  const isOther = fields.some(
    ({ tag, type, visible, names: called }) =>
      visible && (tag === 'select' || tag === 'textarea' || type === 'radio' || isOtherBox(type, called)),
  );
  return !isOther && names.every((name) => goes.test(name.trim()) || isOfProgram(name.trim()));
}

/** Of such a name, what says that it goes on: of anything else it may be the name of an act. */
const ofGoing =
  /^(btn|button|bt|img|image|pic|icon|submit|input|ctl|form|frm|main|content|go|ok|login|log|logon|in|on|sign|signin|enter|next|continue|send|\p{L}{0,2}|.*\d.*)$/u;
const isOfProgram = (name: string): boolean =>
  ofProgram.test(name) && wordsOf(name).every((word) => ofGoing.test(word));

const isOtherBox = (type: string, called: readonly string[]): boolean =>
  type === 'checkbox' &&
  (!called.some((name) => stayWords.test(name) || shows.test(name)) || called.map(spaced).some(agrees));
const shows = /^(show|hide)( ?(my |the )?(password|pass|pwd|pin|characters))?$/i;
const agrees = (name: string): boolean =>
  /\b(accept|agree|terms|conditions|consent|offers?)\b/i.test(name) || isMaking(name.replace(stayWords, ' '));

/** Whose page it is, and an example of an account. */
const ofPage =
  /^(copyright|©|all rights|welcome( to\b|[!.]?$))|^(my (\w+ )?account|(customer|client|members?)['’]?s? (area|portal|zone)|kundenbereich|espace client|área de clientes?|area clienti|личный кабинет|особистий кабінет|会員(専用)?ページ|マイページ)$|^[^\s@]+@[^\s@]+$/i;

/** What is read above the fields are their own names, and whose page it is. */
const isLabel = (title: string, { fields }: ObservedForm): boolean => {
  const said = plain(title);
  if (isMade(title) || (serverWords.test(title) && !isSite(title))) return false;
  return (
    ofPage.test(title.trim()) ||
    fields.some(({ names }) => names.some((name) => plain(name) === said || said === '')) ||
    isNameOfField(title)
  );
};

/** `Welcome to Acme Server`: what is a server here is the site, unless one is set up on it. */
const isSite = (title: string): boolean =>
  /^welcome to (?!.*[.!?:;,](\s|$))/i.test(title.trim()) && !settingUp.test(title);
const settingUp = /\b(set-?up|settings?|configur\w*|install\w*|connection|preferences|wizard)\b/i;

/** A label that the page ties to no field. */
const isNameOfField = (title: string): boolean =>
  title.trim().split(/\s+/).length <= 3 &&
  (accountWords.test(title) || passwordWords.test(title)) &&
  !newWords.test(title);

const plain = (text: string): string => text.toLowerCase().replace(/[\s*:：]+/g, '');

function isEntry(pageUrl: string): boolean {
  if (!isUrl(pageUrl)) return false;
  const { search, hash } = new URL(pageUrl);
  const { segments, hasId } = routeOf(pageUrl);
  const isNamed = !segments.every((words) => isPrefix(words.join('')) || entry(words.join('')));
  return search === '' && /^#?\/?$/.test(hash) && !hasId && !isNamed;
}
