import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm start` tells about itself; of it what pictures need. */
type Card = {
  readonly gatewayUrl: string;
  readonly gatewayToken: string;
  readonly dashboardUrl: string;
  readonly vaultUrl: string;
  readonly vaultUser: { readonly username: string; readonly password: string };
};

export type Demo = {
  readonly card: Card;
  readonly shopUrl: string;
  readonly shopCustomer: { readonly username: string; readonly password: string };
  /** The link of a role; each opens once. */
  readonly links: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

/** A demo after its story, always with the same people, so that addresses are the same in every picture. */
export async function startDemo(root: string, dir: string): Promise<Demo> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'keys.json'), JSON.stringify(sameKeys()), { mode: 0o600 });
  const argv = [join(root, 'cli/bin/countersign.js'), 'start', '--data', dir, '--port-base', '4120'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += String(text);
    if (printed.includes('Ctrl-C stops everything')) break;
  }
  const read = (name: string): unknown => JSON.parse(readFileSync(join(dir, name), 'utf8'));
  const links = [...printed.matchAll(/^ {2}(\w+) +(http\S+\/door\/\S+)$/gm)].map(([, role, url]) => [
    role,
    url,
  ]);
  return {
    card: read('local.json') as Card,
    shopUrl: /Demo shop +(\S+)/.exec(printed)?.[1] ?? '',
    shopCustomer: read('shop-customer.json') as Demo['shopCustomer'],
    links: Object.fromEntries(links) as Record<string, string>,
    stop,
  };
}

function sameKeys() {
  const wallets = ['owner', 'merchant', 'operator', 'facilitator'].map((name) => [name, keyOf(name)]);
  return { ...Object.fromEntries(wallets), gatewayToken: keyOf('gateway').slice(2, 34) };
}

/** The key of somebody in the pictures, the same in each run. Play money alone hangs on it. */
export const keyOf = (name: string): `0x${string}` =>
  `0x${createHash('sha256').update(`pictures: ${name}`).digest('hex')}`;
