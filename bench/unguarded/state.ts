// In place of apps/gateway/src/state/lmdb.ts: a journal and an outbox that keep nothing.
import type { GatewayState } from '../../apps/gateway/src/state/state.ts';

const nothing = async (): Promise<void> => {};
const none = async (): Promise<null> => null;
const empty = async (): Promise<readonly never[]> => [];

/** Has the type of the real one, so that a step which the gateway learns to take cannot be missing here. */
export const openLmdbState = (): GatewayState => ({
  paymentOf: none,
  paymentBy: none,
  findKnown: none,
  openPayment: async () => ({ kind: 'opened' }),
  unresolved: empty,
  unresolvedOf: empty,
  passOn: none,
  resolveUnused: nothing,
  withdraw: async () => true,
  keepApproval: async (approval) => approval,
  endQuestion: nothing,
  findApproval: none,
  recall: async () => 'new',
  remember: nothing,
  claim: async () => ({ kind: 'mine' }),
  isClaimed: async () => false,
  renew: nothing,
  release: nothing,
  offer: nothing,
  adopt: none,
  report: nothing,
  reportUnresolved: nothing,
  reportWithin: null,
  pending: empty,
  delivered: nothing,
  postpone: nothing,
  park: nothing,
  onReport: () => {},
  forgetOld: async () => 0,
  close: nothing,
});
