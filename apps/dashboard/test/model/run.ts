import * as fc from 'fast-check';
import type { Command } from './command.ts';
import { newModel } from './reference.ts';
import type { System } from './system.ts';

/** The same command so many times, so that it comes as much more often than the others. */
export const often = (times: number, what: fc.Arbitrary<Command>): fc.Arbitrary<Command>[] =>
  Array.from({ length: times }, () => what);

/** Runs `first`, then up to 50 of `commands` in any order, and finds after each that system and model agree. */
export function agrees(
  home: System['home'],
  first: readonly fc.Arbitrary<Command>[],
  commands: readonly fc.Arbitrary<Command>[],
  numRuns: number,
): Promise<void> {
  const later = fc.commands([...commands], { maxCommands: 50, size: 'max' });
  return fc.assert(
    fc.asyncProperty(fc.tuple(...first), later, async (opening, steps) => {
      const model = newModel(home.dashboard.clock.now.getTime());
      const system = { home, owner: await home.dashboard.newAccount(), seen: new Map() };
      for (const command of opening) await command.run(model, system);
      await fc.asyncModelRun(() => ({ model, real: system }), steps);
    }),
    { numRuns },
  );
}
