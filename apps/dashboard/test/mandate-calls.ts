import { type Json, paymentOf, type Reply, type TestDashboard } from './dashboard.ts';

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

export const noPolicy = {
  paused: false,
  period: null,
  allowedMerchants: null,
  allowedServices: null,
  approvalThreshold: null,
  newPayees: 'pay',
};

/** What an owner asks about mandates, by its name on the wire. */
export function mandateCalls(dashboard: Pick<TestDashboard, 'post' | 'loginReply'>) {
  const ask =
    (name: string) =>
    (owner: { token: string }, mandateId: string, body: object = {}) =>
      dashboard.post(`/api/mandates/intent/${name}`, { mandateId, ...body }, owner.token);
  const list = async (owner: { token: string }, body: object = {}) =>
    (await dashboard.post('/api/mandates/intent/list', body, owner.token)).data;
  return {
    prepare: ask('prepare-sign'),
    revoke: ask('revoke'),
    update: ask('update'),
    adjust: ask('adjust'),
    renew: ask('renew'),
    remove: ask('delete'),
    setPolicy: (owner: { token: string }, mandateId: string, policy: object): Promise<Reply> =>
      ask('policy')(owner, mandateId, { policy: { ...noPolicy, ...policy } }),
    list,
    find: async (owner: { token: string }, id: string): Promise<Json> =>
      (await list(owner, { limit: 100 })).data.find((mandate: Json) => mandate.id === id),
    lookUp: ({ apiKey, address }: Owner): Promise<Reply> =>
      dashboard.post('/api/mandates/intent/vc', { apiKey, payerWalletAddress: address }),
    spend: ({ apiKey, address }: Owner, intentMandateId: string, amount: string): Promise<Reply> =>
      dashboard.post('/api/transactions', { apiKey, ...paymentOf(address, { amount, intentMandateId }) }),
    /** The same owner after the clock was moved far: sessions do not live that long. */
    again: async (owner: Owner): Promise<Owner> => ({
      ...owner,
      token: (await dashboard.loginReply(owner.wallet)).data.token,
    }),
  };
}
