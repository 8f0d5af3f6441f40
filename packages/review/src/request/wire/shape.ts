import type { Seen } from '../seen.ts';

/** Whether a message is of a framework and only reads, or logs in; null where it is of none of its kind. */
export type Shape = (seen: Seen) => boolean | 'login' | null;
