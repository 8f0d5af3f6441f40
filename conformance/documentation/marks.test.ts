import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocks, marked, root } from './blocks.ts';

const where = ({ page, line }: { page: string; line: number }) => `${page}:${line}`;

test('every block of README and guides says by its mark what is held of it [system.site.snippets]', () => {
  const marks = ['sh', 'sh demo', 'sh form', 'ts', 'ts run', 'json', 'text'];
  expect(blocks.filter(({ info }) => !marks.includes(info)).map(where)).toEqual([]);
  expect(marked('sh').length).toBeGreaterThan(15);
});

test('what starts the demo is one of the two commands that tests start it with [system.site.snippets]', () => {
  const known = ['npm ci && npm start', 'npm start -- --links'];
  expect(marked('sh demo').filter(({ text }) => !known.includes(text.trim()))).toEqual([]);
});

test('a form has a word to fill in, and is a shell’s; JSON parses [system.site.snippets]', () => {
  const forms = marked('sh form');
  expect(forms.length).toBeGreaterThan(0);
  // A service that only waits for its variables has them behind it, as a comment.
  const toFillIn = /(?:\b|_)[A-Z]{2,}\b|\b[A-Z]+_[A-Z_]+\b/;
  expect(forms.filter(({ text }) => !toFillIn.test(text)).map(where)).toEqual([]);
  const shells = blocks.filter(({ info }) => info.startsWith('sh'));
  const broken = shells.filter(({ text }) => spawnSync('bash', ['-n'], { input: text }).status !== 0);
  expect(broken.map(where)).toEqual([]);
  for (const { text } of marked('json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
});

test('codes and variables that the guides name are in the sources [system.site.snippets]', () => {
  const sources = spawnSync(
    'git',
    ['grep', '-hoE', '[A-Z][A-Z0-9]*(_[A-Z0-9]+)+', '--', 'apps', 'packages', 'local', 'cli', 'deploy'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  );
  const known = new Set(sources.stdout.split('\n'));
  const named = [...new Set(blocks.map(({ page }) => page))].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => [page, name] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  // Those of OpenTelemetry are read by its own packages.
  const isOurs = (name: string) => !name.startsWith('OTEL_');
  expect(named.filter(([, name]) => isOurs(name) && !known.has(name))).toEqual([]);
});
