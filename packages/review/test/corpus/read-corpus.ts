import type { ObservedField, ObservedForm, Review } from '../../src/observation.ts';
import type { SentRequest } from '../../src/request/seen.ts';
import { acts } from './acts.ts';
import { westernLogins } from './logins-west.ts';
import { worldLogins } from './logins-world.ts';
import { otherForms } from './other-forms.ts';
import { fieldOf } from './read-field.ts';
import { realReviewsOf } from './read-real.ts';
import { reads } from './reads.ts';
import { wireActs } from './wire-acts.ts';
import { type WireLine, wireReads } from './wire-reads.ts';
import { realLogins } from './strangers/real-logins.ts';
import { strangersActs } from './strangers/acts.ts';
import { strangersLogins } from './strangers/logins.ts';
import { strangersReads } from './strangers/reads.ts';
import { strangersSignIns } from './strangers/sign-ins.ts';
import { strangersWireReads } from './strangers/wire-reads.ts';
import { actingBodies } from './requests/acting-bodies.ts';
import { actingGets } from './requests/acting-gets.ts';
import { found } from './requests/found.ts';
import { foundLast } from './requests/found-last.ts';
import { readingBodies } from './requests/reading-bodies.ts';
import { readingGets } from './requests/reading-gets.ts';
import { click, fill, link, navigate, review, shop, target } from './situations.ts';

/** What an item does: operations, each with the request that it sets off, if any. */
export type Item = {
  readonly text: string;
  /** Of an act: its kind. */
  readonly kind: string;
  /** Every third item is held out, of the strangers' and of the requests' each second; half of those were looked at once when they had been measured. */
  readonly isHeldOut: boolean;
  readonly reviews: readonly Review[];
  readonly sent: SentRequest | null;
  /** It is known to come from the form of a log-in, which is not said here. */
  readonly isFromLogin?: true;
};

const item = (text: string, at: number, rest: Pick<Item, 'reviews' | 'sent'>, kind = ''): Item => ({
  text,
  kind,
  isHeldOut: at % 3 === 2,
  ...rest,
});

/** A form of a line, and the page on which it stands. */
export function formOf(line: string): ObservedForm {
  const [, place = '', ...fields] = line.split(' | ');
  const [said, path = place] = place.startsWith('UNSAID ') ? place.split(' ') : ['POST', place];
  return { action: shop + path, method: said === 'UNSAID' ? 'UNSAID' : 'POST', fields: fields.map(fieldOf) };
}

/** Where a log-in form stands: the page is called by its action's first segment, as sites do it. */
const pageOf = (form: ObservedForm): string => form.action.split('?')[0] ?? form.action;

const placeholderOf = ({ type, autocomplete, names }: ObservedField): string => {
  const words = names.join(' ');
  if (
    /one-time-code/.test(autocomplete) ||
    /otp|code|c[oó]d|код|kod|コード|인증|验证|رمز التح|xác thực|digit|bestätigung/i.test(words)
  )
    return '123456';
  return type === 'password' || /^p$|api/i.test(words)
    ? '{{CREDENTIAL.password}}'
    : '{{CREDENTIAL.username}}';
};

/** Fill each field that a person sees, press the button, or Enter in the last field; and the form as it is sent. */
function loginOf(line: string, at: number): Item {
  const form = formOf(line);
  const url = pageOf(form);
  const typed = form.fields.filter(
    ({ visible, tag, type }) => visible && tag === 'input' && !['checkbox', 'radio'].includes(type),
  );
  const at_ = (field: ObservedField) => target({ ...field, frameUrl: url, form });
  const send =
    form.fields.find(({ type, visible }) => visible && type === 'submit') ??
    form.fields.find(({ tag }) => tag === 'button');
  const last = typed.at(-1);
  const reviews = [
    ...typed.map((field) => fill(placeholderOf(field), at_(field), { url })),
    ...(send === undefined ? [] : [click(at_(send), { url })]),
    ...(last === undefined
      ? []
      : [review({ operation_type: 'press', value: 'Enter' }, { target: at_(last), url })]),
  ];
  const body = form.fields
    .filter(({ tag }) => tag !== 'button')
    .map(({ names, type, visible }) => {
      // Nobody types into what is not seen.
      const value = visible || type === 'hidden' ? 'x' : '';
      return `${encodeURIComponent(names.at(-1) ?? 'x')}=${value}`;
    })
    .join('&');
  const sent = request('POST', new URL(form.action).pathname, body, {
    carriesCredential: true,
    pageUrl: url,
    resource: 'document',
  });
  return item(line, at, { reviews, sent });
}

const boundary = '----b';
const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--${boundary}--`;

function request(method: string, path: string, body: string, given: Partial<SentRequest> = {}): SentRequest {
  const isFile = body === 'FILE';
  const type = /^[[{]/.test(body)
    ? 'application/json'
    : body.startsWith('<')
      ? 'text/xml'
      : 'application/x-www-form-urlencoded';
  return {
    method,
    url: shop + path,
    resource: 'fetch',
    contentType: isFile ? `multipart/form-data; boundary=${boundary}` : type,
    body: isFile ? file : body,
    carriesCredential: false,
    pageUrl: `${shop}/home`,
    ...given,
  };
}

const opened = (path: string): SentRequest => request('GET', path, '', { resource: 'document' });
const at = { url: `${shop}/home` };

function readOf(line: string, index: number): Item {
  const [verb = '', first = '', ...rest] = line.split(' ');
  const path = rest.at(-1) ?? first;
  const name = [first, ...rest].join(' ');
  switch (verb) {
    case 'go':
      return item(line, index, { reviews: [navigate(shop + first, at)], sent: opened(first) });
    case 'link':
      return item(line, index, {
        reviews: [click(link([first, ...rest.slice(0, -1)].join(' '), shop + path), at)],
        sent: opened(path),
      });
    case 'search':
      return searchOf(line, index);
    case 'req':
      return item(line, index, {
        reviews: [],
        sent: request(
          first,
          rest[0] ?? '',
          rest
            .slice(1)
            .join(' ')
            .replace(/ \/\w+$/, ''),
        ),
      });
    default:
      return item(line, index, {
        reviews: [click(target({ names: [name], tag: verb === 'row' ? 'tr' : 'button' }), at)],
        sent: null,
      });
  }
}

function searchOf(line: string, index: number): Item {
  const [, method = '', path = '', name = ''] = line.split(' ');
  const form: ObservedForm = {
    action: shop + path,
    method: method === 'POST' || method === 'UNSAID' ? method : 'GET',
    fields: [fieldOf(`text:Search:${name}`), fieldOf('submit:Search')],
  };
  const into = target({ ...fieldOf(`text:Search:${name}`), form });
  const sent = method === 'GET' ? opened(`${path}?${name}=delete`) : request('POST', path, `${name}=delete`);
  return item(line, index, {
    reviews: [fill('delete', into, at), click(target({ ...fieldOf('submit:Search'), form }), at)],
    sent,
  });
}

function actOf(line: string, index: number): Item {
  const [kind = '', element = '', sent = '', body = ''] = line.replace(/\|$/, '| ').split(' | ');
  const [how, name = ''] = element.split(':');
  const [method = '', path = ''] = sent.split(' ');
  const form: ObservedForm = {
    action: shop + path,
    method: 'POST',
    fields: [fieldOf('text:Note:note'), fieldOf(`submit:${name}`)],
  };
  const on =
    how === 'link'
      ? link(name, shop + path)
      : target({ type: how ?? '', names: [name], form: how === 'submit' ? form : null });
  return item(line, index, { reviews: [click(on, at)], sent: request(method, path, body.trim()) }, kind);
}

const halves = ['tuned', 'heldOut'] as const;
const half = (one: Item, which: (typeof halves)[number]): Item => ({
  ...one,
  isHeldOut: which === 'heldOut',
});
type Halves<Line> = Readonly<Record<(typeof halves)[number], readonly Line[]>>;
const inHalves = <Line>(lines: Halves<Line>, read: (line: Line, at: number) => Item): Item[] =>
  halves.flatMap((which) => lines[which].map((line) => half(read(line, 0), which)));

/** What a form of a log-in sends, by itself or by a script of its page. */
function signInOf(line: string): Item {
  const [, page = '', said = '', ...rest] = line.split(' | ');
  const [method = '', path = ''] = said.replace(/^without /, '').split(' ');
  const sent = request(method, path, rest.join(' | '), {
    pageUrl: shop + page,
    carriesCredential: !said.startsWith('without '),
  });
  return { ...item(line, 0, { reviews: [], sent }), isFromLogin: true };
}

export const logins: readonly Item[] = [
  ...[...westernLogins, ...worldLogins].map(loginOf),
  // What is sent there stands in a list of its own.
  ...inHalves(strangersLogins, (line, at) => ({ ...loginOf(line, at), sent: null })),
];
/** The same of public sites, where nothing but the form and what stands beside it is known. */
export const real: readonly Item[] = inHalves(realLogins, (line, at) =>
  item(line, at, { reviews: realReviewsOf(line), sent: null }),
);
export const signIns: readonly Item[] = inHalves(strangersSignIns, signInOf);
export const notLogins: readonly Item[] = otherForms.map(loginOf);

const wireReadOf = ([line, body = '', given = {}]: WireLine): Item => {
  const [method = '', path = ''] = line.split(' ');
  return item(`${line} ${body}`, 0, { reviews: [], sent: request(method, path, body, given) });
};
const wireActOf = (line: string): Item => actOf(line.replace(' | ', ' | button:Continue | '), 0);

export const harmless: readonly Item[] = [
  ...Object.values(reads).flat().map(readOf),
  ...inHalves(wireReads, wireReadOf),
  ...inHalves(strangersReads, readOf),
  ...inHalves(strangersWireReads, wireReadOf),
];
export const forbidden: readonly Item[] = [
  ...Object.values(acts).flat().map(actOf),
  ...inHalves(wireActs, wireActOf),
  ...inHalves(strangersActs, actOf),
];

const eachSecond = <Line>(lines: readonly Line[], read: (line: Line) => Item): Item[] =>
  lines.map((line, at) => ({ ...read(line), isHeldOut: at % 2 === 1 }));

const readingGetOf = (path: string): Item => readOf(`go ${path}`, 0);
const actingGetOf = (path: string): Item => ({ ...readOf(`go ${path}`, 0), reviews: [] });

/** Requests alone: what acts by its address or by its body where one only reads, and what reads for all its words. */
export const requests = {
  actingGets: eachSecond(actingGets, actingGetOf),
  actingBodies: eachSecond(actingBodies, wireReadOf),
  readingGets: eachSecond(readingGets, readingGetOf),
  readingBodies: eachSecond(readingBodies, wireReadOf),
  // Of the links that were found, those of the last search are held out.
  actingFound: inHalves({ tuned: found.acting, heldOut: foundLast.acting }, actingGetOf),
  readingFound: inHalves({ tuned: found.reading, heldOut: foundLast.reading }, readingGetOf),
} satisfies Readonly<Record<string, readonly Item[]>>;
