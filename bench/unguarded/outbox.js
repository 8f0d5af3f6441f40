// In place of apps/gateway/src/state/outbox.ts: nothing is ever sent.
export { leaseMs } from '../../apps/gateway/src/state/outbox.ts';

export const startOutbox = () => ({ stop: async () => {} });
