import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The Chromium that sessions get. */
export type Engine = {
  readonly kind: 'configured' | 'system' | 'bundled';
  readonly path: string;
  /** Directories that it needs besides the system's own. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
};

/** The programs themselves, where packages put them; what is in PATH are often scripts with flags of their own. */
const usualPlaces = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
];
const usualNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The system's Chromium; null where there is none, or only one that runs in a box of its own. */
export function systemChromium(path = process.env['PATH'] ?? ''): string | null {
  const inPath = path.split(delimiter).flatMap((folder) => usualNames.map((name) => join(folder, name)));
  const found = [...usualPlaces, ...inPath]
    .filter((file) => existsSync(file))
    .map((file) => realpathSync(file));
  return (
    found.find((file) => !/^\/(snap|var\/lib\/(snapd|flatpak))\//.test(file) && !file.endsWith('/snap')) ??
    null
  );
}

/** Returns the version that the program reports. */
export async function versionOf(path: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], {
    env: { PATH: '/usr/bin:/bin', ...env },
    timeout: 20_000,
  });
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? 'unknown';
}

export async function engineAt(kind: Engine['kind'], path: string): Promise<Engine> {
  const file = realpathSync(path);
  return { kind, path: file, folders: [dirname(file)], env: {}, version: await versionOf(file) };
}
