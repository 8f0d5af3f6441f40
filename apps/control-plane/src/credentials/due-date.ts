import type { Credential } from './store.ts';

const dayMs = 86_400_000;

/** When a value that came into use at a time is to be replaced; null where no interval is set. */
export const dueAt = (policy: Credential['rotationPolicy'], valueAt: Date): Date | null =>
  policy?.type === 'scheduled' && policy.interval_days !== undefined
    ? new Date(valueAt.getTime() + policy.interval_days * dayMs)
    : null;
