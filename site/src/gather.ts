import { type PlaceOf, withSiteLinks } from './links.ts';

/** Files of the repository by their path. */
export type Files = ReadonlyMap<string, string>;

/** Pages beside those below `docs`. */
const alongside: Readonly<Record<string, string>> = {
  'site/index.md': 'index.md',
  'ARCHITECTURE.md': 'architecture.md',
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CODE_OF_CONDUCT.md': 'code-of-conduct.md',
  'CHANGELOG.md': 'changelog.md',
  'examples/README.md': 'examples.md',
};

/** The page of the site that a Markdown file is; `null` for one that is not on it. */
export function pageOf(file: string): string | null {
  const own = alongside[file];
  if (own !== undefined) return own;
  if (!/^docs\/.*\.md$/.test(file)) return null;
  return file.slice('docs/'.length).replace(/README\.md$/, 'index.md');
}

/** Files that pages show or offer, at the same place below the site's root. */
export const assetOf = (file: string): string | null =>
  /^docs\/.*\.(?:json|jsonl|tlog-proof|webp)$/.test(file) ? file.slice('docs/'.length) : null;

/** Long lists of single sentences: whoever searches wants the page that explains. */
const listings = /^(?:changelog|spec\/(?:system|gateway|dashboard|vault|control-plane))\.md$/;

/** Every page of the site, by its place, with links that hold there. */
export function gather(files: Files): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  const placeOf = placesOf(files);
  for (const [file, text] of files) {
    const page = pageOf(file);
    if (page === null) continue;
    const linked = withSiteLinks(text, file, placeOf);
    pages.set(page, listings.test(page) ? `---\nsearch: false\n---\n\n${linked}` : linked);
  }
  const decisions = decisionsOf(pages);
  const list = decisions.map(({ page, title }) => `- [${title}](/${page})`);
  pages.set(
    'decisions/index.md',
    `# Decisions\n\nOne page for each, with its reasons.\n\n${list.join('\n')}\n`,
  );
  return pages;
}

function placesOf(files: Files): PlaceOf {
  const folders = new Set(['docs/decisions']);
  return (file) => {
    if (folders.has(file)) return '/decisions/index.md';
    const index = `${file}/README.md`;
    if (files.has(index)) return placesOf(files)(index);
    if (!files.has(file)) return null;
    const page = pageOf(file) ?? assetOf(file);
    return page === null ? null : `/${page}`;
  };
}

/** The decision pages, in their order. */
export const decisionsOf = (pages: ReadonlyMap<string, string>): readonly { page: string; title: string }[] =>
  [...pages]
    .filter(([page]) => /^decisions\/\d/.test(page))
    .map(([page, text]) => ({ page, title: titleOf(text) }))
    .toSorted((one, other) => (one.page < other.page ? -1 : 1));

/** The first heading of a page. */
export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';
