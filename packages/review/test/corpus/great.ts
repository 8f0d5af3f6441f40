import { factsOf } from '../../src/facts.ts';
import type { Review } from '../../src/observation.ts';
import { requestFactsOf } from '../../src/request/facts.ts';
import type { SentRequest } from '../../src/request/seen.ts';
import { judgeRequest } from '../../src/request/judge.ts';
import { judge } from '../../src/review.ts';
import { click, field, shop, submit } from './situations.ts';

type Input = { readonly sent: SentRequest } | { readonly review: Review };

/** A quarter of the most that is held of a body. */
const unit = 16 * 1024;

const sent = (body: string, contentType = 'application/json', path = '/continue'): Input => ({
  sent: {
    method: 'POST',
    url: shop + path,
    resource: 'fetch',
    contentType,
    body,
    carriesCredential: true,
    pageUrl: `${shop}/login`,
  },
});
const opened = (path: string): Input => ({
  sent: {
    method: 'GET',
    url: shop + path,
    resource: 'document',
    contentType: '',
    body: '',
    carriesCredential: false,
    pageUrl: `${shop}/home`,
  },
});
const filled = (size: number, piece: string): string =>
  piece.repeat(Math.floor((size * unit) / piece.length));

const formOf = (count: number, name: string): Input => {
  const form = {
    action: `${shop}/continue`,
    method: 'POST' as const,
    fields: Array.from({ length: count }, () => field('text', name)),
  };
  return { review: click(submit(name, form)) };
};

/** Inputs by which a careless pattern takes more time than their length, made so many times as large. */
export const great: Readonly<Record<string, (size: number) => Input>> = {
  'JSON of many members': (size) => sent(`[${filled(size, '{"deleteItem":"x"},')}1]`),
  'SQL of many comments': (size) => sent(`{"q":"${filled(size, ';--')}"}`),
  'JSON of many lines': (size) => sent(filled(size, '{"index":"a"}\n'), 'application/x-ndjson'),
  'parts of a batch': (size) =>
    sent(
      filled(size, '--b\r\nContent-Type: application/http\r\n\r\nGET /a HTTP/1.1\r\n\r\n'),
      'multipart/mixed; boundary=b',
      '/$batch',
    ),
  'packets of a connection': (size) =>
    sent(filled(size, '2\u001e'), 'text/plain', '/socket.io/?EIO=4&transport=polling'),
  'JSON that nests': (size) => sent(filled(size, '{"a":')),
  'JSON cut off': (size) => sent(`{${filled(size, '"action":"x",')}`),
  'JSON of one quote': (size) => sent(`{"a${filled(size, '\\\\')}`),
  'a form of many fields': (size) =>
    sent(filled(size, 'newPassword=x&'), 'application/x-www-form-urlencoded'),
  'a page of many fields that is sent back': (size) =>
    sent(`__VIEWSTATE=x&${filled(size, 'f=f&f:a=f&')}`, 'application/x-www-form-urlencoded'),
  'one long field': (size) => sent(`a=${filled(size, 'deleteItem')}`, 'application/x-www-form-urlencoded'),
  'many heads of parts': (size) =>
    sent(filled(size, 'content-disposition: form-data; name='), 'multipart/form-data'),
  'many parts': (size) =>
    sent(
      filled(size, '--b\r\ncontent-disposition: form-data; name="delete"\r\n\r\nx\r\n'),
      'multipart/form-data',
    ),
  'XML that never closes': (size) => sent(filled(size, '<a '), 'text/xml'),
  'XML of many elements': (size) => sent(filled(size, '<DeleteItem>x</DeleteItem>'), 'text/xml'),
  'GraphQL of many fields': (size) => sent(JSON.stringify({ query: `{${filled(size, ' deleteItem')}}` })),
  'GraphQL of open strings': (size) => sent(JSON.stringify({ query: `{ a(b: ${filled(size, '" ""')}` })),
  text: (size) => sent(filled(size, 'delete item '), 'text/plain'),
  'a long address': (size) => sent('{}', 'application/json', `/${filled(size, 'deleteItem/')}`),
  'statements of many verbs': (size) =>
    sent(
      JSON.stringify({ q: `match for i in ${filled(size, 'set a remove a {delete ')}` }),
      'application/json',
      '/search',
    ),
  'a statement of blanks': (size) =>
    sent(`${filled(size, '# \n --\n')}${filled(size, ' ')}`, 'text/plain', '/query'),
  'a statement of one word': (size) => sent(`select ${filled(size, 'into')}`, 'text/plain', '/query'),
  'members that are told': (size) =>
    sent(`{${filled(size, '"a b c":1,')}"q":1}`, 'application/json', '/search'),
  'a long query': (size) => opened(`/a?${filled(size, 'delete_it=7&action=setuser;x=1&')}`),
  'a query encoded again': (size) => opened(`/a?q=${filled(size, '%252525')}`),
  'parameters of a path': (size) => opened(`/a${filled(size, ';x=%2525')}`),
  'a long name of a path': (size) => opened(`/${filled(size, 'deleteuserdelete')}/7`),
  'a form on the page': (size) => formOf(50 * size, 'New passWord-confirm name x '.repeat(10)),
  'long names on the page': (size) => formOf(20, 'a '.repeat(60 * size)),
};

const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
const discretion = { commit: () => '', mask: (text: string) => text };

/** Judges it as it would be in a session. */
export const judgeGreat = (input: Input): unknown =>
  'sent' in input
    ? judgeRequest(requestFactsOf(input.sent, about, discretion.mask))
    : judge(factsOf(input.review, discretion));
