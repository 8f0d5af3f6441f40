import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** One fenced block of a page, and what its info string says of it. */
export type Block = {
  readonly page: string;
  /** Of the fence, from 1. */
  readonly line: number;
  readonly info: string;
  readonly text: string;
};

/** What a visitor reads first: its commands are held. */
const pages: readonly string[] = [
  'README.md',
  'site/index.md',
  'docs/api/README.md',
  ...readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`),
];

/** Every fenced block of these pages, in their order. */
export const blocks: readonly Block[] = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    info: match[1] ?? '',
    text: match[2] ?? '',
  }));
});

export const marked = (info: string): readonly Block[] => blocks.filter((block) => block.info === info);
