import { z } from 'zod';

/** What a token may do (document 3, API token). */
export const scopes = [
  'credential:read',
  'credential:write',
  'credential:decrypt',
  'audit:read',
  'admin',
] as const;
export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;

/** Whether these scopes cover a wanted one: `admin` covers all, `credential:decrypt` covers `credential:read`. */
export const covers = (held: readonly Scope[], wanted: Scope): boolean =>
  held.includes('admin') ||
  held.includes(wanted) ||
  (wanted === 'credential:read' && held.includes('credential:decrypt'));
