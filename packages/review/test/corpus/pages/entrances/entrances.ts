import type { Page } from '../page.ts';
import { europe } from './europe.ts';
import { products } from './products.ts';
import { entranceOf } from './read.ts';
import { services } from './services.ts';
import { shapes } from './shapes.ts';
import { world } from './world.ts';

const all: readonly Page[] = [products, services, europe, world, shapes].flat().map(entranceOf);
const isTuned = (at: number): boolean => at % 3 === 1;

/**
 * Log-ins as sites have them: fields, labels, hidden inputs and buttons of known products, written before the rules were changed by any of them.
 * Every third was looked at while rules were tuned; the rest was measured once.
 */
export const entrances: Readonly<Record<'tuned' | 'heldOut', readonly Page[]>> = {
  tuned: all.filter((_, at) => isTuned(at)),
  heldOut: all.filter((_, at) => !isTuned(at)),
};
