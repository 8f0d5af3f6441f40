import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('no two statements have one name: a connection that has prepared the one refuses the other', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'));
  const names = files.flatMap((name) =>
    Array.from(
      readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/^\s*'(gateway\.[a-z-]+)',$/gm),
      ([, found]) => found,
    ),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
