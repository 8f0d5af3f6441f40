// `npm run site [DIR]`: the documentation as a website, in dist/site or DIR.
import { join, resolve } from 'node:path';
import { root, runBundled } from './bundled.js';

process.exitCode = await runBundled('main', { into: resolve(process.argv[2] ?? join(root, 'dist/site')) });
