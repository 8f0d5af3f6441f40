import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { plainText } from '../src/markdown.ts';
import type { Item } from '../src/sidebar.ts';

const aside = process.env['SITE_ASIDE'] ?? '';
const sidebar = JSON.parse(readFileSync(join(aside, 'sidebar.json'), 'utf8')) as Item[];

export default defineConfig({
  title: 'Countersign',
  description:
    'Lets an AI agent pay for tools and use credentials without being trusted with a wallet or a password',
  lang: 'en',
  srcDir: join(aside, 'pages'),
  outDir: process.env['SITE_INTO'] ?? '',
  cacheDir: join(aside, 'cache'),
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  markdown: plainText,
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav: [
      { text: 'Start', link: '/guide/demo' },
      { text: 'HTTP APIs', link: '/api/' },
      { text: 'Specification', link: '/spec/' },
      { text: 'Threat model', link: '/threat-model' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // Guides first: who looks for an operation types its path.
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) => (id.startsWith('/guide/') ? 4 : id.startsWith('/api/') ? 0.5 : 1),
          },
        },
      },
    },
  },
});
