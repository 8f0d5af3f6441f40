import { hash } from 'node:crypto';
import type { Role } from '@countersign/protocol/control/dialect';

/** A new key's text, `csk_<role>_` and 43 characters. `random` is 32 random bytes. */
export const apiKeyText = (role: Role, random: Buffer): string =>
  `csk_${role}_${random.toString('base64url')}`;

/** What is kept of a key: its text has 256 bits of chance, so a plain hash gives nothing away. */
export const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');
