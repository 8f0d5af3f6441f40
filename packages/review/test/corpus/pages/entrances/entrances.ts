import type { Page } from '../page.ts';
import { europe } from './europe.ts';
import { later } from './later.ts';
import { products } from './products.ts';
import { entranceOf } from './read.ts';
import { services } from './services.ts';
import { shapes } from './shapes.ts';
import { world } from './world.ts';

const all: readonly Page[] = [products, services, europe, world, shapes].flat().map(entranceOf);
const isTuned = (at: number): boolean => at % 3 === 1;

/**
 * Log-ins as sites have them: fields, labels, hidden inputs and buttons of known products, written by somebody who had read the rules.
 * `tuned`, every third, was looked at while rules changed: 59 of 67 passed before. `heldOut` was measured once then: 126 of 135, and 122 by the
 * rules before; what failed there was looked at afterwards, and six mended. `later` was written after that and measured once: 57 of 60.
 */
export const entrances: Readonly<Record<'tuned' | 'heldOut' | 'later', readonly Page[]>> = {
  tuned: all.filter((_, at) => isTuned(at)),
  heldOut: all.filter((_, at) => !isTuned(at)),
  later: later.map(entranceOf),
};
