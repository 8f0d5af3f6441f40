import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '@countersign/service/config';
import { makeFolder } from '@countersign/service/make-folder';
import { endedText, ownedProcesses } from '@countersign/service/owned-process';
import { type ConnectionCard, cardIn, removeCard, writeCard } from './connection-card.ts';
import type { Door } from './door/door.ts';
import { forgetDoor } from './door/command.ts';
import { openSystemDoor } from './door/system-door.ts';
import { doorWhereabouts, whyNoDoor } from './door/whereabouts.ts';
import { loadKeys } from './keys.ts';
import { blankCard, type Part, parts, type Setting } from './parts.ts';
import { assertPlanFree, planPorts } from './port-plan.ts';
import { urlsOf } from './service-environments.ts';

export type SystemOptions = {
  /** All state lies here; a second start on it goes on where the first stopped. */
  readonly dir: string;
  /** First of the ports; 0 takes free ones. */
  readonly portBase: number;
  /** Passed on to the services. `DATABASE_URL` in it replaces the managed database. */
  readonly env: Env;
  /** These parts and what they need; everything if absent. */
  readonly only?: readonly Part[];
  /** Opens a door for browsers, if everything is on loopback. Only a demo has one. */
  readonly hasDoor?: boolean;
  /** Told when a part begins (null) and when it is up. */
  readonly onProgress?: (part: Part, tookMs: number | null) => void;
  /** Gives up a start that is still under way. */
  readonly signal?: AbortSignal;
};

export type System = {
  readonly card: ConnectionCard;
  /** A site with a login, to use a credential at; the card does not name it. */
  readonly shopUrl: string;
  readonly door: Door | { readonly none: string };
  /** Resolves with one sentence when a part dies although nobody stopped it. */
  readonly failed: Promise<string>;
  /** Stops every process and takes the connection card away. */
  readonly stop: () => Promise<void>;
};

/**
 * Brings the system up, whole or not at all, and writes its connection card to `dir`. What stands in the way is an
 * error of one sentence, and then nothing is left running.
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const dir = resolve(options.dir);
  makeFolder(dir, 0o700);
  let report: (why: string) => void = () => {};
  const failed = new Promise<string>((resolve) => {
    report = resolve;
  });
  const processes = await ownedProcesses({
    recordFile: join(dir, 'run.json'),
    logDir: join(dir, 'logs'),
    signOfLife: cardIn(dir),
    onUnexpectedExit: (name, ended) => report(`${name} ${endedText(ended)} (${join(dir, 'logs', name)}.log)`),
  });
  let door: System['door'] = { none: 'nobody asked for one' };
  const stop = async () => {
    removeCard(dir);
    if ('stop' in door) await door.stop();
    await processes.stopAll();
  };
  try {
    removeCard(dir);
    forgetDoor(dir);
    const ports = await planPorts(options.portBase);
    const noDoor = options.hasDoor === true ? whyNoDoor(options.env) : door.none;
    const at = noDoor === null ? doorWhereabouts(ports, randomBytes) : null;
    const keys = loadKeys(dir);
    const wanted = withNeeds(options.only ?? (Object.keys(parts) as Part[]));
    const { env } = options;
    const setting = { dir, env, ports, keys, processes, card: blankCard(keys), wanted, door: at };
    const card = await Promise.race([startParts(options, setting), gaveUp(failed, options.signal)]);
    door = at === null ? { none: noDoor ?? '' } : await openSystemDoor({ dir, at, keys, card });
    writeCard(dir, card);
    return { card, shopUrl: urlsOf(ports).shop, door, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(options: SystemOptions, setting: Setting): Promise<ConnectionCard> {
  const { wanted } = setting;
  await assertPlanFree(setting.ports, [
    ...wanted.flatMap((part) => parts[part].ports),
    ...(setting.door === null ? [] : (['door'] as const)),
  ]);
  const up = new Map<Part, Promise<void>>();
  const run = async (part: Part) => {
    for (const need of parts[part].needs) await up.get(need);
    options.onProgress?.(part, null);
    const started = performance.now();
    Object.assign(setting.card, await parts[part].start(setting));
    options.onProgress?.(part, performance.now() - started);
  };
  for (const part of wanted) up.set(part, run(part));
  await Promise.all(up.values());
  return setting.card;
}

/**
 * Returns the parts with those that they need, in the table's order, in which each follows its prerequisites.
 */
function withNeeds(wanted: readonly Part[]): readonly Part[] {
  const all = new Set<Part>();
  const add = (part: Part) => {
    parts[part].needs.forEach(add);
    all.add(part);
  };
  wanted.forEach(add);
  return (Object.keys(parts) as Part[]).filter((part) => all.has(part));
}

async function gaveUp(failed: Promise<string>, signal: AbortSignal | undefined): Promise<never> {
  const interrupted = new Promise<string>((resolve) => {
    signal?.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  const why = await Promise.race([failed, interrupted]);
  // Whoever waits for a process that died can say more about it than that it did: they may speak first.
  await sleep(300);
  throw new Error(why);
}
