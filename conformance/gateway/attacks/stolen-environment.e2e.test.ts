import { expectOk } from '@countersign/local/dashboard-account';
import { keyBytes } from '@countersign/local/private-key';
import { agentConsentTypedData } from '@countersign/protocol/dashboard/agent-wallet';
import { intentMandateTypedData } from '@countersign/protocol/dashboard/mandate-credential';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { loginMessage } from '@countersign/sdk/wallet';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentEnv, type AgentWallet, newAgentWallet, signedBy } from '../fixtures/agent-wallet.ts';
import { challenged } from '../fixtures/approval.ts';
import { type Owner, startWorld, type World } from '../fixtures/world.ts';

/*
 * Somebody has read the environment of a gateway: EVM_PRIVATE_KEY, COMPLIANCE_API_KEY and everything else. Each attack is
 * made on two owners: one whose gateway pays with the owner's own key (the control, where it works), and one whose gateway
 * has an agent wallet.
 */
let world: World;
let oneKey: Victim;
let withAgent: Victim & { readonly agent: AgentWallet };

type Environment = Readonly<Record<string, string>> & { readonly EVM_PRIVATE_KEY: string };
type Victim = { readonly owner: Owner; readonly env: Environment; readonly mandateId: string };

beforeAll(async () => {
  world = await startWorld();
  const [first, second] = [await world.newOwner(), await world.newOwner({ mandate: null })];
  oneKey = { owner: first, env: world.gatewayEnv(first, {}), mandateId: first.mandateId ?? '' };
  const agent = await newAgentWallet(world, second);
  const env = world.gatewayEnv(second, {}, agentEnv(second, agent));
  withAgent = { owner: second, env: env, mandateId: agent.mandateId ?? '', agent };
});
afterAll(() => world?.stop());

const keyOf = ({ env }: Victim) => env.EVM_PRIVATE_KEY as `0x${string}`;
const addressOf = (victim: Victim) => addressOfPrivateKey(keyBytes(keyOf(victim)));

/** A session from what is in the environment; null when there is none to be had. */
async function breakIn(victim: Victim): Promise<string | null> {
  const { nonce } = expectOk('nonce', await world.dashboard.nonce({}));
  const site = { origin: new URL(world.card.dashboardUrl), chainId: world.card.chainId };
  const message = loginMessage({ ...site, address: addressOf(victim), nonce, now: new Date() });
  const signature = await privateKeyToAccount(keyOf(victim)).signMessage({ message });
  const told = await world.dashboard.login({ body: { message, signature } });
  return told.kind === 'ok' ? told.data.token : null;
}

/** What the thief shows for a session: one of their own login, or the API key, which is all that they have. */
const shown = async (victim: Victim): Promise<string> =>
  (await breakIn(victim)) ?? victim.env['COMPLIANCE_API_KEY'] ?? '';

/** Calls the API with all that a thief has to show; true when the dashboard did it. */
async function did(path: string, token: string, body: object): Promise<boolean> {
  const answer = await fetch(new URL(path, world.card.dashboardUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return answer.ok;
}

/** What the real owner sees of mandates, agents and keys. */
async function standing({ owner: { token } }: Victim) {
  const { dashboard } = world;
  const mandates = expectOk('mandates', await dashboard.listMandates({ token, body: {} })).data;
  const agents = expectOk('agents', await dashboard.listAgents({ token, body: {} })).data;
  const keys = expectOk('keys', await dashboard.listKeys({ token })).data;
  return {
    mandates: mandates.map(({ id, status, totalBudget, policy }) => ({ id, status, totalBudget, policy })),
    agents: agents.map(({ agentId, agentWallet, state, expiresAt }) => ({
      agentId,
      agentWallet,
      state,
      expiresAt,
    })),
    keys: keys.map(({ id, revokedAt }) => ({ id, revokedAt })),
  };
}

const limits = { title: 'Mine', perTxLimit: '1000', totalBudget: '100000', validDays: 365 };

/** Each of these needs nothing but the environment; true when it did what the thief wanted. */
const attacks: Readonly<Record<string, (victim: Victim) => Promise<boolean>>> = {
  'log in as the owner': async (victim) => (await breakIn(victim)) !== null,
  'make a new API key': async (victim) => did('/api/keys', await shown(victim), { name: 'mine' }),
  'roll an API key': async (victim) =>
    did(`/api/keys/${(await standing(victim)).keys.at(-1)?.id}/roll`, await shown(victim), {
      graceSeconds: 3600,
    }),
  'lift the pause of the mandate': async (victim) => {
    const { token } = victim.owner;
    const policy = {
      paused: true,
      period: null,
      allowedMerchants: null,
      allowedServices: null,
      approvalThreshold: null,
    };
    const body = { mandateId: victim.mandateId, policy };
    expectOk('pause', await world.dashboard.setMandatePolicy({ token, body }));
    const lifted = { mandateId: victim.mandateId, policy: { ...policy, paused: false } };
    const worked = await did('/api/mandates/intent/policy', await shown(victim), lifted);
    expectOk('lift', await world.dashboard.setMandatePolicy({ token, body: lifted }));
    return worked;
  },
  'lower what the owner has set, and take it back': async (victim) => {
    const body = { mandateId: victim.mandateId, totalBudget: '19' };
    if (!(await did('/api/mandates/intent/adjust', await shown(victim), body))) return false;
    return did('/api/mandates/intent/adjust', await shown(victim), { ...body, totalBudget: '20' });
  },
  'sign a larger mandate': async (victim) => {
    const token = await shown(victim);
    const { dashboard } = world;
    const draft = await dashboard.createMandate({ token, body: limits });
    if (draft.kind !== 'ok') return false;
    const { mandateId, typedData } = draft.data;
    const signature = await signedBy(keyOf(victim), typedData);
    return (await dashboard.signMandate({ token, body: { mandateId, signature } })).kind === 'ok';
  },
  'raise the mandate that there is': async (victim) => {
    const token = await shown(victim);
    const { mandates } = await standing(victim);
    const mandateId = mandates.find(({ status }) => status === 'active')?.id ?? '';
    const raised = await world.dashboard.updateMandate({
      token,
      body: { mandateId, perTxLimit: '5000', totalBudget: '200000' },
    });
    if (raised.kind !== 'ok') return false;
    const signature = await signedBy(keyOf(victim), raised.data.typedData);
    return (await world.dashboard.signMandate({ token, body: { mandateId, signature } })).kind === 'ok';
  },
  'name another agent': async (victim) => {
    const token = await shown(victim);
    const another = `0x${(victim === oneKey ? '51' : '52').repeat(32)}` as const;
    const { chainId } = world.card;
    const { address } = privateKeyToAccount(another);
    const consent = agentConsentTypedData(
      { owner: victim.owner.wallet.address, agentWallet: address as never },
      chainId,
    );
    const apiKey = victim.env['COMPLIANCE_API_KEY'] ?? '';
    const signature = await signedBy(another, consent);
    // To announce one is allowed; it is nothing until the owner signs.
    const body = { apiKey, agentWallet: address, signature };
    const { agentId } = expectOk('announce', await world.dashboard.announceAgent({ body })).agent;
    const prepared = await world.dashboard.prepareAgent({
      token,
      body: { agentId, name: 'X', validDays: 1 },
    });
    if (prepared.kind !== 'ok') return false;
    const owners = await signedBy(keyOf(victim), prepared.data.typedData);
    return (await world.dashboard.signAgent({ token, body: { agentId, signature: owners } })).kind === 'ok';
  },
  'revoke the mandate': async (victim) => did('/api/mandates/intent/revoke', await shown(victim), {}),
};

describe('who has the whole environment of a gateway [gateway.attack.stolen-environment]', () => {
  test.each(Object.entries(attacks))(
    '%s: works on the owner’s own key, not on an agent’s',
    async (_, attack) => {
      const before = await standing(withAgent);
      expect(await attack(withAgent)).toBe(false);
      const after = await standing(withAgent);
      expect(after.mandates).toEqual(before.mandates);
      expect(after.keys).toEqual(before.keys);
      expect(after.agents.filter(({ state }) => state !== 'announced')).toEqual(
        before.agents.filter(({ state }) => state !== 'announced'),
      );
      // The control.
      expect(await attack(oneKey)).toBe(true);
    },
  );

  test('approves its own payment with the owner’s own key, not with an agent’s [gateway.attack.stolen-environment] [attack 38] [attack 38 control]', async () => {
    const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };
    const approves = async (owner: Owner, key: `0x${string}`, env: Readonly<Record<string, string>> = {}) => {
      const { agent } = await world.gateway(owner, null, env);
      const paymentPayload = await challenged(agent, report, privateKeyToAccount(key));
      return (await agent.call({ ...report, paymentPayload })).ok;
    };
    const fresh = await world.newOwner();
    const env = agentEnv(withAgent.owner, withAgent.agent);
    expect(await approves(withAgent.owner, keyOf(withAgent), env)).toBe(false);
    expect(await approves(fresh, fresh.wallet.privateKey)).toBe(true);

    // Nor over the API: the inbox takes a session, and the signature of the owner's wallet.
    const asked = await world.gateway(withAgent.owner, null, env);
    const { approvalId, signature } = await challenged(
      asked.agent,
      report,
      privateKeyToAccount(keyOf(withAgent)),
    );
    const path = `/api/approvals/${approvalId}/approve`;
    expect(await did(path, await shown(withAgent), { signature })).toBe(false);
    const { token } = withAgent.owner;
    expect(await did(path, token, { signature })).toBe(false);
  });

  test('takes back no revocation, and makes itself no owner [gateway.attack.stolen-environment] [attack 38]', async () => {
    const { dashboard, card } = world;
    const victim = await world.newOwner({ mandate: null });
    const agent = await newAgentWallet(world, victim);
    const { token } = victim;
    expectOk('revoke', await dashboard.revokeAgent({ token, body: { agentId: agent.agentId } }));
    const consent = agentConsentTypedData(
      { owner: victim.wallet.address, agentWallet: agent.address },
      card.chainId,
    );
    const signature = await signedBy(agent.privateKey, consent);
    const body = { apiKey: victim.apiKey, agentWallet: agent.address, signature };
    const again = expectOk('announce', await dashboard.announceAgent({ body }));
    expect(again.agent.state).toBe('revoked');
    const lookUp = { apiKey: victim.apiKey, payerWalletAddress: agent.address };
    expect(await dashboard.mandateCredential({ body: lookUp })).toMatchObject({ kind: 'refused' });

    // The thief becomes an owner with an account of their own: the stolen wallet is not to be had.
    const thief = await world.newOwner({ mandate: null });
    const theirs = agentConsentTypedData(
      { owner: thief.wallet.address, agentWallet: withAgent.agent.address },
      card.chainId,
    );
    const claim = {
      apiKey: thief.apiKey,
      agentWallet: withAgent.agent.address,
      signature: await signedBy(withAgent.agent.privateKey, theirs),
    };
    expect(await dashboard.announceAgent({ body: claim })).toMatchObject({ kind: 'refused' });
    // And a mandate that the agent's key signs by hand is one that nobody believes.
    const forged = intentMandateTypedData(
      {
        id: withAgent.mandateId,
        accountId: withAgent.owner.accountId,
        payerAddress: withAgent.agent.address,
        perTxLimit: '1000',
        totalBudget: '100000',
        expiresAt: '2099-01-01T00:00:00.000Z',
      },
      card.chainId,
    );
    const bySelf = { mandateId: withAgent.mandateId, signature: await signedBy(keyOf(withAgent), forged) };
    const owners = withAgent.owner.token;
    expect(await dashboard.signMandate({ token: owners, body: bySelf })).toMatchObject({ kind: 'refused' });
  });
});
