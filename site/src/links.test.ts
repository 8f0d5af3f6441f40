import { expect, test } from 'vitest';
import { gather } from './gather.ts';

const files = new Map([
  [
    'docs/guide/a.md',
    '# A\n\n[B](../b.md#end), [`it`](../../apps/x.ts), ![C](../pictures/c-light.webp), [spec](../spec)\n',
  ],
  ['docs/b.md', '# B\n\n```sh\n[not](a.md)\n```\n\n[out](https://example.org), [all](decisions)\n'],
  ['docs/spec/README.md', '# Spec\n'],
  ['docs/pictures/c-light.webp', ''],
]);

test('links lead to the site’s pages and pictures; one to a file that is not there becomes its text [system.site.pages]', () => {
  const pages = gather(files);
  expect(pages.get('guide/a.md')).toBe(
    '# A\n\n[B](/b.md#end), `it`, ![C](/pictures/c-light.webp), [spec](/spec/index.md)\n',
  );
  expect(pages.get('b.md')).toContain('[not](a.md)');
  expect(pages.get('b.md')).toContain('[out](https://example.org), [all](/decisions/index.md)');
});
