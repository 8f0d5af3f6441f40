// Programs of the machine that make images: whether they are there, and what they say when they fail.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, createWriteStream, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The package of Debian that has each. */
const packages = {
  buildah: 'buildah',
  podman: 'podman',
  mmdebstrap: 'mmdebstrap',
  git: 'git',
  tar: 'tar',
  haproxy: 'haproxy',
};

/** One sentence about what is missing of these programs; null where nothing is. */
export function whyNot(names, has = isInstalled) {
  const missing = names.filter((name) => !has(name));
  if (missing.length === 0) return null;
  const wanted = missing.map((name) => packages[name] ?? name).join(' ');
  return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing: apt-get install ${wanted}`;
}

function isInstalled(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What a program prints. Throws, with the last that it said, where its exit code is not 0. */
export async function read(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = [collected(child.stdout), collected(child.stderr)];
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args[0]} failed (${code}): ${lastOf(errors.join(''))}`);
  return out.join('').trim();
}

/** Runs a program whose words go into a file; the error has the last of them. */
export async function run(command, args, log, options = {}) {
  const file = createWriteStream(log);
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
  const [code] = await once(child, 'close');
  await new Promise((resolve) => file.end(resolve));
  if (code !== 0) throw new Error(`${command} failed (${code}), ${log} has all: ${lastOf(readFileSync(log, 'utf8'))}`);
}

/** Says what is being done, and how long it took. */
export async function step(what, work) {
  console.log(`images: ${what} …`);
  const started = performance.now();
  const result = await work();
  console.log(`images: ${what}: ${Math.round((performance.now() - started) / 1000)} s`);
  return result;
}

function collected(stream) {
  const parts = [];
  stream.on('data', (part) => parts.push(part));
  return parts;
}

const lastOf = (text) => text.trim().split('\n').slice(-12).join('\n');
