import { expect, test } from 'vitest';
import type { Proposal } from './proposal.ts';
import { search, searchable } from './search.ts';

const proposal = (url: string, more: Partial<Proposal> = {}): Proposal => ({
  transport: 'http',
  url,
  source: 'https://catalogue.example',
  ...more,
});
const found = (query: string, ...proposals: readonly Proposal[]) =>
  search(query, proposals.map(searchable)).map(({ proposal: { url }, score, matchedIn }) => [
    url,
    score,
    matchedIn,
  ]);

test('the order is where words stand: names before addresses before descriptions, whole words before parts [gateway.discovery.ranked]', () => {
  expect(
    found(
      'Weather',
      proposal('https://a.example/', { description: 'The weather.' }),
      proposal('https://b.example/', { description: 'Weatherproof' }),
      proposal('https://c.example/', { name: 'ＷＥＡＴＨＥＲ' }),
      proposal('https://weather.example/'),
      proposal('https://d.example/', { toolName: 'get_weather' }),
      proposal('https://e.example/', { name: 'News' }),
    ),
  ).toEqual([
    ['https://c.example/', 8, ['name']],
    ['https://d.example/', 8, ['toolName']],
    ['https://weather.example/', 4, ['url']],
    ['https://a.example/', 2, ['description']],
    ['https://b.example/', 1, ['description']],
  ]);
});

test('every word has to be there, in whatever field; equal ones go by their address [gateway.discovery.ranked]', () => {
  const [a, b] = ['https://a.example/', 'https://b.example/'];
  const both = { name: 'Weather', description: 'for Paris' };
  expect(
    found(
      'paris weather',
      proposal(b, both),
      proposal(a, both),
      proposal('https://c.example/', { name: 'Paris' }),
    ),
  ).toEqual([
    [a, 10, ['name', 'description']],
    [b, 10, ['name', 'description']],
  ]);
});

test('a query without letters or digits finds nothing; no more than ten are named', () => {
  const many = Array.from({ length: 30 }, (_, n) => proposal(`https://${n}.example/`));
  expect(found(' …!', ...many)).toEqual([]);
  expect(found('example', ...many)).toHaveLength(10);
});

test.each(['.*', '(a+)+$', '__proto__', 'constructor', '\\', '%', 'ß'])(
  'the query "%s" is words, no pattern',
  (query) => {
    expect(() => found(query, proposal('https://a.example/', { name: query }))).not.toThrow();
  },
);
