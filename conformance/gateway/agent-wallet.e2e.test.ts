import type { Agent } from '@countersign/local/agent';
import { expectOk } from '@countersign/local/dashboard-account';
import { agentWalletTypedData } from '@countersign/protocol/dashboard/agent-wallet';
import {
  intentMandateTypedData,
  rebuildMandateMessage,
} from '@countersign/protocol/dashboard/mandate-credential';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { agentEnv, type AgentWallet, newAgentWallet, signedBy } from './fixtures/agent-wallet.ts';
import { approvalIn, challenged } from './fixtures/approval.ts';
import { newContractAccount } from './fixtures/contract-account.ts';
import { lieAbout, type LyingDashboard, startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { receiptsOf } from './fixtures/receipts-of.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let agent: AgentWallet;
let liars: LyingDashboard[] = [];

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };
const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner({ mandate: null });
  agent = await newAgentWallet(world, owner);
});
afterEach(async () => {
  for (const liar of liars) await liar.stop();
  liars = [];
});
afterAll(() => world?.stop());

const gatewayOf = async (
  of: AgentWallet,
  env: Readonly<Record<string, string>> = {},
  of2: Owner = owner,
): Promise<Agent> => (await world.gateway(of2, null, { ...agentEnv(of2, of), ...env })).agent;

test('an agent wallet pays under its owner’s mandate, and the owner’s log has it [gateway.agent-wallet.pays]', async () => {
  const gateway = await gatewayOf(agent);
  const [before, ownersBefore] = [await agent.balance(), await world.balance(owner.wallet.address)];
  expect(await gateway.call(quote)).toMatchObject({
    ok: true,
    code: 'SUCCESS',
    detail: { paymentMade: true },
  });
  expect(await agent.balance()).toBeLessThan(before);
  expect(await world.balance(owner.wallet.address)).toBe(ownersBefore);
  const records = await until(
    () => world.records(owner),
    ({ length }) => length > 0,
  );
  expect(records[0]).toMatchObject({ payer: agent.address, serviceResult: 'pass', payerKycResult: 1 });
  const found = await until(
    () => world.mandateOf({ ...owner, mandateId: agent.mandateId }),
    (mandate) => mandate?.transactionCount === 1,
  );
  expect(found?.agentWallet).toBe(agent.address);
});

test('above a limit the owner approves, and the agent’s own key does not [gateway.agent-wallet.approval]', async () => {
  const gateway = await gatewayOf(agent);
  const before = await agent.balance();
  const byAgent = await challenged(gateway, report, privateKeyToAccount(agent.privateKey));
  expect((await gateway.call({ ...report, paymentPayload: byAgent })).code).toBe('PAYMENT_PAYLOAD_INVALID');
  expect(await agent.balance()).toBe(before);
  const byOwner = await challenged(gateway, report, privateKeyToAccount(owner.wallet.privateKey));
  expect(await gateway.call({ ...report, paymentPayload: byOwner })).toMatchObject({ ok: true });

  // The owner's inbox asks about it too.
  const { approvalId, typedData } = approvalIn(await gateway.call(report));
  const { token } = owner;
  const inbox = expectOk('list', await world.dashboard.listApprovals({ token, body: {} })).data;
  expect(inbox.map((each) => each.approvalId)).toContain(approvalId);
  const signature = await signedBy(owner.wallet.privateKey, typedData);
  const approved = await world.dashboard.approveApproval({
    token,
    params: { approvalId },
    body: { signature },
  });
  expect(approved.kind).toBe('ok');
  expect(await gateway.call({ ...report, paymentPayload: { approvalId } })).toMatchObject({ ok: true });
});

test('two agents have budgets of their own; revoking one stops it and not the other [gateway.agent-wallet.revoked]', async () => {
  const [one, two] = [await newAgentWallet(world, owner), await newAgentWallet(world, owner)];
  const [ofOne, ofTwo] = [await gatewayOf(one), await gatewayOf(two)];
  expect([await ofOne.call(quote), await ofTwo.call(quote)]).toMatchObject([{ ok: true }, { ok: true }]);
  const { token } = owner;
  const used = async ({ mandateId }: AgentWallet) =>
    (await world.mandateOf({ ...owner, mandateId }))?.usedAmount;
  await until(
    async () => [await used(one), await used(two)],
    (amounts) => amounts.every((amount) => amount !== '0'),
  );
  expect(await used(one)).toBe(await used(two));

  expectOk('revoke', await world.dashboard.revokeAgent({ token, body: { agentId: one.agentId } }));
  const before = await one.balance();
  expect(await ofOne.call(quote)).toMatchObject({ ok: false, code: 'MANDATE_NOT_FOUND' });
  expect(await one.balance()).toBe(before);
  expect(await ofTwo.call(quote)).toMatchObject({ ok: true });
  // Without OWNER_ADDRESS the same key is nobody's.
  const { EVM_PRIVATE_KEY } = agentEnv(owner, one);
  const alone = await world.gateway(owner, null, { EVM_PRIVATE_KEY });
  expect((await alone.agent.call(quote)).ok).toBe(false);
  expect(await one.balance()).toBe(before);
});

test('without a statement and a mandate an agent wallet pays nothing, whatever CART_POLICY says [gateway.agent-wallet.strict]', async () => {
  const bare = await newAgentWallet(world, owner, { mandate: null });
  const before = await bare.balance();
  for (const CART_POLICY of ['budget', 'skip', 'challenge']) {
    const gateway = await gatewayOf(bare, { CART_POLICY });
    expect(await gateway.call(quote)).toMatchObject({ ok: false, code: 'MANDATE_NOT_FOUND' });
  }
  expect(await bare.balance()).toBe(before);
});

type Found = {
  mandate: { id: string; expiresAt: string; totalBudget: string; perTxLimit: string };
  vcJson: never;
  agentWallet: { message: Parameters<typeof agentWalletTypedData>[0]; signature: string };
};

test('a dashboard that lies about statement or mandate pays nothing from an agent wallet [gateway.agent-wallet.verified] [gateway.agent-wallet.statement]', async () => {
  const { chainId } = world.card;
  const stranger = privateKeyToAccount(`0x${'77'.repeat(32)}`);
  const lies: Readonly<Record<string, readonly [string, (found: Found) => Promise<unknown>]>> = {
    'no statement': ['VC_PROOF_INVALID', async (found) => ({ ...found, agentWallet: undefined })],
    'a statement signed by the agent': [
      'VC_PROOF_INVALID',
      async (found) => stated(found, found.agentWallet.message, agent.privateKey),
    ],
    'a statement by another owner': [
      'MANDATE_TAMPERED',
      async (found) => {
        const message = { ...found.agentWallet.message, owner: stranger.address as never };
        return stated(found, message, `0x${'77'.repeat(32)}`);
      },
    ],
    'a statement that was changed': [
      'VC_PROOF_INVALID',
      async (found) => ({
        ...found,
        agentWallet: {
          ...found.agentWallet,
          message: { ...found.agentWallet.message, expiresAt: '2099-01-01T00:00:00.000Z' },
        },
      }),
    ],
    'a statement that is over': [
      'MANDATE_EXPIRED',
      async (found) => {
        const message = { ...found.agentWallet.message, expiresAt: '2026-01-01T00:00:00.000Z' };
        return stated(found, message, owner.wallet.privateKey);
      },
    ],
    'a statement for another network': [
      'MANDATE_NOT_FOUND',
      async (found) => {
        const message = { ...found.agentWallet.message, networks: ['eip155:1'] };
        return stated(found, message, owner.wallet.privateKey);
      },
    ],
    'a statement of another account': [
      'MANDATE_TAMPERED',
      async (found) => {
        const message = { ...found.agentWallet.message, accountId: 'another' };
        return stated(found, message, owner.wallet.privateKey);
      },
    ],
    'a mandate signed by the agent': ['VC_PROOF_INVALID', async (found) => mandated(found, '1000')],
    'a mandate that names the agent as its owner': [
      'VC_PROOF_INVALID',
      async (found) => mandated(found, '1000', agent.address),
    ],
  };

  async function stated(found: Found, message: Found['agentWallet']['message'], key: `0x${string}`) {
    return {
      ...found,
      agentWallet: { message, signature: await signedBy(key, agentWalletTypedData(message, chainId)) },
    };
  }
  /** As whoever has the gateway's key would sign it. */
  async function mandated({ mandate, vcJson, ...found }: Found, totalBudget: string, as?: string) {
    const raised = structuredClone(vcJson as Json);
    raised.credentialSubject.budgetConstraints.totalBudget.amount = totalBudget;
    const message = rebuildMandateMessage(raised as never, mandate.expiresAt);
    raised.proof.proofValue = await signedBy(agent.privateKey, intentMandateTypedData(message, chainId));
    if (as !== undefined) {
      raised.issuer = `did:ethr:eip155:${chainId}:${as}`;
      raised.proof.verificationMethod = `${raised.issuer}#controller`;
    }
    return { ...found, mandate: { ...mandate, totalBudget }, vcJson: raised };
  }

  const before = await agent.balance();
  for (const [name, [code, change]] of Object.entries(lies)) {
    const liar = await startLyingDashboard(
      world.card.dashboardUrl,
      lieAbout('/api/mandates/intent/vc', (found) => change(found)),
    );
    liars.push(liar);
    const gateway = await gatewayOf(agent, { COMPLIANCE_BASE_URL: liar.url });
    expect([name, (await gateway.call(quote)).code]).toEqual([name, code]);
  }
  expect(await agent.balance()).toBe(before);
});

type Json = ReturnType<typeof JSON.parse>;

test('the payer that is screened is owner and agent wallet: either on the deny list stops it [gateway.agent-wallet.screening]', async () => {
  const [person, other] = [await world.newOwner({ mandate: null }), await world.newOwner({ mandate: null })];
  const [one, two] = [await newAgentWallet(world, person), await newAgentWallet(world, other)];
  const [ofOne, ofTwo] = [await gatewayOf(one, {}, person), await gatewayOf(two, {}, other)];
  expect([await ofOne.call(quote), await ofTwo.call(quote)]).toMatchObject([{ ok: true }, { ok: true }]);
  await world.deny(person.wallet.address);
  await world.deny(two.address);
  for (const gateway of [ofOne, ofTwo])
    expect(await gateway.call(quote)).toMatchObject({ ok: false, code: 'PAYER_KYT_REJECTED' });
  const unknown = await world.newOwner({ kyc: false, mandate: null });
  const theirs = await gatewayOf(await newAgentWallet(world, unknown), {}, unknown);
  expect(await theirs.call(quote)).toMatchObject({ ok: false, code: 'PAYER_KYC_NOT_APPROVED' });
});

test('a gateway announces its wallet to its owner by itself [gateway.agent-wallet.announce]', async () => {
  const person = await world.newOwner({ mandate: null });
  const privateKey = `0x${'66'.repeat(32)}` as const;
  await world.gateway(person, null, agentEnv(person, { privateKey }));
  const { token } = person;
  const found = await until(
    async () => expectOk('list', await world.dashboard.listAgents({ token, body: {} })).data,
    ({ length }) => length > 0,
  );
  expect(found).toMatchObject([{ state: 'announced', agentWallet: privateKeyToAccount(privateKey).address }]);
});

test('a receipt has both chains of signatures, and verifies offline [gateway.agent-wallet.receipt] [gateway.receipt.verify.owner]', async () => {
  const gateway = await world.gateway(owner, null, agentEnv(owner, agent));
  expect((await gateway.agent.call(quote)).ok).toBe(true);
  const paymentPayload = await challenged(
    gateway.agent,
    report,
    privateKeyToAccount(owner.wallet.privateKey),
  );
  expect((await gateway.agent.call({ ...report, paymentPayload })).ok).toBe(true);
  const { stdout, lines, verify, judged } = await receiptsOf(gateway.stateDir);
  expect(lines.map(({ receipt }) => receipt.verdict.paymentMade)).toEqual([true, false, true]);
  for (const { receipt, inputs } of lines) {
    expect(receipt.payer).toBe(agent.address);
    expect(inputs.agentStatement.message).toMatchObject({
      owner: owner.wallet.address,
      agentWallet: agent.address,
    });
    expect(inputs.credential.proof.verificationMethod).toContain(owner.wallet.address);
    expect(inputs.ownerKyt.answer.decision).toBe('pass');
    expect(inputs).not.toHaveProperty('ownersContract');
  }
  const { address } = owner.wallet;
  const good = await judged(stdout, '--owner', address);
  expect(good.code).toBe(0);
  expect(good.stdout).toContain(`${agent.address}, an agent of ${address}: 3 receipts\n`);
  expect(good.stdout).not.toContain('contract');
  expect(await verify(stdout, '--owner', agent.address)).toBe(1);
  expect(await verify(stdout, '--owner', 'nobody')).toBe(64);
  const { signature } = lines[0].inputs.agentStatement;
  expect(await verify(stdout.replaceAll(signature, `${signature.slice(0, -2)}00`))).toBe(1);
});

test('an owner that is a contract signs for its agent, and a receipt has its word [gateway.agent-wallet.contract-owner] [gateway.agent-wallet.receipt] [gateway.receipt.verify.word]', async () => {
  const company: Owner = { ...(await newContractAccount(world)), mandateId: null };
  const { address } = company.wallet;
  const theirs = await newAgentWallet(world, company);
  const gateway = await world.gateway(company, null, agentEnv(company, theirs));
  expect(await gateway.agent.call(quote)).toMatchObject({ ok: true, code: 'SUCCESS' });
  const { stdout, lines, judged } = await receiptsOf(gateway.stateDir);
  expect(Object.values(lines[0].inputs.ownersContract)).toEqual([true, true]);
  const said = await judged(stdout);
  expect(said.code).toBe(0);
  expect(said.stdout).toContain(
    `1 receipt on the word of contract ${address}, which only its chain can confirm\n`,
  );
  // Nobody else's word counts, and without a node nobody's does.
  const deaf = await world.gateway(company, null, {
    ...agentEnv(company, theirs),
    EVM_RPC_URL: 'http://127.0.0.1:9',
  });
  expect(await deaf.agent.call(quote)).toMatchObject({ ok: false, code: 'VC_PROOF_INVALID' });
});
