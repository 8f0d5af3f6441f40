import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { questionAbout } from '@countersign/review/second-judge';
import { afterEach, expect, test } from 'vitest';
import { factsOf } from '@countersign/review/facts';
import { click, target } from '../../../../packages/review/test/corpus/situations.ts';
import { reviewModel } from './review-model.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A model that answers so, and the base of its address. */
async function modelThat(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const facts = factsOf(click(target()), { commit: () => 'salted', mask: (text) => text });
const question = questionAbout('Read the orders', facts);

const completionOf = (content: string) =>
  JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  });

test('it is asked for an opinion in a schema, at temperature 0, with task and facts alone', async () => {
  const seen: { path?: string | undefined; key?: string | undefined; body?: unknown } = {};
  const url = await modelThat((request, response) => {
    [seen.path, seen.key] = [request.url, request.headers.authorization];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.body = JSON.parse(Buffer.concat(chunks).toString());
      response.end(completionOf('{"verdict":"deny","reason":"not the task"}'));
    });
  });
  const heard = await reviewModel({ url: `${url}/`, model: 'judge-1', key: 'k' })(question);
  expect(heard).toEqual({ verdict: 'deny', reason: 'not the task' });
  expect(seen).toMatchObject({
    path: '/v1/chat/completions',
    key: 'Bearer k',
    body: {
      model: 'judge-1',
      temperature: 0,
      messages: question,
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    },
  });
});

test.each<[string, RequestListener]>([
  ['an error', (_, response) => response.writeHead(500).end(completionOf('{"verdict":"allow","reason":""}'))],
  ['another shape', (_, response) => response.end('{"verdict":"allow","reason":""}')],
  ['prose', (_, response) => response.end(completionOf('I would allow this.'))],
  ['no end', (_, response) => response.end(completionOf(`{"reason":"${'x'.repeat(100_000)}"}`))],
  ['another address', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['a broken line', (request) => request.socket.destroy()],
])('%s is silence [vault.review.model.down]', async (_, answer) => {
  const url = await modelThat(answer);
  expect(await reviewModel({ url, model: 'judge-1', key: null })(question)).toBe('silent');
});

test('nobody there, or nobody in time, is silence [vault.review.model.down]', async () => {
  const url = await modelThat(() => {});
  const begin = performance.now();
  expect(await reviewModel({ url, model: 'judge-1', key: null })(question)).toBe('silent');
  expect(performance.now() - begin).toBeLessThan(5000);
  const nobody = { url: 'http://127.0.0.1:9', model: 'judge-1', key: null };
  expect(await reviewModel(nobody)(question)).toBe('silent');
});
