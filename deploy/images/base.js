// The image that the others begin with where no registry is reached: Debian by the mirror that apt knows here, Node.js and npm by
// the registry that npm knows here. Neither is named in it, nor anywhere in these files.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, run, step } from './tools.js';

/** Versions and digests of what is not Debian's; no file in it is younger than `epoch`, in seconds. */
export const pinned = JSON.parse(readFileSync(join(import.meta.dirname, 'base.json'), 'utf8'));

/** Has libraries, certificates and what apt needs; pages and translations are for people. */
const debian = ['--variant=minbase', '--include=ca-certificates', '--aptopt=Acquire::Languages "none"'];
const withoutPages = ['doc', 'man', 'info', 'locale', 'lintian'].map(
  (folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
);
/** Licences stay. */
const withLicences = '--dpkgopt=path-include=/usr/share/doc/*/copyright';

/** What it is called. */
export const localBase = `localhost/countersign-node:${pinned.packages.node.version}`;

/** Makes it; gives its name. */
export async function makeBase({ work, buildah }) {
  const parts = await step('Node.js and npm from npm', () => unpacked(work));
  const tar = join(work, 'base.tar');
  await step(`Debian ${pinned.debian} from its mirror`, () => debootstrapped(work, parts, tar));
  const file = join(work, 'base.Containerfile');
  writeFileSync(
    file,
    'FROM scratch\nADD base.tar /\nENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\nCMD ["node"]\n',
  );
  const time = ['--timestamp', String(pinned.epoch)];
  await step('the base', () =>
    run(
      'buildah',
      [...buildah, 'build', '--isolation', 'chroot', ...time, '-t', localBase, '-f', file, work],
      join(work, 'base.log'),
    ),
  );
  rmSync(tar);
  return localBase;
}

async function unpacked(work) {
  const folder = join(work, 'parts');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = { node: `node-linux-${process.arch}`, npm: 'npm' };
  for (const [part, name] of Object.entries(names)) await unpack(folder, part, name);
  return folder;
}

async function unpack(folder, part, name) {
  const { version, integrity } = pinned.packages[part];
  const to = mkdtempSync(join(folder, 'packed-'));
  await read('npm', ['pack', `${name}@${version}`, '--pack-destination', to, '--silent']);
  const [file] = readdirSync(to);
  const digest = createHash('sha512')
    .update(readFileSync(join(to, file)))
    .digest('base64');
  if (integrity !== `sha512-${digest}`)
    throw new Error(`${name} ${version} is not what deploy/images/base.json pins`);
  await read('tar', ['-xf', join(to, file), '-C', to, '--no-same-owner']);
  cpSync(join(to, 'package'), join(folder, part), { recursive: true });
  rmSync(to, { recursive: true });
}

/** By the machine's own sources of Debian, which are not in the result. */
async function debootstrapped(work, parts, tar) {
  const hooks = [
    `mkdir -p "$1/usr/local/lib/node_modules"`,
    `copy-in ${join(parts, 'node/bin/node')} /usr/local/bin`,
    `copy-in ${join(parts, 'npm')} /usr/local/lib/node_modules`,
    `ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"`,
    `chmod 0755 "$1/usr/local/bin/node" "$1/usr/local/lib/node_modules/npm/bin/npm-cli.js"`,
    `rm -rf "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d/* "$1"/etc/machine-id "$1"/var/cache/ldconfig/*`,
    `rm -rf "$1"/etc/resolv.conf "$1"/etc/hostname "$1"/var/log/*.log "$1"/var/log/apt`,
  ].map((hook) => `--customize-hook=${hook}`);
  const args = [
    ...debian,
    ...withoutPages,
    withLicences,
    ...hooks,
    pinned.debian,
    tar,
    await sourcesFile(work),
  ];
  await run('mmdebstrap', args, join(work, 'debian.log'), {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(pinned.epoch) },
  });
}

/** A file with the sources of Debian's release that apt knows here, one a line; gives its path. */
export async function sourcesFile(work) {
  const format = ['--format', '$(SITE) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'];
  const lines = (await read('apt-get', ['indextargets', ...format])).split('\n');
  const sources = new Set(lines.filter((line) => line.split(' ')[1]?.startsWith(pinned.debian)));
  if (sources.size === 0)
    throw new Error(
      `apt knows no source of Debian ${pinned.debian} here: name one in /etc/apt, then apt-get update`,
    );
  const path = join(work, 'debian.sources.list');
  writeFileSync(path, [...sources].map((source) => `deb ${source}\n`).join(''));
  return path;
}
