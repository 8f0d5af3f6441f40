// In place of apps/gateway/src/state/lmdb.ts: a journal and an outbox that keep nothing.
const nothing = async () => {};

export const openLmdbState = () => ({
  paymentOf: async () => null,
  openPayment: async () => ({ kind: 'opened' }),
  unresolved: async () => [],
  resolveUnused: nothing,
  keepApproval: nothing,
  findApproval: async () => null,
  recall: async () => 'new',
  remember: nothing,
  report: nothing,
  reportWithin: null,
  forgetOld: async () => 0,
  close: nothing,
});
