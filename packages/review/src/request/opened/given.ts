import type { Route } from '../route.ts';
import { among } from '../words.ts';

/** What a query says of a page: how it is shown, where one came from, what is written into its fields beforehand. */
const shows = among(
  'lang|locale|hl|language|currency|country|region|tz|timezone|page|p|tab|view|v|sort|sortby|order|orderby|dir|q|query|search|filter|ref|referrer|source|src|next|return|returnto|returnurl|redirect|redirecturi|continue|back|step|theme|version|utm_\\w+|gclid|fbclid|_gl|_ga|gad_\\w+|gbraid|wbraid|msclkid|mc_[ce]id|ttclid|yclid|igshid|_hs\\w+|_t|ts|cb|rnd|year|month|date|since|format|limit|offset|size|section|embed|print|id|title|text|url|via|hashtags|callback|_',
);

/** What a form is opened for: `/join?plan=pro`; `/subscribe?plan=pro` may take it. */
const chooses = among('plan|category');
const opens = among('join|create|submit|add|start|new|post|register|signup|apply');

/** Whether a query gives something that is done, rather than how a page is shown. */
export const isGiven = ({ called, queryNames }: Route): boolean =>
  queryNames.some((name) => {
    const plain = name.toLowerCase();
    return !shows(plain) && !(chooses(plain) && opens(called.at(-1)?.[0]));
  });

/** Verbs by which collections and single things are called: `/block/7`, `/bus/stop/7`, `/archive/2026/11`. */
export const isNounToo = among('block|stop|archive');

/** Whether such a verb is put on one thing. */
export const isOnOne = (route: Route): boolean =>
  route.isOfOne ||
  isGiven(route) ||
  isOfMany(route) ||
  route.queryNames.some((name) => /^id$|_id$|[a-z]Id$/.test(name));

const isOfMany = ({ called }: Route): boolean =>
  called.at(-1)?.join('') !== 'archive' && /[^su]s$/.test(called.at(-2)?.join('') ?? '');

/** What is made in a form of many fields: `/create-account?email=…`. */
export const hasForm = among(
  'account|listing|ad|advert|appointment|booking|business|campaign|company|event|job|offer|profile|project|property|store|shop|website',
);

/** What people put things into and take them out of. */
export const keeps = among(
  'cart|basket|bag|wishlist|favou?rites?|compare|watchlist|friends?|contacts?|followers?|members?|queue|playlist|bookmarks?|blacklist|whitelist|likes?|amigos?',
);
