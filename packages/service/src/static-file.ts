import { createHash } from 'node:crypto';

export type Encoding = 'br' | 'gzip' | 'identity';
type Bytes = Uint8Array<ArrayBuffer>;

/** A file in memory, as it is served. */
export type StaticFile = {
  readonly type: string;
  /** Other origins that the page may call. */
  readonly calls: readonly string[];
  readonly etag: string;
  readonly cache: string;
  readonly bodies: ReadonlyMap<Encoding, Bytes>;
};

/** A file of this media type, in as many encodings as there are; `identity` must be one of them. */
export function staticFile(
  about: { readonly type: string; readonly cache: string; readonly calls?: readonly string[] },
  bodies: ReadonlyMap<Encoding, Bytes>,
): StaticFile {
  const plain = bodies.get('identity') ?? new Uint8Array();
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { calls: [], ...about, etag, bodies };
}

/** The answer to a GET or HEAD for this file, with the headers that keep every page of ours to itself. */
export function answerWith(file: StaticFile, request: Request): Response {
  const headers = {
    ...safety(file.calls),
    'cache-control': file.cache,
    etag: file.etag,
    vary: 'accept-encoding',
  };
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers });
  const encoding = bestEncoding(file, request.headers.get('accept-encoding') ?? '');
  const body = request.method === 'HEAD' ? null : (file.bodies.get(encoding) ?? null);
  const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  return new Response(body, { headers: { ...headers, ...encoded, 'content-type': file.type } });
}

function bestEncoding({ bodies }: StaticFile, accepted: string): Encoding {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((name) => bodies.has(name) && names.includes(name)) ?? 'identity';
}

/** Nothing runs or loads but from here; nobody frames us. `data:` images are the icons that wallets announce. */
const safety = (calls: readonly string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...calls].join(' '),
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
});
