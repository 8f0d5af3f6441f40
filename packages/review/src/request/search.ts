import { actsByBody } from './acting-body.ts';
import type { Body, Member } from './body.ts';
import { isCall } from './calls.ts';
import type { Seen } from './seen.ts';
import { holdsRows, readsByPath, type Route, writesByPath } from './route.ts';
import { changesRecords } from './sql.ts';
import { writes } from './verbs.ts';
import { among, wordsOf } from './words.ts';

/** What a body that only asks has at its top. */
const asking = among(
  'q|query|queries|search|searchterm|searchtext|searchquery|searches|keyword|keywords|term|terms|filter|filters|filtermodel|where|sort|sorts|sortby|sortmodel|sord|sidx|dir|orderby|order|group|page|pagesize|pagenumber|pageno|pagenum|pageindex|pagetoken|perpage|limit|offset|size|from|to|start|end|startrow|endrow|rows|nd|length|draw|columns|cursor|after|before|first|last|skip|take|top|fields|select|include|includes|expand|facets|aggs|aggregations|groupby|groupkeys|rowgroupcols|valuecols|pivotcols|pivotmode|range|daterange|startdate|enddate|fromdate|todate|timezone|locale|language|lang|currency|count|total|requirescounts|requiretotalcount|hitsperpage|maxresults|numberofresults|chunknumber|indexname|requests|params|variables|operationname|extensions|source|highlight|projection|tracktotalhits|minprice|maxprice|category|status|state|ids|csrf|csrftoken|csrfmiddlewaretoken|authenticitytoken|requestverificationtoken|token|nonce|format|view|type|model|method|args|kwargs|jsonrpc|id|searchcriteria|criteria|pagination|paging|sorting|jql|cql|kql|startindex|layoutkey|database|keys|destination|origin|checkin|checkout|departure|arrival|adults|children|infants|guests|nights|rooms|current|parameters|wt|issueids|jqls|project|pageid|verticalcolumns',
);

/** Names that only questions have. */
export const question = among(
  'q|query|search|searchterm|searchtext|searchquery|keyword|keywords|page|pagesize|pagenumber|pageno|pagenum|pageindex|pagetoken|offset|perpage|cursor|aggs|facets|hitsperpage|draw|criteria|searchcriteria|pagination|skip|startrow|sidx|jql|jqls|cql|kql',
);
/** And those that settings have too, so that two of them are a question: a card has a limit, a contract a term. */
const halfQuestion = among('filter|filters|where|sort|sortby|orderby|limit|take|term');

/** Collections of questions, and of what they set off: a mail filter, an alert, a saved search. */
const keeps = among(
  'filters?|searches|alerts?|rules?|segments|presets|bookmarks|favou?rites|monitors|watches|subscriptions|notifications|triggers|limits?|views|dashboards|widgets|settings|preferences|options|config|configuration',
);

/** Who is asked there may act on the answer. */
const talks = among('chat|chatbot|assistant|copilot|agent|bot|completions');

/** What is written down, and never asked for. */
const telling = among(
  'title|description|comment|content|message|subject|amount|price|firstname|lastname|note|password|iban|recipient|quantity|qty|markdown|html|attachments',
);

const calledBy = ({ name }: Member): string => wordsOf(name.split('[')[0] ?? '').join('');

const isTold = ({ segments }: Route): boolean => {
  const names = segments.map((words) => words.join(''));
  return talks(names.at(-1)) || (talks(names.at(-2)) && names.at(-1) === 'query');
};

/** `{"book": true}` */
const orders = ({ name, value }: Member): boolean => value === 'true' && writes(name);

/** Whether a request only asks: by what it calls, by its address, or by a body that has nothing else. */
export function isSearch({ sent, route, body, calls }: Seen): boolean {
  const top = body.members.filter(({ depth }) => depth === 0);
  if (
    body.hasFile ||
    body.shape === 'unread' ||
    writesByPath(route) ||
    isTold(route) ||
    tells({ sent, route, body }, top)
  )
    return false;
  if (calls.does === 'write' || calls.does === 'other') return false;
  if (calls.protocol !== 'none' || calls.does === 'read') return calls.does === 'read';
  return readsThere(route, body) || (!isKept(route) && asksThere({ route, body, calls }, top));
}

const asksThere = (seen: Asked, top: readonly Member[]): boolean =>
  asks(seen, top) ||
  asksForTime(seen.route, top) ||
  asksForOne(seen.route, top) ||
  asksWhatIsFree(seen.route, top) ||
  asksAbout(seen.route, top) ||
  asksForTexts(seen.route, top);

/** What is told of a thing by its number, and what is made of nothing but that. */
const told = among('balances?|availability|recommendations|related|similar|eligibility');
const checked = among('stock|availability|inventory|prices?|eligibility');
const numbers = among(
  '([a-z]*)ids?|skus?|limit|page|size|offset|currency|country|locale|language|lang|zip|zipcode|postcode|postalcode',
);

const asksAbout = ({ segments, isOfOne }: Route, top: readonly Member[]): boolean => {
  const [before, last] = [segments.at(-2)?.join(''), segments.at(-1)?.join('')];
  const isTold = told(last) || (last === 'check' && checked(before));
  return isTold && !isOfOne && top.length > 0 && top.every((member) => numbers(calledBy(member)));
};

/** Texts of the page in another language, by their names. */
const asksForTexts = ({ segments }: Route, top: readonly Member[]): boolean =>
  segments.some((words) => /^(i18n|l10n|translations|locales)$/.test(words.join(''))) &&
  top.some((member) => /^(locale|lang|language)$/.test(calledBy(member))) &&
  top.some((member) => /^(keys|ns|namespaces?)$/.test(calledBy(member))) &&
  top.every((member) => /^(locale|lang|language|keys|ns|namespaces?)$/.test(calledBy(member)));

/** Places of what is offered, which a traveller asks for with a time and how many will come. */
const offers = among(
  'availability|availabilities|results|offers|fares|connections|departures|timetable|schedules',
);
const travels = among(
  'from|to|start|end|date|dates|startdate|enddate|destination|origin|departure|arrival|checkin|checkout|time|when|adults|children|infants|guests|persons|people|nights|rooms|currency|locale|language|lang|page|sort',
);
const travellers = among('adults|guests|persons|people|nights');
/** What somebody says who looks for something, and nobody who sets a time: places, and which page of what is found. */
const lookedFor = among('destination|origin|page|sort');
const mayBePlace = among('from|to|departure|arrival');
const saysPlace = (member: Member): boolean =>
  lookedFor(calledBy(member)) || (mayBePlace(calledBy(member)) && !/\d/.test(member.value));

const isOfGuests = (last: string | undefined, top: readonly Member[]): boolean =>
  /^availabilit(y|ies)$/.test(last ?? '') &&
  top.some((member) => /^(adults|guests|nights)$/.test(calledBy(member)));

const asksWhatIsFree = ({ segments, hasId }: Route, top: readonly Member[]): boolean =>
  !hasId &&
  offers(segments.at(-1)?.join('')) &&
  top.some((member) => travellers(calledBy(member))) &&
  (top.some(saysPlace) || isOfGuests(segments.at(-1)?.join(''), top)) &&
  top.every((member) => travels(calledBy(member)));

type Asked = Pick<Seen, 'route' | 'body' | 'calls'>;

const readsThere = (route: Route, { shape, members }: Body): boolean => {
  const reading = readsByPath(route);
  const saysNothing = /^(none|json|form)$/.test(shape) && members.length === 0;
  if (holdsRows(route)) return members.every((member) => asking(calledBy(member)));
  return reading === 'yes' || (reading === 'bare' && saysNothing);
};

/** What a sum is made of, where one is only calculated. */
const counted = among('amount|price|quantity|qty');
const calculates = ({ segments }: Route): boolean =>
  segments.at(-1)?.some((word) => /^(calculate|compute|estimate|convert|preview|simulate)$/.test(word)) ===
  true;

const tells = (
  { sent, route, body }: Pick<Seen, 'sent' | 'route' | 'body'>,
  top: readonly Member[],
): boolean =>
  actsByBody({ sent, body }) ||
  top.some(
    (member) =>
      (telling(calledBy(member)) && !(counted(calledBy(member)) && calculates(route))) || orders(member),
  ) ||
  body.members.some(({ value }) => changesRecords(value));

function asks({ route, body, calls }: Asked, top: readonly Member[]): boolean {
  if ((calls.does !== 'perhaps' && top.some(isCall)) || writesFields(body)) return false;
  const names = top.filter((member) => calls.does !== 'perhaps' || !isCall(member)).map(calledBy);
  const isMany = route.segments.at(-1)?.at(-1) === 'queries' && names.includes('requests');
  const halves = isOfMany(route) ? names.filter(halfQuestion).length : 0;
  const isPaged = names.includes('current') && names.includes('size');
  const isAsked = names.some(question) || halves > 1 || isMany || isPaged;
  return isAsked && names.every((name) => asking(name) || isMany);
}

const isKept = (route: Route): boolean =>
  keeps(route.segments.at(-1)?.at(-1)) && readsByPath(route) !== 'bare';

/** Fields that are asked for are named or switched on; with values they are set. */
const writesFields = ({ json }: Body): boolean =>
  Object.entries(json ?? {}).some(
    ([name, fields]) =>
      /^(fields|select|include|projection|columns)$/i.test(name) &&
      typeof fields === 'object' &&
      fields !== null &&
      !Array.isArray(fields) &&
      Object.values(fields).some((value) => typeof value === 'string'),
  );

/** `/order/detail` with nothing but an id. */
const asksForOne = ({ segments, isOfOne }: Route, top: readonly Member[]): boolean =>
  !isOfOne &&
  /^(details?|info)$/.test(segments.at(-1)?.join('') ?? '') &&
  top.length > 0 &&
  top.every(({ name }) => /^(ids?|uuid)$/.test(wordsOf(name).at(-1) ?? ''));

/** Records of what was done: a time makes none of them, as it does of a booking or a leave. */
const records = among(
  'orders|transactions|statements|invoices|payments|transfers|sales|receipts|trades|movements|payslips|logs|history',
);
const bound = among('from|to|start|end|since|until|startdate|enddate|fromdate|todate|datefrom|dateto');

const asksForTime = ({ segments, hasId }: Route, top: readonly Member[]): boolean =>
  !hasId &&
  records(segments.at(-1)?.join('')) &&
  top.some(isTime) &&
  top.every((member) => /^(status|state)$/.test(calledBy(member)) || isTime(member));

const isTime = (member: Member): boolean =>
  bound(calledBy(member)) && /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-][\d:]+)?)?$/.test(member.value);

/** `/orders` holds many, `/mail` is one. */
const isOfMany = ({ segments }: Route): boolean => segments.at(-1)?.at(-1)?.endsWith('s') === true;
