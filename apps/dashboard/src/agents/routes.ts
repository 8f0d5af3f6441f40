import type { Address } from '@countersign/protocol/address';
import type { Agent } from '@countersign/protocol/dashboard/agents';
import { fail, ok } from '@countersign/protocol/result';
import { recoverSigner } from '@countersign/service/ethereum/signature';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { findAccount, hasRecovered } from '../accounts/store.ts';
import { endOpenApprovals } from '../approvals/store.ts';
import { revokeKeysOf } from '../auth/api-key.ts';
import type { WhyNotSigned } from '../auth/wallet-signature.ts';
import { type DashboardHandlers, isOfAnotherAgent, type KeyCaller } from '../callers.ts';
import { newId } from '../ids.ts';
import { daysAfter } from '../mandates/lifecycle.ts';
import { mandateNotice } from '../mandates/notice.ts';
import type { MandateParts } from '../mandates/routes.ts';
import { revokeMandatesOf } from '../mandates/of-agents.ts';
import { lockMandates } from '../mandates/store.ts';
import { type Answer, ofAnotherAgent, refusal, type Refusal } from '../refusal.ts';
import { endConnectionsOf } from '../oauth/of-agents.ts';
import { showAgent, showAgents } from './show.ts';
import { consentHash, nextTerms, statementHash, statementToSign } from './statement.ts';
import * as store from './store.ts';

type AgentParts = MandateParts & { readonly whyNotSigned: WhyNotSigned };

const noSuchAgent: Refusal = { code: 'BUSINESS_NOT_FOUND', msg: 'agent not found' };
const revoked: Refusal = {
  code: 'REPEATED_SUBMIT',
  msg: 'the agent is permanently revoked: give it another wallet',
};

/** Signed ones of one account that are not revoked, and beside them so many that wait for a first signature. */
const [maxAgents, maxOffers] = [100, 20];
const tooMany: Refusal = {
  code: 'REPEATED_SUBMIT',
  msg: `the account has ${maxAgents} agents: revoke one first`,
};
const tooManyOffers: Refusal = {
  code: 'REPEATED_SUBMIT',
  msg: `${maxOffers} agents wait for the owner’s signature: sign or revoke one first`,
};

/** Agent wallets: they announce themselves; their owner signs for them and revokes them. */
export function agentHandlers(
  parts: AgentParts,
): Pick<DashboardHandlers, 'announceAgent' | 'listAgents' | 'prepareAgent' | 'signAgent' | 'revokeAgent'> {
  const { pool, chainId, now } = parts;
  return {
    async announceAgent({ body, caller }) {
      const to = announcedTo(caller);
      if (!to.ok) return to;
      if (isOfAnotherAgent(caller, body.agentWallet)) return fail(ofAnotherAgent);
      const { account: owner, keyId } = to.value;
      const consent = { owner: owner.walletAddress, agentWallet: body.agentWallet };
      // A key alone: an agent signs payments, which a contract cannot.
      if (recoverSigner(consentHash(consent, chainId), body.signature)?.address !== body.agentWallet)
        return refusal(
          'UNAUTHORIZED_OPERATION',
          'the signature was not made by the agent wallet, over its AgentConsent to this account’s wallet',
        );
      return announce(parts, owner, {
        wallet: body.agentWallet,
        consent: body.signature,
        announcedBy: keyId,
      });
    },

    async listAgents({ body, caller }) {
      const { state, page = 1, limit = 20 } = body;
      const selection = { accountId: caller.account.id, state, page, limit };
      const { items, total } = await store.listAgents(pool, selection, now());
      return ok({ data: await showAgents(parts, items), total, page, limit });
    },

    async prepareAgent({ body: { agentId, validDays, name, networks }, caller }) {
      const { account } = caller;
      const time = now();
      const found = await store.findAgent(pool, account.id, agentId, time);
      if (found === null) return fail(noSuchAgent);
      const terms = {
        name,
        networks: networks ?? [`eip155:${chainId}`],
        expiresAt: daysAfter(time, validDays),
      };
      const prepared = await store.prepareAgent(pool, found, terms, time);
      if (prepared === null) return fail(revoked);
      const typedData = statementToSign(prepared, account, terms, chainId);
      return ok({ agentId, typedData, agent: await showAgent(parts, prepared) });
    },

    signAgent: ({ body, caller }) => sign(parts, caller.account, body.agentId, body.signature),

    revokeAgent: ({ body, caller }) => revoke(parts, caller.account, body.agentId),
  };
}

/** Operators act for every payer, and so for no owner. */
const announcedTo = (caller: KeyCaller): Answer<Extract<KeyCaller, { readonly kind: 'account' }>> =>
  caller.kind === 'account'
    ? ok(caller)
    : refusal('UNAUTHORIZED_OPERATION', 'an agent is announced with an API key of its owner’s account');

async function announce(
  parts: AgentParts,
  owner: Account,
  offer: Pick<store.Announced, 'wallet' | 'consent' | 'announcedBy'>,
): Promise<Answer<{ agent: Agent }>> {
  const { pool, random, now } = parts;
  const { wallet } = offer;
  const announced = await inTransaction<Answer<store.AgentRecord>>(pool, async (db) => {
    await lockMandates(db, owner.id);
    const time = now();
    const known = await store.findAgentByWallet(db, owner.id, wallet, time);
    if (known !== null) return ok(known);
    const why = await whyNoAgent(db, owner, wallet, time);
    if (why !== null) return refusal('UNAUTHORIZED_OPERATION', why);
    const { signed, offered } = await store.countAgents(db, owner.id);
    if (signed >= maxAgents) return fail(tooMany);
    if (offered >= maxOffers) return fail(tooManyOffers);
    const announced = { id: newId(random, 'agt'), accountId: owner.id, ...offer };
    return ok(await store.insertAgent(db, announced, time));
  });
  return announced.ok ? ok({ agent: await showAgent(parts, announced.value) }) : announced;
}

/** Why this wallet cannot be the owner's agent, in words to show; null when it can. */
async function whyNoAgent(db: Queryable, owner: Account, wallet: Address, now: Date): Promise<string | null> {
  if (wallet === owner.walletAddress) return 'the owner’s own wallet cannot be an agent';
  if ((await findAccount(db, wallet)) !== null)
    return 'this wallet has an account of its own and cannot be an agent';
  const signed = await store.findSignedAgent(db, wallet, now);
  if (signed === null || signed.accountId === owner.id) return null;
  // Of an account that this one recovered, agents come over one by one.
  return !(await hasRecovered(db, owner.id, signed.accountId))
    ? 'this wallet is or was the agent of another account'
    : null;
}

async function sign(
  parts: AgentParts,
  owner: Account,
  id: string,
  signature: string,
): Promise<Answer<{ agent: Agent }>> {
  const { pool, now, tell } = parts;
  const judged = await judgeSignature(parts, owner, id, signature);
  if (!judged.ok) return judged;
  const { wallet } = judged.value;
  const signed = await inTransaction<Answer<Signed>>(pool, async (db) => {
    await lockMandates(db, owner.id);
    await store.lockWallet(db, wallet);
    const time = now();
    const agent = await store.findAgent(db, owner.id, id, time);
    if (agent === null) return fail(noSuchAgent);
    if (agent.state === 'revoked') return fail(revoked);
    // What was judged may have changed meanwhile.
    const terms = nextTerms(agent);
    const isSame = terms !== null && hashOf(parts, owner, agent, terms).equals(judged.value.hash);
    if (!isSame)
      return refusal('UNAUTHORIZED_OPERATION', 'the statement has changed: sign its current version');
    if (terms.expiresAt <= time) return fail(outOfDate);
    const why = await whyNoAgent(db, owner, agent.wallet, time);
    if (why !== null) return refusal('UNAUTHORIZED_OPERATION', why);
    if (agent.signedAt === null && (await store.countAgents(db, owner.id)).signed >= maxAgents)
      return fail(tooMany);
    if (agent.state === 'expired') await endWithTerms(db, agent, time);
    const isOthers = agent.signedAt === null && (await store.handOnAgent(db, owner.id, wallet, time));
    const approvals = isOthers ? await endOpenApprovals(db, wallet, time) : [];
    return ok({ agent: await store.activateAgent(db, agent, signature, time), approvals });
  });
  if (!signed.ok) return signed;
  for (const approval of signed.value.approvals) tell({ kind: 'approval', id: approval, to: [wallet] });
  return ok({ agent: await showAgent(parts, signed.value.agent) });
}

/** A signed agent, with the open approvals of its wallet, which end. */
type Signed = { readonly agent: store.AgentRecord; readonly approvals: readonly string[] };

/** Whom the owner let act on terms that have run out, clients and keys, is not let in again by new ones. */
async function endWithTerms(db: Queryable, agent: store.AgentRecord, time: Date): Promise<void> {
  await endConnectionsOf(db, agent.id, time);
  await revokeKeysOf(db, agent.accountId, agent.wallet, agent.expiresAt ?? time);
}

const outOfDate: Refusal = { code: 'REPEATED_SUBMIT', msg: 'the statement has expired: prepare a new one' };
const nothingPrepared: Refusal = {
  code: 'REPEATED_SUBMIT',
  msg: 'nothing to sign: prepare a statement first',
};

/** Before any lock, because a wallet that is a contract is asked on the chain. */
async function judgeSignature(
  parts: AgentParts,
  owner: Account,
  id: string,
  signature: string,
): Promise<Answer<{ readonly wallet: Address; readonly hash: Buffer }>> {
  const agent = await store.findAgent(parts.pool, owner.id, id, parts.now());
  if (agent === null) return fail(noSuchAgent);
  if (agent.state === 'revoked') return fail(revoked);
  const terms = nextTerms(agent);
  if (terms === null) return fail(nothingPrepared);
  const hash = hashOf(parts, owner, agent, terms);
  const why = await parts.whyNotSigned(owner, hash, signature);
  if (why !== null) return refusal('UNAUTHORIZED_OPERATION', `${why}, over this statement`);
  return ok({ wallet: agent.wallet, hash });
}

const hashOf = (
  { chainId }: AgentParts,
  owner: Account,
  agent: store.AgentRecord,
  terms: store.AgentTerms,
): Buffer => Buffer.from(statementHash(agent, owner, terms, chainId));

async function revoke(parts: AgentParts, owner: Account, id: string): Promise<Answer<{ agent: Agent }>> {
  const { pool, now, tell } = parts;
  const ended = await inTransaction<Answer<readonly [store.AgentRecord, readonly { id: string }[]]>>(
    pool,
    async (db) => {
      await lockMandates(db, owner.id);
      const time = now();
      const agent = await store.revokeAgent(db, owner.id, id, time);
      if (agent === null) return fail(noSuchAgent);
      const mandates = await revokeMandatesOf(db, owner.id, agent.wallet, time);
      const keys = await revokeKeysOf(db, owner.id, agent.wallet, time);
      const connections = await endConnectionsOf(db, agent.id, time);
      const ended = { mandates: idsOf(mandates), keys: idsOf(keys), connections: idsOf(connections) };
      return ok([await store.recordAgentStop(db, agent, ended, time), mandates]);
    },
  );
  if (!ended.ok) return ended;
  const [agent, mandates] = ended.value;
  for (const mandate of mandates) tell(mandateNotice(owner.id, mandate.id));
  return ok({ agent: await showAgent(parts, agent) });
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
