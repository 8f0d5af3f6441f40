import * as fc from 'fast-check';
type Json = ReturnType<typeof JSON.parse>;
import { nasty, objectOf, type Plausible } from './values.ts';

/** A request to one endpoint, before its credentials are filled in. */
export type Drawn = {
  readonly credentials: 'good' | 'bad' | 'none';
  readonly path: string;
  readonly body: unknown;
  /** What becomes of the JSON on its way. */
  readonly spoil: keyof typeof spoils;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
};

const mostly = <T>(usual: T, weight: number, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, others);

/** What may stand in a header: visible characters of Latin-1. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code < 0x7f || code > 0xa0)
    .map((code) => String.fromCharCode(code)),
  maxLength: 80,
});

const headers = fc.record(
  {
    accept: fc.constantFrom('*/*', 'text/html', 'application/problem+json', 'application/json;q=0'),
    'accept-encoding': fc.constantFrom('identity;q=0', 'br', '*'),
    'content-encoding': fc.constantFrom('identity', 'identity', 'identity', 'gzip', 'nonsense'),
    'if-none-match': fc.constant('*'),
    range: fc.constant('bytes=0-1'),
    origin: fc.constantFrom('null', 'https://evil.example.com', 'http://127.0.0.1'),
    cookie: fc.oneof(
      headerText,
      headerText.map((text) => `platform_session=${text}`),
    ),
    authorization: fc.constantFrom('Bearer', 'Bearer a.b.c', 'Basic Og==', 'bearer  x y', ''),
    traceparent: fc.oneof(headerText, fc.constant(`00-${'0'.repeat(32)}-${'0'.repeat(16)}-ff`)),
    'x-request-id': headerText,
    'x-http-method-override': fc.constant('DELETE'),
    'x-forwarded-for': headerText,
  },
  { requiredKeys: [] },
);

const contentType = mostly<string | null>(
  'application/json',
  20,
  fc.constantFrom(
    null,
    '',
    'APPLICATION/JSON ; charset=utf-16',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
  ),
);

const spoils = {
  nothing: (json: string) => json,
  'cut off': (json: string) => json.slice(0, -1),
  'byte order mark': (json: string) => `\ufeff${json}`,
  'no UTF-8': (json: string) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe])]),
  nested: () => `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  nothingness: () => '',
  'twice the same field': (json: string) => json.replace(/^\{/, '{"apiKey":1,"apiKey":"csk_x",'),
} as const;

/** Bytes of the body as they are sent. */
export const spoilt = ({ body, spoil }: Pick<Drawn, 'body' | 'spoil'>, more: object): string | Buffer => {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return spoils[spoil](JSON.stringify(isObject ? { ...body, ...more } : body));
};

const otherQueries = fc.constantFrom(
  'limit=%zz',
  'limit=1&limit=2',
  'page=1e2',
  'a[]=1',
  '__proto__=1',
  '&&=&',
  '%',
  'cursor=%00',
);
const otherPaths = fc.constantFrom('%00', '%zz', '..%2f..%2f', '%E0%A4%A', '%F0%9F%98%80', 'x'.repeat(4000));

/** Requests to an operation of our document: its body, query and path by their schemas, and around them what may come. */
export function requestTo(path: string, operation: Json, plausible: Plausible): fc.Arbitrary<Drawn> {
  const body = operation.requestBody?.content['application/json'].schema ?? { properties: {} };
  const parameters = (place: string) => ({
    properties: Object.fromEntries(
      operation.parameters
        .filter((each: Json) => each.in === place)
        .map((each: Json) => [each.name, each.schema]),
    ),
    required: operation.parameters
      .filter((each: Json) => each.in === place && each.required)
      .map((each: Json) => each.name),
  });
  return fc
    .record({
      credentials: fc.constantFrom('good', 'good', 'good', 'good', 'bad', 'none'),
      params: objectOf(parameters('path'), plausible),
      otherPath: mostly<string | null>(null, 9, otherPaths),
      query: objectOf(parameters('query'), plausible),
      otherQuery: mostly<string | null>(null, 9, otherQueries),
      body: fc.oneof({ weight: 9, arbitrary: objectOf(body, plausible) }, nasty),
      spoil: mostly<Drawn['spoil']>(
        'nothing',
        20,
        fc.constantFrom(...(Object.keys(spoils) as Drawn['spoil'][])),
      ),
      contentType,
      headers: mostly({}, 3, headers),
    })
    .map(({ params, otherPath, query, otherQuery, ...drawn }) => ({
      ...drawn,
      path: fill(path, params as Json, otherPath) + queryText(query as Json, otherQuery),
    }));
}

/** Surrogates alone cannot stand in a URL. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value.slice(0, 2000).replace(/\p{Cs}/gu, '')
    : (JSON.stringify(value) ?? 'none');

const fill = (path: string, params: Record<string, unknown>, other: string | null): string =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => other ?? (encodeURIComponent(textOf(params[name])) || 'none'),
  );

function queryText(query: Record<string, unknown>, other: string | null): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]);
  const text = [new URLSearchParams(pairs).toString(), other ?? ''].filter((part) => part !== '').join('&');
  return text === '' ? '' : `?${text}`;
}
