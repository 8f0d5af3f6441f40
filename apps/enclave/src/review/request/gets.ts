import type { Route } from './route.ts';
import { among } from './words.ts';

/** Verbs at the end of an address that nobody opens to read. */
const acts = among(
  'approve|accept|reject|decline|confirm|archive|unarchive|like|unlike|vote|upvote|downvote|follow|unfollow|subscribe|unsubscribe|block|unblock|ban|enable|disable|activate|suspend|restart|reboot|stop|start|restore|reset|lock|unlock|join|leave|toggle|merge|star|unstar|run|execute|trigger|publish|unpublish|buy|rollback|close|reopen|markread|markasread|addtocart|kill|shutdown|poweroff|poweron',
);

/** Whether an address that is opened does something to one thing. */
export function changesWhenOpened({ segments, said, queryNames, isAsset, isArticle, hasId }: Route): boolean {
  if (isAsset || isArticle) return false;
  if (queryNames.some((name) => /^(add-to-cart|remove_item)$/i.test(name))) return true;
  if (said.some((words) => acts(words.join('')))) return true;
  // `/events/7/start` acts on one thing, and `?user=7` says which; `/quick/start` is a page.
  const isOnOne = hasId || queryNames.some(meant);
  return (acts(segments.at(-1)?.join('')) && isOnOne) || fillsCart(segments, hasId);
}

/** Who or what an act is for, or that it is meant. */
const meant = among('user|uid|email|target|item|post|confirm|confirmed|force|now');

/** `/cart/add/77` */
const fillsCart = (segments: Route['segments'], hasId: boolean): boolean =>
  hasId &&
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
