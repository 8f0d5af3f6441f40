// A module of `src`, compiled: the packages that it uses are TypeScript.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs `main` of it with the repository and a folder of its own, which is gone afterwards: two may run at once. */
export async function runBundled(name, about) {
  const aside = join(root, 'dist', `.tmp-site-${process.pid}`);
  mkdirSync(aside, { recursive: true });
  try {
    const outfile = join(aside, 'main.js');
    const commonJs = `import { createRequire as __required } from 'node:module'; const require = __required(import.meta.url);`;
    await build({
      entryPoints: [join(root, 'site/src', `${name}.ts`)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'bundle',
      external: ['vitepress', 'playwright-core', '@sparticuz/chromium', 'koffi', 'sodium-native'],
      banner: { js: commonJs },
      logLevel: 'warning',
    });
    const { main } = await import(pathToFileURL(outfile).href);
    return await main({ root, aside, ...about });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
