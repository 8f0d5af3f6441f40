import { expect, test } from 'vitest';
import { required, requirement } from '../../test/samples.ts';
import { offerOf } from './endpoint.ts';
import { httpServices, type EndpointSetting } from './settings.ts';

function settingOf(more: object = {}): EndpointSetting {
  const read = httpServices(
    JSON.stringify({ shop: { endpoint: 'https://shop.example/v1/{id}/buy?x=1', ...more } }),
  );
  const [setting] = read.ok ? read.value : [];
  if (setting?.kind !== 'endpoint') throw new Error('no endpoint');
  return setting;
}

const bazaar = {
  info: {
    input: { type: 'http', method: 'POST', bodyType: 'json', body: { count: 1 }, pathParams: { id: 'a' } },
  },
  schema: {
    properties: {
      input: {
        properties: {
          body: { properties: { count: { type: 'integer' } }, required: ['count'] },
          pathParams: {
            type: 'object',
            properties: { id: { type: 'string', description: 'Which' } },
            required: ['id'],
          },
        },
      },
    },
  },
};
const v2 = (extensions: object) => ({
  ...required(),
  resource: { url: 'https://shop.example', description: 'Sells a thing' },
  extensions,
});
const v1 = (input: object) => ({
  x402Version: 1,
  accepts: [{ ...requirement, maxAmountRequired: '1', description: 'Sells', outputSchema: { input } }],
});

test.each<[string, unknown, object]>([
  [
    'the schema of "bazaar" (v2)',
    v2({ bazaar }),
    {
      description: 'Sells a thing',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', description: 'Which' }, count: { type: 'integer' } },
        required: ['id', 'count'],
      },
    },
  ],
  [
    'the example of "bazaar", where it has no schema',
    v2({ bazaar: { info: bazaar.info } }),
    { inputSchema: { type: 'object', properties: { id: {}, count: {} }, required: ['id'] } },
  ],
  [
    'outputSchema (v1)',
    v1({
      bodyType: 'json',
      queryParams: { q: 'What to look for' },
      bodyFields: { count: { type: 'integer', required: true }, deep: { type: 'object', required: ['a'] } },
    }),
    {
      description: 'Sells',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          q: { description: 'What to look for' },
          count: { type: 'integer' },
          deep: { type: 'object', required: ['a'] },
        },
        required: ['count', 'id'],
      },
    },
  ],
  ...[undefined, null, 7, [], {}, { x402Version: 1 }, v1([]), v2({ bazaar: { info: 1, schema: [] } })].map(
    (nonsense) =>
      [
        'nothing',
        nonsense,
        { inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
      ] as [string, unknown, object],
  ),
])('an endpoint is known by %s [gateway.http-services.endpoint]', (_, told, definition) => {
  const offer = offerOf(settingOf({ method: 'POST' }), told);
  expect(offer?.definition).toMatchObject({
    name: 'post_v1_id_buy',
    title: 'POST https://shop.example/v1/{id}/buy',
    ...definition,
  });
  expect(offer?.operation).toMatchObject({ path: '/v1/{id}/buy', search: '?x=1', others: 'body' });
});

test('what the owner wrote counts before what the endpoint says; one that takes no JSON is no tool [gateway.http-services.endpoint]', () => {
  const own = {
    name: 'mine',
    description: 'My words',
    inputSchema: { type: 'object', properties: { q: {} } },
  };
  expect(offerOf(settingOf(own), v2({ bazaar }))?.definition).toMatchObject({
    name: 'mine',
    description: 'My words',
    inputSchema: { properties: { q: {}, id: { type: 'string' } }, required: ['id'] },
  });
  const form = v2({ bazaar: { info: { input: { ...bazaar.info.input, bodyType: 'form-data' } } } });
  expect(offerOf(settingOf({ method: 'POST' }), form)).toBeNull();
});
