import { z } from 'zod';
import { type Address, addressText } from '../address.ts';

/** EIP-712 domain of both statements about agent wallets (spec: dashboard.agents). */
export const agentWalletDomain = (chainId: number) =>
  ({ name: 'Countersign Agent Wallet', version: '1', chainId }) as const;

/**
 * The owner's statement: this wallet pays as this agent on these networks until a time, and signs nothing
 * else.
 */
export const agentWalletTypes = {
  AgentWallet: [
    { name: 'agentId', type: 'string' },
    { name: 'accountId', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'agentWallet', type: 'address' },
    { name: 'name', type: 'string' },
    { name: 'networks', type: 'string[]' },
    { name: 'expiresAt', type: 'string' },
  ],
} as const;

/**
 * The agent wallet's statement, signed once, that it agrees to be this owner's. It is valid for nothing else.
 */
export const agentConsentTypes = {
  AgentConsent: [
    { name: 'owner', type: 'address' },
    { name: 'agentWallet', type: 'address' },
  ],
} as const;

/** A network as the statement names it: CAIP-2 id of an EVM chain. */
export const agentNetwork = z
  .string()
  .regex(/^eip155:[1-9]\d{0,14}$/, 'must be a CAIP-2 ID such as eip155:8453');

const agentWalletMessage = z.object({
  agentId: z.string(),
  accountId: z.string(),
  owner: addressText,
  agentWallet: addressText,
  name: z.string(),
  networks: z.array(agentNetwork),
  /** ISO 8601. */
  expiresAt: z.string(),
});
/** All texts verbatim: what differs in one character is another statement. */
export type AgentWalletMessage = z.infer<typeof agentWalletMessage>;

/** The owner's statement with their signature, as `vc` answers it for an agent wallet and as receipts keep it. */
export const agentStatement = z.object({ message: agentWalletMessage, signature: z.string() });
export type AgentStatement = z.infer<typeof agentStatement>;

export type AgentConsentMessage = { readonly owner: Address; readonly agentWallet: Address };

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
] as const;

/** Ready for `eth_signTypedData_v4`. */
export const agentWalletTypedData = (message: AgentWalletMessage, chainId: number) =>
  ({
    domain: agentWalletDomain(chainId),
    types: { EIP712Domain: domainType, ...agentWalletTypes },
    primaryType: 'AgentWallet',
    message,
  }) as const;

/** Ready for `eth_signTypedData_v4`. */
export const agentConsentTypedData = (message: AgentConsentMessage, chainId: number) =>
  ({
    domain: agentWalletDomain(chainId),
    types: { EIP712Domain: domainType, ...agentConsentTypes },
    primaryType: 'AgentConsent',
    message,
  }) as const;
