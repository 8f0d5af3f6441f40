import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** Pages and their files. Null: the path is none of ours. */
export type Site = (request: Request) => Response | null;

type Encoding = 'br' | 'gzip' | 'identity';
type File = {
  readonly type: string;
  readonly etag: string;
  readonly cache: string;
  readonly bodies: ReadonlyMap<Encoding, Uint8Array<ArrayBuffer>>;
};

/**
 * A built site, read into memory once, so that no request ever names a file and a later build changes nothing under a
 * running process. `pages.json` beside `index.html` lists the paths that the pages themselves route. Null when `dir`
 * holds no build.
 */
export function readSite(dir: string): Site | null {
  if (!existsSync(join(dir, 'index.html')) || !existsSync(join(dir, 'pages.json'))) return null;
  const files = readFiles(dir);
  const index = files.get('/index.html');
  if (index === undefined) return null;
  const pages = JSON.parse(readFileSync(join(dir, 'pages.json'), 'utf8')) as readonly string[];
  const isPage = (path: string) =>
    pages.some((page) => path === page || (page !== '/' && path.startsWith(`${page}/`)));

  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { pathname } = new URL(request.url);
    const file = isPage(pathname) ? index : files.get(pathname);
    return file === undefined ? null : answer(file, request);
  };
}

function answer(file: File, request: Request): Response {
  const headers = { ...safety, 'cache-control': file.cache, etag: file.etag, vary: 'accept-encoding' };
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers });
  const encoding = bestEncoding(file, request.headers.get('accept-encoding') ?? '');
  const body = request.method === 'HEAD' ? null : (file.bodies.get(encoding) ?? null);
  const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  return new Response(body, { headers: { ...headers, ...encoded, 'content-type': file.type } });
}

function bestEncoding({ bodies }: File, accepted: string): Encoding {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((name) => bodies.has(name) && names.includes(name)) ?? 'identity';
}

/** Nothing runs, loads or connects but from here; nobody frames us. `data:` images are the icons that wallets announce. */
const safety = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // A wallet may be a pop-up of its own site.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function readFiles(dir: string): ReadonlyMap<string, File> {
  const files = new Map<string, File>();
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const name = `/${path.split(sep).join('/')}`;
    const plain = bytes(join(dir, path));
    const bodies = new Map<Encoding, Uint8Array<ArrayBuffer>>([['identity', plain]]);
    for (const [encoding, ending] of [['br', '.br'] as const, ['gzip', '.gz'] as const]) {
      if (existsSync(join(dir, path + ending))) bodies.set(encoding, bytes(join(dir, path + ending)));
    }
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    // What stands in `assets` has its content's hash in its name.
    const cache = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    files.set(name, { type, etag, cache, bodies });
  }
  return files;
}

const bytes = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file));
