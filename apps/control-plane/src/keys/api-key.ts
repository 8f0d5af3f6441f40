import { hash } from 'node:crypto';
import type { Role } from '@countersign/protocol/control/dialect';

/** A new key's text, `csk_<role>_` and 43 characters. `random` is 32 random bytes. */
export const apiKeyText = (role: Role, random: Buffer): string =>
  `csk_${role}_${random.toString('base64url')}`;

/** Returns the stored hash of a key. A plain hash suffices: the text has 256 random bits. */
export const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');
