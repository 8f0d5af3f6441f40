import { expect, test } from 'vitest';
import { faultsIn } from './faults.ts';

const site = (page: string) =>
  faultsIn(
    new Map([
      ['index.html', '<h1 id="top">Start</h1>'],
      ['guide/page.html', page],
      ['notes.jsonl', ''],
    ]),
  );

test('a link to a page, a heading and a file that are there is no fault [system.site.dead-links]', () => {
  const links = ['/', '/index.html#top', '../notes.jsonl', '#here', 'https://www.example.org'];
  expect(site(`<p id="here">${links.map((to) => `<a class="x" href="${to}">`).join()}`)).toEqual([]);
});

test('a link to what is not there is told with its page [system.site.dead-links]', () => {
  expect(site('<a href="/none.html">')).toEqual(['guide/page.html leads to /none.html, which is not there']);
  expect(site('<a href="/#none">')).toEqual(['guide/page.html leads to /#none, which has no such heading']);
});

test('a page or style that would load from another host is told [system.site.dead-links]', () => {
  for (const tag of ['<script src="https://cdn.example/a.js">', '<img alt="" src="//cdn.example/a.png">'])
    expect(site(tag)).toHaveLength(1);
  const style = new Map([
    ['a.css', '@import "https://fonts.example/css"; a{background:url(//x.example/a.png)}'],
  ]);
  expect(faultsIn(style)).toHaveLength(2);
});
