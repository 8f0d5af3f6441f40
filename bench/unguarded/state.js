// In place of apps/gateway/src/state/lmdb.ts: a journal and an outbox that keep nothing.
const nothing = async () => {};

export const openLmdbState = () => ({
  paymentOf: async () => null,
  openPayment: async () => ({ kind: 'opened' }),
  unresolved: async () => [],
  resolveUnused: nothing,
  keepApproval: async (approval) => approval,
  endQuestion: nothing,
  withdraw: async () => true,
  findApproval: async () => null,
  recall: async () => 'new',
  remember: nothing,
  claim: async () => ({ kind: 'mine' }),
  renew: nothing,
  release: nothing,
  offer: nothing,
  adopt: async () => null,
  report: nothing,
  reportWithin: null,
  forgetOld: async () => 0,
  close: nothing,
});
