// `npm run simulate -- [OPTION]...`
import { bundled } from './bundle.js';

const { main } = await bundled('main');
process.exitCode = await main(process.argv.slice(2));
