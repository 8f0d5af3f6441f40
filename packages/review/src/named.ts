import { namedAbroad } from './abroad.ts';
import { lexicon, type Sensitive, type SensitiveKind, sensitiveKinds } from './lexicon.ts';

/** What a task forbids it does not ask for: `read the list, do not delete anything`. */
const forbidden =
  /\b(do not|don['’]t|won['’]t|never|without|must not|no)\b[^.,;!]*|(不要|请勿|禁止)[^。，；！]*/gi;

const kindsWhere = (holds: (kind: SensitiveKind) => boolean): Sensitive[] =>
  sensitiveKinds.filter((name) => holds(lexicon[name]));

export const withoutForbidden = (text: string): string => text.replaceAll(forbidden, ' ');

/** Which of them a free-text task names. Naming one lets a person be asked; it never allows by itself. */
export const namedInTask = (task: string): Sensitive[] => {
  const asked = withoutForbidden(task);
  return kindsWhere((kind) => kind.task.test(asked));
};

/** Which of them a name of a button or field says. What is longer than a name is a text that mentions things. */
export const namedByText = (name: string): Sensitive[] =>
  name.length > maxName ? [] : namedBySentence(name);
const maxName = 120;

/** The same of a sentence that is known to say what is done, however long it is. */
export const namedBySentence = (text: string): Sensitive[] => [
  ...kindsWhere((kind) => kind.names.test(text)),
  ...namedAbroad(dotted(text)),
];

/** Without regard to case only Turkish knows that `İ` is `i`: `SİL`, `GİRİŞ`. */
export const dotted = (text: string): string => text.replaceAll('İ', 'i');

/** What a name declines: `No, do not delete`. */
export const withoutDeclined = (name: string): string =>
  name.replaceAll(/\b(do not|don['’]t|never)\s+\w+/gi, ' ');

const deletes =
  /^(move|send) to (the )?(trash|bin)\b|^(delete|remove|erase|destroy|purge|wipe|void|revoke|deactivate|terminate|löschen|entfernen|stornieren|eliminar|borrar|supprimer|effacer|excluir|apagar|elimina|rimuovi|verwijder(en)?|usuń|удалить|видалити)(?!\p{L})|^(删除|刪除|移除|삭제(?!된|됨)|削除(?!済|され))/iu;

/** Names of links that pay, and do not lead to where one may: not `Buy`, `Checkout` or `Payments`. */
const pays =
  /^(buy|order|purchase) (it |this )?now\b|^pay( now\b|$| (the |this |your |my )?(invoice|bill|order)\b| ?[€$£¥\d])|^place (the |your |my )?order\b|^(confirm|authori[sz]e) /i;

const yes = /^(yes|ja|oui|sí|si|sim|да|evet|tak|はい|是)(?!\p{L})[\s,.!:–-]*/iu;
const adverbs = /^((permanently|please|now|definitely|confirm and|endgültig|wirklich) )+/i;
/** What is meant, where a long name does something to it: a title of an article rarely says so. */
const pointed = /\b(this|these|those|my|your|selected)\b/i;
const ends = /^(close|cancel|end|leave|quit)\b.*\b(account|subscription|order|plan|membership|booking)\b/i;

/** What a link that names one thing does to it, by its name: `Delete`, `Remove photo`, `Buy now`; not `Cancel` or `Remove filter`. */
export function doneByName(whole: string): Sensitive[] {
  const said = withoutDeclined(whole).trim();
  const name = said.replace(yes, '').replace(adverbs, '');
  const isOther = isTitle(name) || /\b(filters?|facets?|sort|sorting|selection|search|ads|key)\b/i.test(name);
  if (isOther) return [];
  if (name.split(/\s+/).length > 4) return name !== said || pointed.test(name) ? doneByLongName(name) : [];
  const abroad = namedAbroad(name);
  const named = namedByText(name).filter(
    (kind) => kind === 'delete' || (kind === 'payment' && (pays.test(name) || abroad.includes(kind))),
  );
  return deletes.test(name) ? ['delete', ...named] : named;
}

const doneByLongName = (name: string): Sensitive[] => [
  ...(deletes.test(name) || ends.test(name) ? (['delete'] as const) : []),
  ...(pays.test(name) ? (['payment'] as const) : []),
];

/** Two nouns, of which the first is a verb elsewhere, and what is to come: `Purchase orders`, `To pay`. */
const noun =
  /^(to \w+|pay ?(slips?|stubs?|checks?|days?|dates?|periods?|rates?|grades?)|purchase (orders?|dates?)|transfer (limits?|fees?)|share (prices?|classes?)|post (office|drafts?|types?))\s*(\(?\d+\)?)?$/i;

/** Names of tabs, headings and menus: `Transfer history`, `Payments (3)`, `How to delete an account`. */
export const isTitle = (name: string): boolean =>
  noun.test(name.trim()) ||
  /\b(history|histories|settings|options|log|logs|list|details?|status|policy|policies|guide|help|faqs?|info|information|report|reports|overview|statistics|stats|summary|price|prices|preferences|methods|templates?|count|activity|dashboard|center|centre|schedule|queue|requests?|types?)\s*(\(?\d+\)?)?$|^(how|what|why|when|about|learn|view|show|see|hide|filter|sort|search|find|open|read|expand|collapse|browse|recent|all|my|last|next|previous)\b/i.test(
    name.trim(),
  );
