import { expect, test } from 'vitest';
import { documentReader } from './fetch-document.ts';

test('at most eight documents are fetched at once; one beyond them can be had afterwards [dashboard.oauth.client-document]', async () => {
  const ends: (() => void)[] = [];
  const read = documentReader(
    (url) =>
      new Promise((resolve) => {
        const text = JSON.stringify({ client_id: url, redirect_uris: ['https://client.example/'] });
        ends.push(() => resolve({ status: 200, text }));
      }),
    () => new Date(0),
  );
  const urls = Array.from({ length: 9 }, (_, n) => `https://client-${n}.example/`);
  const answers = urls.map(read);
  expect(ends).toHaveLength(8);
  for (const end of ends) end();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([...Array(8).fill(200), 404]);
  const again = read('https://client-8.example/');
  ends.at(-1)?.();
  expect((await again).status).toBe(200);
});
