// `npm run images:rehearse`: the Compose file's services from images that `npm run images` made, two of each behind HAProxy, in a
// network of their own on this machine; the story against them, a process killed, and an upgrade from an earlier image.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, buildBeside, isFresh } from '../../cli/bin/build.js';
import { whyNot } from '../images/tools.js';

const help = `npm run images:rehearse -- --dir DIR [--storage DIR] [--tag TAG] [--from TAG --from-commit REV]

  --dir DIR           where the rehearsal keeps its data; a new folder
  --storage DIR       where "npm run images" put the images, if it was told
  --tag TAG           of the images (default: the version)
  --from TAG          of earlier images: the rehearsal begins with them and upgrades to the others
  --chart             what the chart makes instead of the Compose file: its environment, probes and security contexts
  --from-commit REV   the commit of those, whose Compose file they are run by
`;

const options = { dir: { type: 'string' }, storage: { type: 'string' }, tag: { type: 'string' }, chart: { type: 'boolean' }, help: { type: 'boolean' } };
const { values } = parseArgs({ options: { ...options, from: { type: 'string' }, 'from-commit': { type: 'string' } } });
const why = whyNot(['podman', 'haproxy', 'unshare', 'ip', 'git']);
if (values.help || values.dir === undefined) console.log(help);
else if (why !== null) refuse(why);
else if (process.getuid() !== 0) refuse('root alone can make networks here: run it as root');
else await rehearse(values);

async function rehearse({ dir, ...rest }) {
  if (!isFresh()) await build();
  const program = await buildBeside(join(import.meta.dirname, 'main.ts'), 'rehearsal.js');
  const folder = resolve(dir);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.pem') };
  const prepared = spawnSync(process.execPath, [program, 'prepare', folder], { stdio: 'inherit' });
  if (prepared.status !== 0) return refuse('the certificates cannot be made');
  const names = join(folder, 'resolv.conf');
  writeFileSync(names, 'nameserver 127.0.0.11\n');
  const inside = [
    'ip link set lo up',
    `mount --bind '${names}' /etc/resolv.conf`,
    'umount /sys/fs/cgroup/unified 2>/dev/null',
    'exec "$@"',
  ].join('; ');
  // A network of its own: its ports are nobody else's. crun takes no cgroups of both versions side by side.
  const command = ['--net', '--mount', 'sh', '-c', inside, 'sh', process.execPath, program, 'run', folder, JSON.stringify(rest)];
  const { status } = spawnSync('unshare', command, { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
}

function refuse(reason) {
  console.error(`rehearse: ${reason}`);
  process.exitCode = 1;
}
