import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { places } from './src/places.ts';

/** The newest browsers' syntax: each of these knows `light-dark()`, `<dialog>` and cascade layers. */
const target = ['chrome123', 'firefox120', 'safari17.5'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), readyToServe()],
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
