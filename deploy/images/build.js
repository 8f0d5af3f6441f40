// `npm run images`: builds the Dockerfile's images of a commit with buildah, tells digest and size of each, and writes what is in it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { commitHere } from '../../scripts/release/commit.js';
import { attestationOf, readSigningKey } from '../../scripts/release/sign.js';
import { localBase, makeBase, pinned, sourcesFile } from './base.js';
import { debianIn, integritiesOf, nodeIn, npmIn } from './contents.js';
import { help, readOptions } from './options.js';
import { provenanceOf, whyNotAttested } from './provenance.js';
import { sbomOf, whyInvalid } from './sbom.js';
import { read, run, step, whyNot } from './tools.js';

const root = dirname(dirname(import.meta.dirname));
const targets = { countersign: 'countersign', enclave: 'countersign-enclave' };
const fromRegistry = 'node:22-bookworm-slim';
/** How images are made is of this checkout; what is in them is of the commit. */
const ofThisCheckout = ['deploy', 'scripts/release/licences.js'];

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(help);
else if (options.error !== undefined) refuse(`${options.error}. "npm run images -- --help" explains.`);
else await images(options).catch((error) => refuse(error.message));

async function images(options) {
  const why = whyNot(['buildah', 'git', 'tar']);
  if (why !== null) return refuse(why);
  if (process.getuid() !== 0) return refuse('root alone can make images here: run it as root');
  const key = options.key === null ? null : readSigningKey(resolve(options.key));
  const commit = await read('git', ['-C', root, 'rev-parse', '--verify', `${options.commit}^{commit}`]);
  const out = resolve(root, options.out);
  const whyUnsigned = key === null ? null : whyNotAttested(commit, commitHere([out]));
  if (whyUnsigned !== null) return refuse(whyUnsigned);
  mkdirSync(out, { recursive: true });
  const work = mkdtempSync(
    join(options.storage === null ? tmpdir() : made(resolve(options.storage)), 'work-'),
  );
  const buildah = options.storage === null ? [] : storageAt(resolve(options.storage));
  try {
    const all = { ...options, key, work, out, buildah, commit, context: await contextOf(commit, work) };
    // Storage of its own, so no layer of before: one may have an older Chromium in it, or the history of another day.
    const own = storageAt(join(work, 'first'));
    // A base that somebody made is in theirs; a registry's is not.
    if (!['auto', 'local'].includes(options.base))
      await keep([{ image: options.base }], buildah, own).catch(() => {});
    const first = await buildAll({ ...all, buildah: own });
    if (!options.twice) {
      await keep(first, own, buildah);
      return;
    }
    const second = await buildAll({ ...all, buildah: storageAt(join(work, 'second')) });
    const isSame = first.every(({ digest }, at) => digest === second[at].digest);
    if (isSame) console.log('images: both builds gave the same digests');
    else refuse('two builds gave different digests');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Copies images from one storage into another, as they are. */
async function keep(built, from, to) {
  const { store } = JSON.parse(await read('buildah', [...to, 'info']));
  const { GraphDriverName: driver, GraphRoot: root, RunRoot: run } = store;
  for (const { image } of built)
    await read('buildah', [
      ...from,
      'push',
      '--quiet',
      image,
      `containers-storage:[${driver}@${root}+${run}]${image}`,
    ]);
}

/** The commit's files in a folder, and how they were when it was made. */
async function contextOf(commit, work) {
  const folder = made(join(work, 'context'));
  const archive = join(work, 'context.tar');
  const git = ['-C', root, '-c', 'tar.umask=0022'];
  await read('git', [...git, 'archive', '--format=tar', '-o', archive, commit]);
  await read('tar', ['-xf', archive, '-C', folder]);
  const head = await read('git', ['-C', root, 'rev-parse', 'HEAD']);
  if (head !== commit) {
    await read('git', [...git, 'archive', '--format=tar', '-o', archive, 'HEAD', ...ofThisCheckout]);
    await read('tar', ['-xf', archive, '-C', folder]);
  }
  rmSync(archive);
  const epoch = await read('git', ['-C', root, 'log', '-1', '--format=%ct', commit]);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, epoch, version };
}

async function buildAll(options) {
  const base = await baseOf(options);
  const built = [];
  for (const [target, name] of Object.entries(targets)) {
    const image = `localhost/${name}:${options.tag ?? options.context.version}`;
    await step(image, () => build(target, image, base, options));
    built.push(await described(name, image, base, options));
  }
  for (const { name, digest, size, parts } of built)
    console.log(`images: ${name} ${digest} ${size}, ${parts} parts`);
  return built;
}

async function baseOf({ base, work, buildah }) {
  const isThere = async (name) => {
    const args = [...buildah, 'pull', '--quiet', name];
    return read('buildah', args, { timeout: 120_000 }).then(
      () => true,
      () => false,
    );
  };
  if (base !== 'auto' && base !== 'local') return { name: base, isLocal: base === localBase };
  if (base === 'auto' && (await isThere(fromRegistry))) return { name: fromRegistry, isLocal: false };
  const why = whyNot(['mmdebstrap']);
  if (why !== null) throw new Error(`no registry has ${fromRegistry}, and to make it here ${why}`);
  return { name: await makeBase({ work, buildah }), isLocal: true };
}

async function build(target, image, base, { buildah, context, commit, work, out }) {
  const secrets = base.isLocal ? await secretsOf(work) : [];
  // One time for all: a layer that did not change is the same in the next release.
  const args = [
    `--timestamp=${pinned.epoch}`,
    `--build-arg=SOURCE_DATE_EPOCH=${pinned.epoch}`,
    `--build-arg=NODE_IMAGE=${base.name}`,
    `--label=org.opencontainers.image.revision=${commit}`,
    `--label=org.opencontainers.image.version=${context.version}`,
    `--ignorefile=${join(context.folder, 'deploy/Dockerfile.dockerignore')}`,
    `--file=${join(context.folder, 'deploy/Dockerfile')}`,
    `--target=${target}`,
    `--tag=${image}`,
    ...secrets,
    context.folder,
  ];
  await run(
    'buildah',
    [...buildah, 'build', '--isolation=chroot', '--layers', ...args],
    join(out, `${target}.log`),
  );
}

/** Where this machine has packages from; the base made here knows nobody. */
async function secretsOf(work) {
  const registry = await read('npm', ['config', 'get', 'registry']);
  const npmrc = join(work, 'npmrc');
  writeFileSync(npmrc, `registry=${registry}\ncafile=/root/ca.crt\n`);
  const files = { npmrc, ca: '/etc/ssl/certs/ca-certificates.crt', apt: await sourcesFile(work) };
  return Object.entries(files).flatMap(([id, path]) => ['--secret', `id=${id},src=${path}`]);
}

/** Writes an image's bill of materials and provenance, and gives what is told of it. */
async function described(name, image, base, { buildah, context, commit, out, key }) {
  const [found] = JSON.parse(await read('buildah', [...buildah, 'images', '--json', image]));
  const baseDigest = await digestOf(base.name, buildah);
  const digest = await digestOf(image, buildah);
  const container = await read('buildah', [...buildah, 'from', '--pull-never', image]);
  try {
    const folder = await read('buildah', [...buildah, 'mount', container]);
    const node = await read('buildah', [
      ...buildah,
      'run',
      '--isolation',
      'chroot',
      container,
      'node',
      '--version',
    ]);
    const text = sbomOf({
      image: name,
      version: context.version,
      digest,
      epoch: Number(context.epoch),
      debian: debianIn(readFileSync(join(folder, 'var/lib/dpkg/status'), 'utf8')),
      npm: npmIn(folder),
      node: nodeIn(folder, node.replace(/^v/, '')),
      integrities: integritiesOf(JSON.parse(readFileSync(join(context.folder, 'package-lock.json'), 'utf8'))),
    });
    const problems = await whyInvalid(text);
    if (problems !== null)
      throw new Error(`the bill of materials of ${name} does not hold: ${JSON.stringify(problems)}`);
    writeFileSync(join(out, `${name}.cdx.json`), `${text}\n`);
    const statement = provenanceOf({
      images: [[name, digest]],
      commit,
      epoch: Number(context.epoch),
      isLocal: base.isLocal,
      base: { name: base.name, digest: baseDigest },
      materials: base.isLocal
        ? [
            [`node-linux-${process.arch}`, pinned.packages.node],
            ['npm', pinned.packages.npm],
          ]
        : [],
      tools: { buildah: await read('buildah', ['--version']) },
    });
    writeFileSync(join(out, `${name}.provenance.json`), attestationOf(statement, key));
    return { name, image, digest, size: found.size, parts: JSON.parse(text).components.length };
  } finally {
    await read('buildah', [...buildah, 'rm', container]);
  }
}

async function digestOf(image, buildah) {
  const format = '{{.FromImageDigest}}';
  return read('buildah', [...buildah, 'inspect', '--type', 'image', '--format', format, image]);
}

function storageAt(folder) {
  return [
    '--root',
    made(join(folder, 'root')),
    '--runroot',
    made(join(folder, 'run')),
    '--storage-driver',
    'overlay',
  ];
}

function made(folder) {
  mkdirSync(folder, { recursive: true });
  return folder;
}

function refuse(why) {
  console.error(`images: ${why}`);
  process.exitCode = 1;
}
