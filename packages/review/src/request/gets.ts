import type { Route } from './route.ts';
import { among } from './words.ts';

/** Verbs at the end of an address that nobody opens to read. */
export const acts = among(
  'approve|accept|reject|decline|confirm|archive|unarchive|like|unlike|vote|upvote|downvote|follow|unfollow|subscribe|unsubscribe|block|unblock|ban|unban|kick|mute|unmute|promote|demote|impersonate|enable|disable|activate|suspend|restart|reboot|stop|start|restore|reset|lock|unlock|join|leave|toggle|merge|star|unstar|run|execute|trigger|publish|unpublish|buy|rollback|close|reopen|markread|markasread|addtocart|kill|shutdown|poweroff|poweron|trash|send|resend|dismiss|snooze|clear|flush',
);

/** Whether an address that is opened does something to one thing. */
export function changesWhenOpened(route: Route): boolean {
  const { said, queryNames, isAsset, isArticle } = route;
  if (isAsset || isArticle) return false;
  if (queryNames.some((name) => /^(add-to-cart|remove_item)$/i.test(name))) return true;
  return said.some(isCalled) || actsOnOne(route) || fillsCart(route) || isOnNamed(route);
}

/** `/events/7/start` acts on one thing, and `?user=7` says which; `/quick/start` is a page. */
function actsOnOne({ segments, queryNames, hasId }: Route): boolean {
  const last = segments.at(-1) ?? [];
  const isGiven = queryNames.some((name) => {
    const plain = name.toLowerCase();
    return !shows(plain) && !(chooses(plain) && opens(last[0]));
  });
  return (
    (acts(last.join('')) && (hasId || isGiven)) || (isGiven && takes(last)) || (hasId && isVote(segments))
  );
}

/** `?action=watch`, `?task=users.block` */
const isCalled = (words: readonly string[]): boolean =>
  acts(words.join('')) || /^(un)?watch$/.test(words.join('')) || (words.length === 2 && acts(words[1]));

/** What a query says of a page: how it is shown, where one came from, what is written into its fields beforehand. */
const shows = among(
  'lang|locale|hl|language|currency|country|region|tz|timezone|page|p|tab|view|v|sort|sortby|order|orderby|dir|q|query|search|filter|ref|referrer|source|src|next|return|returnto|returnurl|redirect|redirecturi|continue|back|step|theme|version|utm_\\w+|gclid|fbclid|_gl|_ga|gad_\\w+|gbraid|wbraid|msclkid|mc_[ce]id|ttclid|yclid|igshid|_hs\\w+|_t|ts|cb|rnd|year|month|date|since|format|limit|offset|size|section|embed|print|id|title|text|url|via|hashtags|callback|_',
);

/** What a form is opened for: `/join?plan=pro`; `/subscribe?plan=pro` may take it. */
const chooses = among('plan|category');
const opens = among('join|create|submit|add|start|new|post|register|signup|apply');

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
  return more.length <= 2 && (gives(first) || settles(first)) && !more.some(isRead);
}

/** What is made in a form of many fields: `/create-account?email=…`. */
const hasForm = among(
  'account|listing|ad|advert|appointment|booking|business|campaign|company|event|job|offer|profile|project|property|store|shop|website',
);

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
