import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { places } from './src/places.ts';

const root = join(import.meta.dirname, '../..');
const installed = '../../node_modules';

/** The newest browsers' syntax: each of these knows `light-dark()`, `<dialog>` and cascade layers. */
const target = ['chrome123', 'firefox120', 'safari17.5'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), tellPageFiles(), tellPackages(), readyToServe()],
  // The audit log's own checks run in the browser, on what they need of Node.
  resolve: { alias: { 'node:crypto': join(import.meta.dirname, 'src/vault/verifier/node-crypto.ts') } },
  build: {
    target,
    // `data:` URLs are for wallets' icons only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // For work on the pages: `npx vite apps/console` beside a running `npm start`.
  server: { proxy: { '/api': 'http://127.0.0.1:4021', '/control': 'http://127.0.0.1:4021' } },
});

/** Writes into the document which scripts each page needs beyond those that come with it: see `lazyPage`. */
function tellPageFiles(): Plugin {
  return {
    name: 'tell-page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => [
        {
          tag: 'meta',
          // The policy of pages allows no script within them, and people who read it should find none.
          attrs: { name: 'page-files', content: encodeURIComponent(JSON.stringify(pageFiles(bundle))) },
          injectTo: 'head',
        },
      ],
    },
  };
}

function pageFiles(bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const withImports = (fileName: string, known = new Set<string>()): Set<string> => {
    if (known.has(fileName)) return known;
    known.add(fileName);
    const { imports = [] } = chunks.find((chunk) => chunk.fileName === fileName) ?? {};
    for (const imported of imports) withImports(imported, known);
    return known;
  };
  const atStart = new Set(
    chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => [...withImports(chunk.fileName)]),
  );
  const pages = chunks.filter(
    ({ isDynamicEntry, exports }) => isDynamicEntry && exports.some((name) => name.endsWith('Page')),
  );
  return Object.fromEntries(
    pages.flatMap(({ fileName, exports }) => {
      const files = [...withImports(fileName)].filter((file) => !atStart.has(file)).map((file) => `/${file}`);
      return exports.map((name) => [name, files]);
    }),
  );
}

/** Lists the packages whose code, styles and fonts are in the build, by their folders from the repository's root: their licences are owed. */
function tellPackages(): Plugin {
  return {
    name: 'tell-packages',
    apply: 'build',
    generateBundle(_, bundle) {
      const styles = [...this.getModuleIds()].filter((id) => id.endsWith('.css'));
      const paths = [...Object.values(bundle).flatMap(sourcesOf), ...styles.flatMap(importsOf)];
      const packages = new Set(
        paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
      );
      const folders = [...packages].map((path) => relative(root, join(import.meta.dirname, path))).sort();
      this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(folders) });
    },
  };
}

/** The modules and files that an output is made of. A bundler's own, which have no path, count as its package. */
function sourcesOf(output: Rolldown.OutputBundle[string]): readonly string[] {
  if (output.type === 'asset') return output.originalFileNames;
  const modules = Object.entries(output.modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return modules.map(([id]) =>
    id.startsWith('\0') ? `${installed}/${id.slice(1)}` : relative(import.meta.dirname, id),
  );
}

const importsOf = (style: string): readonly string[] =>
  [...readFileSync(style, 'utf8').matchAll(/^@import "([^"]+)"/gm)].map(([, name]) => `${installed}/${name}`);

/** Adds what the server needs: each text once more in br and gzip, and the paths that are pages of the console. */
function readyToServe(): Plugin {
  return {
    name: 'ready-to-serve',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(path)) continue;
        const file = join(dir, path);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
      writeFileSync(join(dir, 'pages.json'), JSON.stringify(Object.values(places)));
    },
  };
}
