import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const skipped = new Set(['node_modules', 'dist', '.git', '.countersign', 'peers']);

/** Which test files cite which requirement: its id stands in square brackets in the name of a test. */
export function citations(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const path of sourcesBelow(root).filter((path) => path.endsWith('.test.ts')))
    for (const [, id = ''] of readFileSync(path, 'utf8').matchAll(citation))
      found.set(id, (found.get(id) ?? new Set()).add(relative(root, path)));
  return new Map([...found].map(([id, paths]) => [id, [...paths].toSorted()]));
}

/** The sentences of tests' names, ids and all, each with its file: what `test` is given, and every text that holds an id. */
export function testNames(): readonly (readonly [name: string, path: string])[] {
  return sourcesBelow(root)
    .filter((path) => path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(text)]
        .filter(([, call, , name = '']) => call !== undefined || name.search(citation) >= 0)
        .map(([, , , name = '']) => [name, relative(root, path)] as const),
    );
}

/** The ids that comments of our sources cite, as in `(spec: vault.audit, vault.anchor)`, each with its file. */
export function commentCitations(): readonly (readonly [id: string, path: string])[] {
  return sourcesBelow(root).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bspec: ([a-z][a-z0-9., -]+)\)/g)].flatMap(([, ids = '']) =>
      ids.split(', ').map((id) => [id, relative(root, path)] as const),
    ),
  );
}

const citation = /\[((?:system|gateway|dashboard|vault|control-plane)\.[a-z0-9.-]+)\]/g;

/** A text of one line, and whether it is the first that `test` is given. */
const text = /(\btest(?:\.\w+)*\(\s*)?(['"`])((?:\\.|(?!\2)[^\\\n])*)\2/g;

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
