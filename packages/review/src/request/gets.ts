import type { Route } from './route.ts';
import { acts } from './acts.ts';
import { isCommanded } from './opened/commanded.ts';
import { hasForm, isGiven, isNounToo, isOnOne } from './opened/given.ts';
import { isTold } from './opened/told.ts';
import { among } from './words.ts';

/** Whether an address that is opened does something to one thing, or may: what is not read whole. */
export function changesWhenOpened(route: Route): boolean {
  const { said, queryNames, isAsset, isArticle, isUnread } = route;
  if (isUnread) return true;
  if (isAsset || isArticle) return false;
  if (queryNames.some((name) => /^(add-to-cart|remove_item)$/i.test(name))) return true;
  return (
    said.some(isCalled) ||
    actsOnOne(route) ||
    fillsCart(route) ||
    isOnNamed(route) ||
    isTold(route) ||
    isCommanded(route)
  );
}

/** `/events/7/start` acts on one thing, and `?user=7` says which; `/quick/start` is a page. */
function actsOnOne(route: Route): boolean {
  const { segments, hasId } = route;
  const last = segments.at(-1) ?? [];
  const given = isGiven(route);
  const named = last.join('');
  return (
    (acts(named) && (hasId || given) && (!isNounToo(named) || isOnOne(route))) ||
    (given && takes(last)) ||
    (hasId && isVote(segments))
  );
}

/** `?action=watch`, `?task=users.block` */
const isCalled = (words: readonly string[]): boolean =>
  acts(words.join('')) || /^(un)?watch$/.test(words.join('')) || (words.length === 2 && acts(words[1]));

/** Verbs that do something with what a query gives them, and show a form without it: `/transfer?to=…&amount=…`. */
const gives = among(
  'transfer|send|sms|pay|withdraw|donate|tip|topup|redeem|purchase|invite|share|grant|assign|unassign|forward|notify|set|save|update|add|create|insert|make|switch|change|submit|exec|build|deploy|rename|move',
);
const settles = among('accept|approve|confirm|reject|decline|activate|enable|disable|unsubscribe|suspend');
const sets =
  /^(set|change|update)(role|owner|admin|status|state|password|email|limit|plan|permissions?|value|name)$/;

/** `/transfer`, `/make-admin`, `/confirm-email`; `/transfer-history` is read. */
function takes(words: readonly string[]): boolean {
  const [first, ...more] = words;
  if (more.length === 0) return gives(first) || sets.test(first ?? '');
  if (/^(create|add|make)$/.test(first ?? '') && more.length === 1 && hasForm(more[0])) return false;
  return !isOfSets(words) && more.length <= 2 && (gives(first) || settles(first)) && !more.some(isRead);
}

/** `/set-menus?restaurant=7` is a page of them. */
const isOfSets = (words: readonly string[]): boolean =>
  words[0] === 'set' && /[^s]s$/.test(words.at(-1) ?? '');

const isRead = among(
  'policy|info|history|list|guide|faq|help|terms|status|log|logs|options|settings|page|form|rate|rates|fees|price|prices|slips|stats|report|reports|summary|overview',
);

/** `/users/eve/ban`: one of many, called by its name. */
const isOnNamed = ({ segments }: Route): boolean =>
  /^(u|user|\w+[^s]s)$/.test(segments.at(-3)?.join('') ?? '') &&
  /^(ban|unban|kick|block|unblock|suspend|promote|demote|impersonate|disable|restart|reboot)$/.test(
    segments.at(-1)?.join('') ?? '',
  );

/** `/vote/7/up` */
const isVote = (segments: Route['segments']): boolean =>
  /^(up|down)$/.test(segments.at(-1)?.join('') ?? '') &&
  /^(votes?|rate)$/.test(segments.at(-2)?.join('') ?? '');

const product = among('sku|product|productid|product_id|item|itemid|item_id|variant|qty|quantity');

/** `/cart/add/77`, `/cart/add?sku=77` */
const fillsCart = ({ segments, queryNames, hasId }: Route): boolean =>
  (hasId || queryNames.some((name) => product(name.toLowerCase()))) &&
  /^(add|remove|update)$/.test(segments.at(-1)?.join('') ?? '') &&
  /^(cart|basket|bag|wishlist|favou?rites|compare|watchlist|warenkorb|panier|carrito|carrinho|carrello)$/.test(
    segments.at(-2)?.join('') ?? '',
  );

/** The same, or whether it ends the session: that is no reading, but harms nobody who asks for it. */
export const changesByGet = (route: Route): boolean => changesWhenOpened(route) || leaves(route);

const leaves = ({ segments, said, queryNames, isAsset, isArticle }: Route): boolean =>
  !isAsset &&
  !isArticle &&
  (queryNames.some((name) => /^logout$/i.test(name)) ||
    [segments.at(-1) ?? [], ...said].some((words) => /^(log|sign)(out|off)$/.test(words.join(''))));
