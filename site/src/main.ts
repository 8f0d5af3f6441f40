import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { apiPages } from './api/reference.ts';
import { faultsIn } from './faults.ts';
import { assetOf, gather, pageOf } from './gather.ts';
import { sidebarOf } from './sidebar.ts';

export type Places = {
  /** Of the repository. */
  readonly root: string;
  /** Where pages are gathered. */
  readonly aside: string;
  /** Where the site is built. */
  readonly into: string;
};

/** Builds the site; the exit code. A dead link, or another host in a file, is told and fails it. */
export async function main({ root, aside, into }: Places): Promise<number> {
  const begun = performance.now();
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const names = tracked.trim().split('\n');
  const read = (name: string): [string, string] => [name, readFileSync(join(root, name), 'utf8')];
  const isText = (name: string) => pageOf(name) !== null;
  const files = new Map([
    ...names.filter(isText).map(read),
    ...names
      .filter((name) => !isText(name) && assetOf(name) !== null)
      .map((name): [string, string] => [name, '']),
  ]);
  const pages = new Map(gather(files));
  const api = apiPages();
  for (const [page, text] of api.pages) pages.set(page, text);
  const source = join(aside, 'pages');
  for (const [page, text] of pages) write(join(source, page), text);
  write(join(aside, 'sidebar.json'), JSON.stringify(sidebarOf(pages, api.sidebar)));
  copyAssets(root, join(source, 'public'), names);

  // Links to these stay as they are, where VitePress would add .html.
  const extensions = { VITE_EXTRA_EXTENSIONS: 'jsonl,tlog-proof' };
  Object.assign(process.env, { SITE_ASIDE: aside, SITE_INTO: into, ...extensions });
  await build(join(root, 'site'));
  const faults = faultsIn(
    new Map(filesBelow(into).map((name) => [name, readFileSync(join(into, name), 'utf8')])),
  );
  for (const fault of faults) console.error(`site: ${fault}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`site: ${pages.size} pages in ${into} after ${seconds} s`);
  return faults.length === 0 ? 0 : 1;
}

function copyAssets(root: string, into: string, names: readonly string[]): void {
  for (const name of names) {
    const place = assetOf(name);
    if (place === null) continue;
    mkdirSync(dirname(join(into, place)), { recursive: true });
    cpSync(join(root, name), join(into, place));
  }
  cpSync(join(root, 'apps/console/public/icon.svg'), join(into, 'icon.svg'));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
