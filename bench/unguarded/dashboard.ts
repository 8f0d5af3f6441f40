// In place of apps/gateway/src/adapters/dashboard.ts: the same look-ups, but nothing is held.
import { connectDashboard as connect } from '../../apps/gateway/src/adapters/dashboard.ts';

export { refuseAll } from '../../apps/gateway/src/adapters/dashboard.ts';

export const connectDashboard: typeof connect = (...args) => ({
  ...connect(...args),
  place: async () => ({ kind: 'absent' }),
});
