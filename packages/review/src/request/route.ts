import { parseUrl } from '@countersign/protocol/url';
import { unglued } from './opened/glued.ts';
import { type Given, givenIn, givenInPath, isUnread, segmentsIn } from './opened/query.ts';
import { asks, looks, mayRead, namedByVerbs, reads, writes } from './verbs.ts';
import { among, wordsOf } from './words.ts';

/** An address by its parts, as far as they say what a request does. */
export type Route = {
  /** The words of each name in the path, `accounts:signIn` and `orders.list` being two; of what is an id nothing. */
  readonly segments: readonly (readonly string[])[];
  /** What the last name calls, or `?wc-ajax=…`: one, or several with commas between. */
  readonly methods: readonly (readonly string[])[];
  /** Values of the query that say what to do: `?action=delete`. */
  readonly said: readonly (readonly string[])[];
  readonly queryNames: readonly string[];
  /** What the query gives, and what stands behind names of the path. */
  readonly query: readonly Given[];
  /** Names of the path as one calls them: without what is given in pairs behind them (`/add/product/7`), and two words written as one parted. */
  readonly called: readonly (readonly string[])[];
  /** The last name is that of a program: `/axis-cgi/restart.cgi`. */
  readonly isProgram: boolean;
  /** GraphQL may stand in a query too. */
  readonly documents: readonly { readonly name: string; readonly value: string }[];
  /** One thing is meant, by a number or the like. */
  readonly hasId: boolean;
  /** The query has the number of a thing, by the name of such things: `?invoice=7`. */
  readonly saysThing: boolean;
  /** What is called stands right behind that thing: `/items/7/list`. */
  readonly isOfOne: boolean;
  /** A picture, a style, a script that no server makes up: never an act. */
  readonly isAsset: boolean;
  /** A table or an archive. */
  readonly isDownload: boolean;
  /** Documentation and articles, whose titles may be any verb. */
  readonly isArticle: boolean;
  /** It is too long, or too often encoded, to be read whole: it may say anything. */
  readonly isUnread: boolean;
};

const saysWhat =
  /^(_?action(\[\])?|a|r|route|op|operation|cmd|cmnd|command|do|act|_?method|task|mode|function|fn|rpc|x-http-method-override)$/i;

/** What programs are told as well; a list may be called so too, by a noun. */
const tellsWhat =
  /^(what|todo|perform|exec|execute|trigger|request|req|do_?what|do_?action|sub_?(action|op)|handler|proc|procedure|accion|acao|aktion|azione|actie|akcja|islem|was|que)$/i;
const ofThing =
  /^(invoice|order|item|user|account|message|msg|post|comment|booking|subscription|ticket|bill|payment|contract|card|file|doc|document|member|product|nr|no|num|number)$/i;
/** A program that is called back, or told which of many is meant, is no file. */
const isAsked = ([name, value]: readonly [string, string]): boolean =>
  isCalledBack(name, value) ||
  (/(^|_)id$|[a-z]Id$/.test(name) && value !== '') ||
  (ofThing.test(name) && isOne(value));

/** `?delete=7`, `?del_id=7`; what a filter removes is a word. */
const deletes = /^_?(delete|del|remove|erase|destroy|purge|trash)(_?id)?$/i;
const meansIt = (value: string): boolean => /^(yes|true|on|y)?$/i.test(value) || isOne(value);

/** `?confirm=1`: what a page that asks is answered with; `?turn=on`: what a switch is told. */
const [answers, switches] = [/^(approve|confirm|accept|agree)$/i, /^(turn|switch|power|relay)$/i];
const [isYes, isSwitched] = [/^(1|yes|true|y|on)$/i, /^(on|off|toggle)$/i];

function saidBy(name: string, value: string): string[][] {
  if (deletes.test(name) && meansIt(value)) return [['delete']];
  if (answers.test(name) && isYes.test(value)) return [['confirm']];
  if (switches.test(name) && isSwitched.test(value)) return [['toggle']];
  return (saysWhat.test(name) || tellsWhat.test(name)) && value.length <= 80 ? [wordsOf(value)] : [];
}

export function routeOf(text: string): Route {
  const url = parseUrl(text);
  if (url === null)
    return {
      segments: [],
      methods: [],
      said: [],
      queryNames: [],
      query: [],
      called: [],
      isProgram: false,
      documents: [],
      hasId: false,
      saysThing: false,
      isOfOne: false,
      isAsset: false,
      isDownload: false,
      isArticle: false,
      isUnread: false,
    };
  const written = writtenIn(url.pathname);
  const last = written.findLastIndex((segment) => namesIn(segment).length > 0);
  const query = [...givenInPath(url.pathname), ...givenIn(url.search)];
  const end = url.pathname.slice(-16);
  const ajax = query.find(([name]) => name === 'wc-ajax')?.[1];
  return {
    segments: written.flatMap(namesIn).map(wordsOf),
    methods: (ajax ?? written[last] ?? '')
      .split(',')
      .flatMap((one) => namesIn(one).slice(-1))
      .map(wordsOf),
    said: query.flatMap(([name, value]) => saidBy(name, value)),
    queryNames: query.map(([name]) => name),
    query,
    called: unpaired(written).flatMap(namesIn).map(wordsOf).map(unglued),
    isProgram: callable.test(end.replace(/;.*/, '')),
    documents: query.flatMap(([name, value]) =>
      /^(query|mutation)$/.test(name) && value.includes('{') ? [{ name, value }] : [],
    ),
    hasId:
      written.some((segment) => isOne(segment.split(':')[0] ?? '')) ||
      query.some(([name]) => /(^|_)id$|[a-z]Id$/.test(name)),
    saysThing: query.some(([name, value]) => ofThing.test(name) && isOne(value)),
    isOfOne: isBehindOne(written, last),
    isAsset: asset.test(end) && (!query.some(isAsked) || isPixel(end, query)),
    isDownload: /\.(csv|zip|xlsx|sql|tar|gz)$/i.test(end),
    isArticle: article(written),
    isUnread: isUnread(url, [...written, ...query.flat()]),
  };
}

/** `/items/7/archive`, `/items/7:archive` */
const isBehindOne = (written: readonly string[], last: number): boolean =>
  isOne(written[last - 1] ?? '') || isOne(/^(\w+):/.exec(written[last] ?? '')?.[1] ?? '');

/** A realm or tenant is called by who made it, by any verb. */
const writtenIn = (path: string): string[] =>
  segmentsIn(path).filter(
    (_, at, all) => !/^(realms|tenants)$/i.test(all[at - 1] ?? '') || at === all.length - 1,
  );

const namesIn = (segment: string): string[] =>
  isId(segment)
    ? []
    : plain(segment)
        .split(/[.:,]/)
        .filter((name) => name !== '' && !isId(name));

/** Of programs that stand in paths. */
const plain = (segment: string): string => segment.replace(program, '').replace(asset, '');
const program = /\.(php\d?|aspx?|ashx|asmx|jsp|jspx|do|action|f?cgi|json|html?|xhtml|pl|py|cfm|svc|lua)$/i;

const callable = /\.(php\d?|aspx?|ashx|asmx|jsp|do|action|cgi|fcgi|pl|py|cfm|lua)$/i;

/** `/checkout/cart/delete/id/7`: names with values, as routers of programs write a query into a path. */
function unpaired(written: readonly string[]): readonly string[] {
  let end = written.length;
  while (
    end > 2 &&
    (paired.test(written[end - 2] ?? '') ||
      (asksOne.test(written[end - 2] ?? '') && isOne(written[end - 1] ?? '')))
  )
    end -= 2;
  return written.slice(0, end);
}
const paired = /^(form_key|uenc|code|sid|hash)$/i;
const asksOne =
  /^(\w{1,30}_)?id$|^(user|admin|member|order|post|topic|news|cat|product|item|[a-z])id$|^(product|item)$/i;

const asset = /\.(m?js|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|eot|mp[34]|webm|wasm)$/i;

/** A picture that nobody sees, by which visits are counted, whoever they are of: unless it is told to do something grave. */
const pixel =
  /\/(__utm|track(er|ing)?|pixel|beacon|collect|count(er)?|hit|spacer|1x1|blank|clear|stats?)\.(gif|png)$/i;
const isPixel = (end: string, query: readonly (readonly [string, string])[]): boolean =>
  pixel.test(end) &&
  !query.some(
    ([name, value]) =>
      isCalledBack(name, value) || saidBy(name, value).some((words) => namedByVerbs(words).length > 0),
  );

/** `?callback=jQuery17_1`: the file is an answer, whatever it is called; a number is to pass by a cache. */
const isCalledBack = (name: string, value: string): boolean =>
  /^_?(json_?p?)?_?(callback|cback|cbk?)(_?(fn|func|name))?$|^jsonp$/i.test(name) &&
  /^[a-z_$][\w$.[\]]*$/i.test(value);

/** Whether a segment is no name: what means one thing, or a version. */
const isId = (segment: string): boolean => isOne(segment) || /^v\d+(\.\d+)?$/i.test(segment);

/** Numbers, UUIDs, hashes and tokens. */
const isOne = (segment: string): boolean =>
  /^\d+$/.test(segment) ||
  /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(segment) ||
  /^[0-9a-f]{16,}$/i.test(segment) ||
  (segment.length >= 12 &&
    /\d/.test(segment) &&
    /^[\w-]+$/.test(segment) &&
    !/[-_]/.test(segment) &&
    /[A-Z]/.test(segment) &&
    /[a-z]/.test(segment));

const books = among(
  'help|faq|kb|blog|reference|manual|guides?|learn|tutorials?|docs?|documentation|support|knowledge|articles?|news|glossary|dictionary|how',
);
/** Files of programs, which are called anything. */
const sources = among('blob|tree|raw|blame|src|browse|compare|commits?');
const titles = among('wiki|tags?|tagged|topics?|search|questions|category|categories|hashtag|q');

/** `/docs/api/delete`, `/wiki/Delete`, `/tags/delete`; but `/docs/17/delete` deletes a document. */
function article(written: readonly string[]): boolean {
  if (written.some(isId) || written.length < 2) return false;
  const names = written.map((segment) => wordsOf(segment).join(''));
  return names.slice(0, -1).some(books) || names.slice(0, -1).some(sources) || titles(names.at(-2));
}

const help = among(
  'help|faq|kb|hc|guides?|manual|reference|tutorials?|learn|knowledge|articles?|blog|questions|glossary',
);

/** Whether a path leads to what helps and explains, by numbers too. */
export const isHelp = ({ segments }: Route): boolean =>
  segments.some((words) => help(words.join('')) || help(words[0]));

/** Whether an address means one thing of many, by an id or a question, and is no article about it. */
export function meansOne(text: string): boolean {
  const route = routeOf(text);
  const { hasId, queryNames, isArticle, isAsset } = route;
  return (hasId || queryNames.length > 0) && !isArticle && !isAsset && !isHelp(route);
}

const lone = among(
  'list|filter|preview|load|fetch|get|browse|explore|describe|count|estimate|aggregate|scroll|batchget',
);
/** What is asked for with nothing said: who one is, a token for forms, sums. */
const aboutSelf = among(
  'me|whoami|userinfo|currentuser|csrf|csrftoken|xsrf|xsrftoken|antiforgery|summary|overview|stats|statistics|balances?|totals|counts|version|health',
);

const prefix = among(
  'api|apis|rest|ajax|rpc|app|web|public|internal|services?|backend|json|data|gateway|index',
);

/** Of what a framework puts before the names of a site. */
export const isPrefix = (name: string): boolean => prefix(name);

/**
 * Whether the path says that it reads: `/search`, `/items/_search`, `/GetItems`, `/orders/list`. `doubtful`: its verb is done to a thing
 * as well (`/items/7/list`, `/wallet/load`), or names one (`/mail/filter`); `bare`: it says nothing else, as `/filter`.
 */
export function readsByPath(route: Route): 'yes' | 'bare' | 'doubtful' | 'no' {
  const each = route.methods.map((words) => readingOf(words, route));
  const names = route.segments.map((words) => words.join(''));
  if (aboutSelf(names.at(-1)) && names.slice(0, -1).every(isPrefix)) return 'bare';
  if (each.length === 0 || each.includes('no')) return 'no';
  if (lone(names.at(-1)) && names.slice(0, -1).every(isPrefix)) return 'bare';
  return each.includes('doubtful') ? 'doubtful' : 'yes';
}

function readingOf(words: readonly string[], route: Route): 'yes' | 'doubtful' | 'no' {
  const [first, last] = [words[0], words.at(-1)];
  if (reads(words.join('')) || isShownAs(words, route)) return 'yes';
  if (looks(first) || (words.some(writes) && !reads(words.join('')))) return 'no';
  if (onlyReads(words)) return 'yes';
  if (!mayRead(first) && !isThing(last) && last !== 'suggest') return 'no';
  return isDoneTo(words, route) ? 'doubtful' : 'yes';
}

/** `/widgets/data`, `/chart/data`: what is drawn from; `/tables/7/data` gets rows. */
const isDrawnFrom = ({ segments, isOfOne }: Route): boolean =>
  !isOfOne &&
  segments.at(-1)?.join('') === 'data' &&
  /^(charts?|widgets?|grids?|tables?|series|graphs?|plots?)$/.test(segments.at(-2)?.at(-1) ?? '');

/** Of these, what rows are put into as well: only a question reads there. */
export const holdsRows = (route: Route): boolean =>
  isDrawnFrom(route) && /^(grids?|tables?|series)$/.test(route.segments.at(-2)?.at(-1) ?? '');

/** And how what is being written would look. */
const isShownAs = (words: readonly string[], route: Route): boolean =>
  words.join('') === 'data'
    ? isDrawnFrom(route)
    : words.join('') === 'preview' && route.segments.at(-2)?.at(-1) === 'markdown';

/** `selectBoardList`, as programs call their SQL. */
const selects = (words: readonly string[]): boolean =>
  words[0] === 'select' &&
  words.length > 1 &&
  /^(list|lists|count|cnt|page|details?|data)$/.test(words.at(-1) ?? '');

const onlyReads = (words: readonly string[]): boolean =>
  selects(words) ||
  [words.join(''), words[0]].some(reads) ||
  asks(words.at(-1)) ||
  (words.length > 2 && words.includes('get'));

const isDoneTo = (words: readonly string[], route: Route): boolean =>
  route.isOfOne ||
  !mayRead(words[0]) ||
  /^(load\b|describe$)/.test(words.join(' ')) ||
  (isThing(words[0]) && (words.length > 1 || !isOfMany(route)));

/** Of those words, names of things that are made: a filter, an entry of a history, a suggestion. */
const isThing = among('filter|history|preview|queries|suggestions');

/** `/orders/filter` asks for some of many; `/mail/filter` is one. */
const isOfMany = ({ segments }: Route): boolean => (segments.at(-2)?.at(-1) ?? '').endsWith('s');

export const writesByPath = ({ segments, methods, said }: Route): boolean =>
  [...segments.slice(-1), ...methods, ...said].some((words) => words.some(writes) && !reads(words.join('')));
