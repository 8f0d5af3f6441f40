// One tarball of a folder. Only what the list of its package names may be in it, and nothing of the machine that built it.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './stage.js';

const always = /^(package\.json|README\.md|LICENSE|THIRD_PARTY_LICENSES)$/;
const library = /^dist\/[\w/-]+\.(js|d\.ts|js\.map)$/;
const allowed = {
  '@countersign/protocol': library,
  '@countersign/sdk': library,
  '@countersign/verify': /^dist\/[\w-]+\.(js|d\.ts|js\.map)$/,
  countersign:
    /^(cli\/bin\/countersign\.js|dist\/[\w-]+\.js|dist\/console\/.+|apps\/[\w-]+\/migrations\/[\w-]+\.sql|apps\/dashboard\/demo\/sanctions-demo\.xml|local\/src\/door\/browser\/[\w-]+\.(js|css|html)|node_modules\/swagger-ui-dist\/[\w.-]+)$/,
};

/** Packs a folder. Throws where a file is in it that is not expected. */
export async function pack(folder, into) {
  evenModes(folder);
  const args = ['pack', folder, '--pack-destination', into, '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 2 ** 26 });
  const { name, filename, size, files } = JSON.parse(stdout)[0];
  const file = filename.replace('@', '').replace('/', '-');
  for (const { path } of files) check(name, folder, path);
  const sha256 = createHash('sha256')
    .update(readFileSync(join(into, file)))
    .digest('hex');
  return { name, file, bytes: size, sha256 };
}

/** As a machine whose files others may read has them: npm packs modes too. */
export function evenModes(folder) {
  for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(one.parentPath, one.name);
    if (one.isFile()) chmodSync(path, readFileSync(path).subarray(0, 2).toString() === '#!' ? 0o755 : 0o644);
  }
}

/** Throws where a file is not expected in the package. */
export function check(name, folder, path) {
  if (!always.test(path) && !allowed[name].test(path)) throw new Error(`${name} must not have ${path}`);
  if (/(^|\/)\.|\.test\.|(^|\/)test\//.test(path)) throw new Error(`${name} must not have ${path}`);
  if (readFileSync(join(folder, path)).includes(root)) throw new Error(`${path} of ${name} names ${root}`);
}
