import { agentConsentTypedData } from '@countersign/protocol/dashboard/agent-wallet';
import { chainId, demoMandate, type Json, newWallet, type TestDashboard, type Wallet } from './dashboard.ts';

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

/** What agents and their owners ask about agent wallets. */
export function agentCalls(dashboard: Pick<TestDashboard, 'post'>) {
  const consent = (owner: string, wallet: Wallet) =>
    wallet.signTypedData(
      agentConsentTypedData({ owner: owner as Wallet['address'], agentWallet: wallet.address }, chainId),
    );
  const announce = (
    { apiKey, address }: Pick<Owner, 'apiKey' | 'address'>,
    wallet: Wallet,
    signed = address,
  ) =>
    dashboard.post('/api/agents/announce', {
      apiKey,
      agentWallet: wallet.address,
      signature: consent(signed, wallet),
    });
  const ask =
    (name: string) =>
    ({ token }: Pick<Owner, 'token'>, agentId: string, body: object = {}) =>
      dashboard.post(`/api/agents/${name}`, { agentId, ...body }, token);
  const [prepare, revoke] = [ask('prepare-sign'), ask('revoke')];
  const sign = (owner: Owner, { agentId, typedData }: Json, wallet: Wallet = owner.wallet) =>
    dashboard.post('/api/agents/sign', { agentId, signature: wallet.signTypedData(typedData) }, owner.token);

  /** An agent that its owner has signed, with the wallet in the hands of the test. */
  async function newAgent(owner: Owner, terms: object = {}) {
    const wallet = newWallet();
    const { agentId } = (await announce(owner, wallet)).data.agent;
    const prepared = (await prepare(owner, agentId, { name: 'Research', validDays: 90, ...terms })).data;
    const { agent } = (await sign(owner, prepared)).data;
    return { agentId: agentId as string, wallet, address: wallet.address, agent: agent };
  }

  /** An active mandate for an agent: its id. */
  async function newMandateFor(owner: Owner, agentWallet: string, limits: object = {}): Promise<string> {
    const draft = (
      await dashboard.post(
        '/api/mandates/intent/create',
        { ...demoMandate, agentWallet, ...limits },
        owner.token,
      )
    ).data;
    const signature = owner.wallet.signTypedData(draft.typedData);
    await dashboard.post('/api/mandates/intent/sign', { mandateId: draft.mandateId, signature }, owner.token);
    return draft.mandateId;
  }

  return {
    consent,
    announce,
    prepare,
    sign,
    revoke,
    newAgent,
    newMandateFor,
    list: async ({ token }: Pick<Owner, 'token'>, body: object = {}): Promise<Json> =>
      (await dashboard.post('/api/agents/list', body, token)).data,
    lookUp: ({ apiKey }: Pick<Owner, 'apiKey'>, payerWalletAddress: string) =>
      dashboard.post('/api/mandates/intent/vc', { apiKey, payerWalletAddress }),
  };
}
