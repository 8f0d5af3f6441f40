import type { Requirement } from '../requirement.ts';

/** Agent wallets: who announces, signs, revokes, and what is whose. */
export const dashboardAgentRequirements = [
  {
    id: 'dashboard.agents.announce',
    source: 'decision 0029',
    behaviour:
      'POST /api/agents/announce with an API key of the owner’s account and the wallet’s AgentConsent makes an agent ' +
      'in state announced; one that is known is returned as it is.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.consent',
    source: 'decision 0029',
    behaviour:
      'Without the wallet’s own signature over an AgentConsent to the owner of the API key’s account nothing is ' +
      'announced (403, 80000004); neither by an operator’s key.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.one-owner',
    source: 'decision 0029',
    behaviour:
      'A wallet with an account is never an agent, and a wallet that was ever signed as an agent never logs in ' +
      '(401, 80000019) and never becomes another owner’s, revoked or not; the database holds this against dashboards of ' +
      'earlier releases too.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.sign',
    source: 'decision 0029',
    behaviour:
      'prepare-sign returns the typed data of an AgentWallet; sign activates the agent with its name, networks and expiry; ' +
      'expiry is decided by the clock when asked.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.signature',
    source: 'decision 0029',
    behaviour:
      'Only the owner’s signature over what was prepared last activates an agent; until then an earlier statement holds.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.fields',
    source: 'decision 0029',
    behaviour:
      'An agent has agentId, agentWallet, name, networks, state, signature, createdAt, signedAt, expiresAt and mandate.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.revoke',
    source: 'decision 0029',
    behaviour:
      'revoke ends an agent for good and its active mandate with it; no mandate is created, renewed or signed for it after.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.one-mandate',
    source: 'decision 0029',
    behaviour:
      'One mandate is active for each wallet that pays: signing an agent’s leaves every other agent’s.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.mandate',
    source: 'decision 0029',
    behaviour:
      'The credential of an agent’s mandate names the agent as payer, and the owner as issuer and verification method; ' +
      'the mandate can be drafted for an active agent of the account alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.vc',
    source: 'decision 0029',
    behaviour:
      'vc for an agent’s address, with its owner’s key or an operator’s, also has agentWallet: the statement and its ' +
      'signature. Without an active agent or mandate it is 404 with hadMandate true; with another account’s key hadMandate is null.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.budget',
    source: 'decision 0029',
    behaviour:
      'A report charges the mandate of the very wallet that paid: an agent’s payment cannot use its owner’s or another agent’s.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.records',
    source: 'decision 0029',
    behaviour:
      'Lists, totals and the overview of an owner include what its own keys reported of its agents, also after they were ' +
      'revoked, and nothing that others reported of them.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.vectors',
    source: 'decision 0029',
    behaviour:
      'AgentWallet and AgentConsent are signed byte for byte as docs/spec/signatures.md and its vectors say.',
    status: 'tested',
  },
  {
    id: 'dashboard.agents.limits',
    source: 'decision 0029',
    behaviour:
      'An account has at most 100 signed agents that are not revoked, and beside them 20 that wait for a first signature; ' +
      'beyond either it is 409, 80000003, with a message of its own.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
