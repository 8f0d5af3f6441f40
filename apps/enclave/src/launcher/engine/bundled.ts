import { createHash } from 'node:crypto';
import { existsSync, lstatSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { makeFolder } from '@countersign/service/make-folder';
import { type Engine, versionOf } from './engine.ts';

/**
 * SHA-256 of the contents of @sparticuz/chromium 147.0.0: its Chromium, and the libraries that some systems
 * lack.
 */
const packed = {
  chromium: {
    file: 'chromium.br',
    sha256: 'bf7d8699042e0e1768ee136c19cf666371f74a39c8b6cfb246d15b3aa18c30ce',
  },
  libraries: {
    file: 'al2023.tar.br',
    sha256: '08698c1bd4ac01a1ce38d50bb63944145699496ffdb4fcc5260662dd9c5e6891',
  },
} as const;

const require = createRequire(import.meta.url);

type Packed = (typeof packed)[keyof typeof packed];

/**
 * The Chromium that comes along as a package: of it we use the program alone, unpacked by us into a folder that only
 * this user can write, and compared with its pinned digest whenever an enclave starts to use it.
 */
export async function bundledEngine(
  folders = ownFolders(),
  lacksLibraries = !hasLibraries(),
): Promise<Result<Engine, string>> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return fail(
      'the Chromium that comes along is for Linux on x64: install one, or name it in SANDBOX_CHROMIUM',
    );
  const folder = folders.find(isOwn);
  if (folder === undefined) return fail(`no folder for Chromium can be made: tried ${folders.join(', ')}`);
  const path = join(folder, `chromium-${packed.chromium.sha256.slice(0, 16)}`);
  if (!(await isWhole(path, packed.chromium.sha256))) writeAside(path, await unpack(packed.chromium), 0o755);
  const libraries = lacksLibraries ? await unpackLibraries(folder) : null;
  const env: Record<string, string> = libraries === null ? {} : { LD_LIBRARY_PATH: libraries };
  return ok({ kind: 'bundled', path, folders: [folder], env, version: await versionOf(path, env) });
}

/** Returns the directories in which it may be unpacked: for all users if root unpacks it. */
function ownFolders(): readonly string[] {
  const temporary = join(tmpdir(), `countersign-engine-${process.getuid?.() ?? 0}`);
  if (process.getuid?.() === 0) return ['/var/cache/countersign', temporary];
  const home = homeOfUser();
  return home === null ? [temporary] : [join(home, '.cache', 'countersign'), temporary];
}

/** Null for a user whom the system does not know, as containers have them. */
function homeOfUser(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}

/** Made where it is not there; what another could have put there, or could change, is not used. */
function isOwn(folder: string): boolean {
  try {
    makeFolder(folder, 0o755);
    const stat = lstatSync(folder);
    return stat.isDirectory() && isOurs(stat);
  } catch {
    return false;
  }
}

const isOurs = (stat: Stats): boolean => stat.uid === (process.getuid?.() ?? 0) && (stat.mode & 0o022) === 0;

async function isWhole(path: string, sha256: string): Promise<boolean> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && isOurs(stat) && digest(await readFile(path)) === sha256;
}

async function unpack({ file, sha256 }: Packed): Promise<Buffer> {
  const folder = dirname(dirname(dirname(require.resolve('@sparticuz/chromium'))));
  const bytes = await promisify(brotliDecompress)(await readFile(join(folder, 'bin', file)));
  if (digest(bytes) !== sha256)
    throw new Error(`${file} of @sparticuz/chromium is not what it must be: run npm ci`);
  return bytes;
}

/** Two enclaves may unpack at once: each writes aside, and what is there is always whole. */
function writeAside(path: string, bytes: Uint8Array, mode: number): void {
  const aside = `${path}.${process.pid}`;
  rmSync(aside, { force: true });
  writeFileSync(aside, bytes, { mode, flag: 'wx' });
  renameSync(aside, path);
}

const hasLibraries = (): boolean =>
  ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib', '/lib/x86_64-linux-gnu', '/lib64'].some((folder) =>
    existsSync(join(folder, 'libnss3.so')),
  );

async function unpackLibraries(folder: string): Promise<string> {
  const libraries = join(folder, `lib-${packed.libraries.sha256.slice(0, 16)}`);
  makeFolder(libraries, 0o755);
  for (const { name, bytes } of filesOfTar(await unpack(packed.libraries)))
    writeAside(join(libraries, name), bytes, 0o644);
  return libraries;
}

const block = 512;

/** The regular files of a tar archive (POSIX ustar), each by the last part of its name. */
function* filesOfTar(tar: Buffer): Generator<{ name: string; bytes: Buffer }> {
  const text = (from: number, length: number) =>
    tar.toString('latin1', from, from + length).replace(/\0.*$/s, '');
  for (let at = 0; at + block <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const bytes = tar.subarray(at + block, at + block + size);
    const name = text(at, 100).split('/').at(-1) ?? '';
    if (/^0?$/.test(text(at + 156, 1)) && name !== '') yield { name, bytes };
    at += block + Math.ceil(size / block) * block;
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
