import { z } from 'zod';
import { legibleName } from '../legible-name.ts';

/** A number in a register of businesses, as it is written there. */
export const registryNumber = legibleName(z.string().min(1).max(100));
