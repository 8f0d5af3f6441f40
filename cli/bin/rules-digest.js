// What verdicts are made with: a digest of the review's rules as they are built, for the records of each verdict.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

// From facts to a verdict; with everything that these load. What draws facts out of a page is not made again, and not in it.
const judging = [
  `export { judge } from './review.ts';`,
  `export { judgeTogether } from './judge-together.ts';`,
  `export { judgeRequest } from './request/judge.ts';`,
  `export { exportObjection } from './export-objection.ts';`,
  `export { objectionsLeft } from './request/objections-left.ts';`,
].join('\n');

/** The rules in one text, without comments and types: the same for the same code. `read` gives the text of a source. */
export async function builtRules(read = (path) => readFileSync(path, 'utf8')) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    stdin: { contents: judging, resolveDir: join(root, 'packages/review/src'), loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'node20',
    minifyWhitespace: true,
    legalComments: 'none',
    plugins: [librariesApart, sourcesBy(read)],
    logLevel: 'silent',
  });
  const sources = Object.keys(metafile.inputs).filter((path) => path.endsWith('.ts'));
  return { text: outputFiles[0].text, sources: sources.map((path) => join(root, path)) };
}

/** SHA-256 of the built rules, in lower-case hex. */
export const rulesDigest = async (read) =>
  createHash('sha256')
    .update((await builtRules(read)).text)
    .digest('hex');

/** Libraries read and check texts; no verdict is theirs. They stand in the text by name. */
const librariesApart = {
  name: 'libraries-apart',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@countersign/') ? null : { path, external: true, sideEffects: false },
    );
  },
};

const sourcesBy = (read) => ({
  name: 'sources-by',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => ({ loader: 'ts', contents: read(path) }));
  },
});
