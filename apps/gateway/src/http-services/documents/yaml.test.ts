import { parse, stringify } from 'yaml';
import { expect, test } from 'vitest';
import { hostileYaml } from '../../../test/documents/hostile.ts';
import { readText } from './read-text.ts';
import { remembered } from './remembered.ts';

const textOf = (text: string) => ({
  bytes: Buffer.from(text),
  from: 'https://api.example/openapi.yaml',
  server: null,
  taken: [],
});
const read = (text: string) => readText(textOf(text));

const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', description: 'Two\nlines, "quoted": yes' },
  servers: [{ url: '/v1' }],
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'pet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', enum: [1, 2] } }],
        responses: { '200': { description: 'A pet' } },
      },
    },
  },
};

test('a document in YAML offers what the same in JSON does, by whatever a person writes it [gateway.http-services.yaml]', () => {
  const inJson = read(JSON.stringify(document));
  expect(inJson).toMatchObject({ name: 'Pets', offers: [{ operation: { path: '/v1/pets/{id}' } }] });
  const flow = stringify(document, { collectionStyle: 'flow' });
  for (const text of [
    stringify(document),
    flow,
    `\uFEFF${stringify(document)}`,
    `%YAML 1.1\n---\n# Ours\n${stringify(document).replaceAll('\n', '\r\n')}`,
    `\uFEFF${JSON.stringify(document)}`,
  ])
    expect(read(text)).toEqual(inJson);
});

test('what an alias or a merge names counts where it stands; dates, numbers without end and long keys are text or nothing [gateway.http-services.yaml]', () => {
  const text = `
openapi: 3.1.0
info: {title: Shop}
x-common: &common {type: string, format: date, example: 2001-12-14}
paths:
  /a:
    get:
      operationId: a
      parameters:
        - {name: from, in: query, schema: *common}
        - {name: to, in: query, schema: {<<: *common, default: 2001-12-14, maximum: .inf}}
`;
  expect(read(text)).toMatchObject({
    offers: [
      {
        definition: {
          inputSchema: {
            properties: {
              from: { type: 'string', format: 'date' },
              to: { type: 'string', format: 'date', default: '2001-12-14', maximum: null },
            },
          },
        },
      },
    ],
  });
});

/** These are read at once; what the others cost is for a thread. */
const cheap = [
  'aliases that multiply',
  'aliases of one large value',
  'an anchor within itself',
  'merges that multiply',
  'a key that comes twice',
  'a tag of its own',
  'two documents',
];

test.each(cheap)('a document with %s is none [gateway.http-services.yaml]', (what) => {
  expect(read(hostileYaml[what] ?? '')).toEqual({ why: 'no-document' });
});

test('without a bound the aliases of a document of 1 kB come to 80 MB [gateway.http-services.yaml]', () => {
  const text = hostileYaml['aliases that multiply'] ?? '';
  const value: unknown = parse(text, { maxAliasCount: -1 });
  expect(text.length).toBeLessThan(1_000);
  expect(JSON.stringify(value).length).toBeGreaterThan(80_000_000);
});

test('a document in YAML is read up to 2 MiB [gateway.http-services.yaml]', () => {
  const padded = (chars: number) => `${stringify(document)}# ${'x'.repeat(chars)}\n`;
  expect(read(padded(2 * 1024 * 1024 - 1000))).toMatchObject({ offers: [{}] });
  expect(read(padded(2 * 1024 * 1024))).toEqual({ why: 'no-document' });
});

test('a document that is as it was is not read again, but for one that was given up ten minutes ago [gateway.http-services.yaml]', async () => {
  let now = 0;
  let reads = 0;
  const answers: (Awaited<ReturnType<typeof readText>> | { why: 'too-costly' } | Error)[] = [];
  const reader = remembered(
    async (text) => {
      reads += 1;
      const answer = answers.shift() ?? readText(text);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => now,
  );
  const [one, two] = ['', '# changed'].map((more) => textOf(stringify(document) + more));
  if (one === undefined || two === undefined) throw new Error('two documents');
  expect(await reader(one)).toBe(await reader(one));
  expect(reads).toBe(1);
  answers.push({ why: 'too-costly' });
  expect([await reader(two), await reader(two)]).toEqual([{ why: 'too-costly' }, { why: 'too-costly' }]);
  expect(await reader(one)).toEqual({ why: 'too-costly' });
  expect(reads).toBe(2);
  now = 600_000;
  expect(await reader(two)).toMatchObject({ offers: [{}] });
  answers.push(new Error('no thread'));
  await expect(reader(one)).rejects.toThrow('no thread');
  expect(await reader(one)).toMatchObject({ offers: [{}] });
  expect(reads).toBe(5);
});
