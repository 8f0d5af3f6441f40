import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Site } from '@countersign/service/site';
import { answerWith, type StaticFile, staticFile } from '@countersign/service/static-file';

// Swagger UI as it is packed. Its files are served, its modules never loaded: those would bring in `@scarf/scarf`.
const require = createRequire(import.meta.url);
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Countersign dashboard API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main id="reference"></main>
    <noscript>The reference needs JavaScript. The same is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// No validator: that would send our address to somebody else.
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** The API reference at `/docs`, from files of our own. They are read when somebody first looks. */
export function docsSite(): Site {
  let files: ReadonlyMap<string, StaticFile> | undefined;
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { pathname } = new URL(request.url);
    if (pathname !== '/docs' && !pathname.startsWith('/docs/')) return null;
    files ??= readFiles();
    const file = files.get(pathname);
    return file === undefined ? null : answerWith(file, request);
  };
}

const readFiles = (): ReadonlyMap<string, StaticFile> =>
  new Map([
    ['/docs', packed('text/html', Buffer.from(page))],
    ['/docs/start.js', packed('text/javascript', Buffer.from(start))],
    ['/docs/swagger-ui.css', packed('text/css', readFileSync(join(swaggerUi, 'swagger-ui.css')))],
    [
      '/docs/swagger-ui-bundle.js',
      packed('text/javascript', readFileSync(join(swaggerUi, 'swagger-ui-bundle.js'))),
    ],
  ]);

const packed = (type: string, bytes: Buffer): StaticFile =>
  staticFile(
    { type: `${type}; charset=utf-8`, cache: 'no-cache' },
    new Map([
      ['identity', new Uint8Array(bytes)],
      ['gzip', new Uint8Array(gzipSync(bytes))],
    ]),
  );
