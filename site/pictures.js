// `npm run docs:pictures`: pictures of the console, from a demo, into docs/pictures.
import { runBundled } from './bundled.js';

process.exitCode = await runBundled('pictures/main');
