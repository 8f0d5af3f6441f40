// The documentation as a website, in one archive that is the same for the same pages.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newStage, root } from './stage.js';

const run = promisify(execFile);
const sameEachTime = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];

/** Builds it; gives the name of the archive in `into`. `epoch` is the time of all its files, in seconds. */
export async function packSite(stages, into, version, epoch) {
  const folder = newStage(stages, 'site');
  const file = `countersign-docs-${version}.tar.gz`;
  await run(process.execPath, [join(root, 'site/build.js'), folder], { maxBuffer: 2 ** 26 });
  const args = [...sameEachTime, `--mtime=@${epoch}`, '--use-compress-program=gzip -n9', '-cf'];
  await run('tar', [...args, join(into, file), '-C', folder, '.']);
  return file;
}
