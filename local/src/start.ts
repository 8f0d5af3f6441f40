import { resolve } from 'node:path';
import type { Env } from '@countersign/service/config';
import { sayWhy } from '@countersign/service/lifecycle';
import { askForLinks } from './door/command.ts';
import { ensureHeavyParts } from './heavy-parts.ts';
import { untilInterrupted } from './interruption.ts';
import { hasVaultUser, loadShopCustomer } from './keys.ts';
import { whyProxied } from './proxy.ts';
import { whyNotWritten } from './why-not-written.ts';
import { paint, printProgress } from './progress.ts';
import { readStartOptions, type StartOptions, startHelp } from './start-options.ts';
import { startSystem, type System } from './system.ts';
import { welcome } from './welcome.ts';

/** `countersign start`, which is `npm start`: the whole system, a story on it, and then it stays up until Ctrl-C. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const options = readStartOptions(argv);
  if (!options.ok) {
    process.stderr.write(`start: ${options.error}. "npm start -- --help" explains.\n`);
    process.exit(2);
  }
  if (options.value === null) {
    print(startHelp.trimEnd());
    return;
  }
  if (options.value.links) return printLinks(resolve(options.value.dir));
  // A terminal that was closed, or a reader that had enough: no reason to fall over while stopping in order.
  process.stdout.on('error', () => {});
  process.exit(await run(options.value, env));
}

async function printLinks(dir: string): Promise<void> {
  const lines = await askForLinks(dir);
  if (lines.ok) return print(lines.value.join('\n'));
  process.stderr.write(`start: ${lines.error}\n`);
  process.exit(1);
}

/** Gives the exit code. */
async function run(options: StartOptions, env: Env): Promise<number> {
  const interruption = untilInterrupted(env['npm_lifecycle_event'] === 'start');
  const { dir, portBase } = options;
  const isFirstStart = !hasVaultUser(dir);
  print(`Countersign starts in ${resolve(dir)}`);
  const started = performance.now();
  let system: System;
  try {
    const proxied = whyProxied(env);
    if (proxied !== null) throw new Error(proxied);
    await ensureHeavyParts({ dir, env, mayFetch: options.fetch, print });
    system = await startSystem({
      dir,
      portBase,
      env,
      hasDoor: true,
      onProgress: printProgress(print),
      signal: interruption,
    });
  } catch (error) {
    return interruption.aborted ? interruptedCode : complain(dir, error);
  }
  print(`Everything is up after ${((performance.now() - started) / 1000).toFixed(1)} s.\n`);
  const code = await Promise.race([
    live(system, options, isFirstStart),
    dead(system),
    interrupted(interruption, options),
  ]);
  if (options.story !== 'only') print('\nStopping everything.');
  await system.stop();
  return code;
}

/** A shell's exit code for Ctrl-C. */
const interruptedCode = 130;

async function live(system: System, { dir, story }: StartOptions, isFirstStart: boolean): Promise<number> {
  if (story !== 'none') {
    const { runStory } = await import('./story/story.ts');
    const shop = { url: system.shopUrl, customer: loadShopCustomer(dir) };
    const wentWell = await runStory({ card: { ...whole(system.card), shop }, print });
    if (!wentWell) print(paint('red', '\nThe story did not go as it should.'));
    if (story === 'only') return wentWell ? 0 : 1;
    print('');
  }
  print(welcome(system, resolve(dir), isFirstStart));
  return new Promise(() => {}); // Until Ctrl-C, or until something dies.
}

type Whole<Card> = { readonly [Name in keyof Card]: NonNullable<Card[Name]> };

function whole<Card extends object>(card: Card): Whole<Card> {
  const missing = Object.entries(card).find(([, value]) => value === null);
  if (missing !== undefined) throw new Error(`the story needs the whole system: there is no ${missing[0]}`);
  return card as Whole<Card>;
}

async function dead(system: System): Promise<number> {
  const why = await system.failed;
  process.stderr.write(`start: ${why}\n`);
  return 1;
}

/** Ctrl-C is how one leaves a system that waits; it cuts a story short. */
function interrupted(interruption: AbortSignal, { story }: StartOptions): Promise<number> {
  return new Promise((resolve) => {
    interruption.addEventListener('abort', () => resolve(story === 'only' ? interruptedCode : 0));
  });
}

function complain(dir: string, error: unknown): number {
  process.stderr.write(`start: ${whyNotWritten(dir, error) ?? sayWhy(error)}\n`);
  return 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
