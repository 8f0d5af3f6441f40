// In place of apps/gateway/src/state/outbox.ts: nothing is ever sent.
import type { startOutbox as realStartOutbox } from '../../apps/gateway/src/state/outbox.ts';

export { leaseMs } from '../../apps/gateway/src/state/outbox.ts';

export const startOutbox: typeof realStartOutbox = () => ({ stop: async () => {} });
