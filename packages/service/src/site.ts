import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { answerWith, type Encoding, type StaticFile, staticFile } from './static-file.ts';

/** Pages and their files. Null: the path is none of ours. */
export type Site = (request: Request) => Response | null;

export type SiteOptions = {
  /** Other origins that the pages may call. */
  readonly calls?: readonly string[];
  /**
   * Values of this deployment for the page's scripts: the contents of its `<meta>` elements with these names.
   */
  readonly meta?: Readonly<Record<string, string>>;
};

/**
 * A built site, read into memory once, so that no request ever names a file and a later build changes nothing under a
 * running process. `pages.json` beside `index.html` lists the paths that the pages themselves route. Null when `dir`
 * holds no build.
 */
export function readSite(dir: string, { calls = [], meta = {} }: SiteOptions = {}): Site | null {
  if (!existsSync(join(dir, 'index.html')) || !existsSync(join(dir, 'pages.json'))) return null;
  const files = readFiles(dir);
  const index = staticFile(
    { type: types['.html'] ?? '', cache: 'no-cache', calls },
    packed(fillIn(readFileSync(join(dir, 'index.html'), 'utf8'), meta)),
  );
  const pages = JSON.parse(readFileSync(join(dir, 'pages.json'), 'utf8')) as readonly string[];
  const isPage = (path: string) =>
    pages.some((page) => path === page || (page !== '/' && path.startsWith(`${page}/`)));

  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { pathname } = new URL(request.url);
    const file = isPage(pathname) ? index : files.get(pathname);
    return file === undefined ? null : answerWith(file, request);
  };
}

function fillIn(page: string, meta: Readonly<Record<string, string>>): string {
  return Object.entries(meta).reduce((text, [name, content]) => {
    const empty = `<meta name="${name}" content="" />`;
    const filled = `"${content.replace(/[&"<]/g, (character) => `&#${character.charCodeAt(0)};`)}"`;
    return text.replace(empty, () => empty.replace('""', () => filled));
  }, page);
}

// The last 7 % of a page would take eight times as long, at each start.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function packed(page: string): ReadonlyMap<Encoding, Uint8Array<ArrayBuffer>> {
  const plain = Buffer.from(page);
  return new Map([
    ['identity', new Uint8Array(plain)],
    ['br', new Uint8Array(brotliCompressSync(plain, quality))],
    ['gzip', new Uint8Array(gzipSync(plain))],
  ]);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function readFiles(dir: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const name = `/${path.split(sep).join('/')}`;
    const plain = bytes(join(dir, path));
    const bodies = new Map<Encoding, Uint8Array<ArrayBuffer>>([['identity', plain]]);
    for (const [encoding, ending] of [['br', '.br'] as const, ['gzip', '.gz'] as const]) {
      if (existsSync(join(dir, path + ending))) bodies.set(encoding, bytes(join(dir, path + ending)));
    }
    // What stands in `assets` has its content's hash in its name.
    const cache = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    files.set(name, staticFile({ type, cache }, bodies));
  }
  return files;
}

const bytes = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file));
