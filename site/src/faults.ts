import { posix } from 'node:path';

/** A built site's files by their path. */
type Built = ReadonlyMap<string, string>;

/** One sentence for each link that leads nowhere, and for each file that would load something from another host. */
export function faultsIn(built: Built): readonly string[] {
  const ids = new Map<string, ReadonlySet<string>>();
  for (const [name, text] of built)
    if (name.endsWith('.html'))
      ids.set(name, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)));
  return [...built].flatMap(([name, text]) => {
    if (name.endsWith('.html')) return [...deadLinks(name, text, built, ids), ...loads(name, text, inHtml)];
    return name.endsWith('.css') ? loads(name, text, inCss) : [];
  });
}

function deadLinks(
  name: string,
  text: string,
  built: Built,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const targets = new Set([...text.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, href = '']) => href));
  return [...targets].flatMap((href) => {
    if (/^[a-z]+:/.test(href)) return [];
    const { pathname, hash } = new URL(href, `http://site/${name}`);
    const path = decodeURIComponent(pathname).slice(1);
    const file = path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path;
    if (!built.has(file)) return [`${name} leads to ${href}, which is not there`];
    const id = decodeURIComponent(hash.slice(1));
    if (id === '' || ids.get(file)?.has(id)) return [];
    return [`${name} leads to ${href}, which has no such heading`];
  });
}

const inHtml =
  /<(?:script|img|link|source|iframe|video|audio)\s[^>]*?(?:src|href|srcset)="((?:https?:)?\/\/[^"]+)"/g;
const inCss = /(?:url\(\s*['"]?|@import\s+['"])((?:https?:)?\/\/[^'")]+)/g;

const loads = (name: string, text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, url]) => `${name} loads ${url}`);
