import type { Address } from '@countersign/protocol/address';
import {
  type AgentConsentMessage,
  type AgentStatement,
  type AgentWalletMessage,
  agentConsentTypes,
  agentWalletDomain,
  agentWalletTypedData,
  agentWalletTypes,
} from '@countersign/protocol/dashboard/agent-wallet';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { Account } from '../accounts/account.ts';
import type { AgentRecord, AgentTerms } from './store.ts';

const hashConsent = typedDataHasher('AgentConsent', agentConsentTypes.AgentConsent);
const hashStatement = typedDataHasher('AgentWallet', agentWalletTypes.AgentWallet);

/** The EIP-712 hash of a wallet's consent, as that wallet signs it. */
export const consentHash = (consent: AgentConsentMessage, chainId: number): Uint8Array =>
  hashConsent(agentWalletDomain(chainId), consent);

type Named = Pick<AgentRecord, 'id' | 'accountId' | 'wallet'>;

/** Returns the message for the owner to sign, built from our own record alone. */
const messageOf = (agent: Named, owner: Address, terms: AgentTerms): AgentWalletMessage => ({
  agentId: agent.id,
  accountId: agent.accountId,
  owner,
  agentWallet: agent.wallet,
  name: terms.name,
  networks: [...terms.networks],
  expiresAt: terms.expiresAt.toISOString(),
});

/** Ready to sign: what was prepared last. */
export const statementToSign = (agent: Named, owner: Account, terms: AgentTerms, chainId: number) =>
  agentWalletTypedData(messageOf(agent, owner.walletAddress, terms), chainId);

/** The EIP-712 hash of the same, as the owner signs it. */
export const statementHash = (agent: Named, owner: Account, terms: AgentTerms, chainId: number): Uint8Array =>
  hashStatement(agentWalletDomain(chainId), messageOf(agent, owner.walletAddress, terms));

/** Returns the terms that await a signature; null if there are none. */
export const nextTerms = ({ nextName, nextNetworks, nextExpiresAt }: AgentRecord): AgentTerms | null =>
  nextName === null || nextNetworks === null || nextExpiresAt === null
    ? null
    : { name: nextName, networks: nextNetworks, expiresAt: nextExpiresAt };

/** The statement that the owner signed last; null before that. */
export function signedStatement(agent: AgentRecord, owner: Address): AgentStatement | null {
  const { name, networks, expiresAt, signature } = agent;
  if (expiresAt === null || signature === null) return null;
  return { message: messageOf(agent, owner, { name, networks, expiresAt }), signature };
}
