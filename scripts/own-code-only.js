import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * An esbuild plugin that bundles our own TypeScript into the folder `out`; packages stay in node_modules. Modules that
 * look beside their source find their place.
 */
export function ownCodeOnly(out) {
  return {
    name: 'own-code-only',
    setup(builder) {
      builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || path.startsWith('@countersign/') ? null : { path, external: true },
      );
      builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const place = `new URL(${JSON.stringify(relative(out, path))}, import.meta.url).href`;
        const text = readFileSync(path, 'utf8');
        return { loader: 'ts', contents: text.replaceAll('import.meta.url', place) };
      });
    },
  };
}
