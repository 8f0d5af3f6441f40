import { sayWhy } from './lifecycle.ts';
import type { Logger } from './logger.ts';

/** Hands a promise to the background: its failure is logged under `name`, and never rejects into nothing. */
export function background(log: Logger, name: string, promise: Promise<unknown>): void {
  promise.catch((error: unknown) => log.error({ task: name }, sayWhy(error)));
}
