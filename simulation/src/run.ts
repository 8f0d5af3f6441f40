import type { Bug } from './gateway.ts';
import { signAll } from './samples.ts';
import { World } from './world.ts';

type Broken = { readonly seed: number; readonly why: string };

/** Worlds that take their steps in turn: after each all promises have to settle, and that waits for all at once. */
const atOnce = 64;

type Options = {
  readonly from: number;
  readonly count: number;
  readonly bug?: Bug | undefined;
  /** What else is broken does not count; for a bug that is looked for. */
  readonly why?: RegExp;
  /** Told now and then how many seeds are done. */
  readonly onProgress?: (done: number) => void;
};

/** Runs seeds, and gives the first that breaks something that counts, in the order of seeds among those that run together. */
export async function runSeeds({ from, count, bug, why = /./, onProgress }: Options) {
  const signed = await signAll();
  let next = from;
  let done = 0;
  let steps = 0;
  const open = (): { seed: number; world: World } => {
    const seed = next++;
    return { seed, world: new World(seed, signed, { bug }) };
  };
  let running = Array.from({ length: Math.min(atOnce, count) }, open);
  while (running.length > 0) {
    for (const { world } of running) world.step();
    await settled();
    const over = running.filter(({ world }) => world.isOver);
    if (over.length === 0) continue;
    done += over.length;
    steps += over.reduce((sum, { world }) => sum + world.steps, 0);
    for (const { seed, world } of over)
      if (world.broken !== null && why.test(world.broken))
        return { done, steps, broken: { seed, why: world.broken } as Broken };
    onProgress?.(done);
    running = running.filter(({ world }) => !world.isOver);
    const length = Math.min(atOnce - running.length, from + count - next);
    running.push(...Array.from({ length }, open));
  }
  return { done, steps, broken: null };
}

/** One seed, every step of it told. What is broken, or null. */
export async function replay(seed: number, tell: (line: string) => void, bug?: Bug) {
  const world = new World(seed, await signAll(), { bug, tell });
  while (!world.isOver) {
    world.step();
    await settled();
  }
  return world;
}

/** Resolves when every promise that can go on has gone on: only then does the event loop come round. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
