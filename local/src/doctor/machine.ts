import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Env } from '@countersign/service/config';
import { whyProxied } from '../proxy.ts';
import { type Finding, bad, note, ok } from './finding.ts';

/** Checks the recommendation in docs/packages.md. */
export function nodeFinding(version: string): Finding {
  const major = Number(version.split('.')[0]);
  return major >= 22
    ? ok(`Node ${version}`)
    : note(`Node ${version} runs, but is past its end of life: install Node 22 or newer`);
}

/** Bytes that a demo uses in a day, with a margin. */
const minFree = 2_000_000_000;

/** The data directory, or where it will be made. */
export function folderFinding(dir: string): Finding {
  let folder = resolve(dir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return bad(`${folder} is not writable: name another data directory with --data DIR`);
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${(free / 1e9).toFixed(1)} GB free in ${folder}`;
  return free < minFree ? bad(`only ${text}: free 2 GB, or name another disk with --data DIR`) : ok(text);
}

/** Services of ours connect to what they are told, and nowhere else; npm alone takes a proxy. */
export function proxyFindings(env: Env): readonly Finding[] {
  const proxied = whyProxied(env);
  if (proxied !== null) return [bad(proxied)];
  const name = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((each) => env[each]?.trim());
  return name === undefined
    ? []
    : [
        note(
          `${name} is set, and services connect without a proxy: let this machine reach their addresses directly ("start --fetch" uses npm, which takes the proxy)`,
        ),
      ];
}
