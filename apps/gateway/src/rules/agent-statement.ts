import type { Address } from '@countersign/protocol/address';
import {
  type AgentStatement,
  agentStatement,
  agentWalletDomain,
  agentWalletTypes,
} from '@countersign/protocol/dashboard/agent-wallet';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import type { Signed } from './mandate-credential.ts';

type Expected = {
  readonly owner: Address;
  readonly payer: Address;
  readonly chainId: number;
  readonly now: number;
};

/** A statement that says the right thing. Whether the owner signed it is for whoever can ask the owner's wallet. */
export type JudgedStatement = Signed & { readonly accountId: string };

/**
 * Judges what the dashboard hands out as the owner's statement: it must be by the owner that the environment names,
 * about this very wallet, for the network of this payment, and not over.
 */
export function judgeStatement(
  given: unknown,
  { owner, payer, chainId, now }: Expected,
): Result<
  JudgedStatement,
  'MANDATE_NOT_FOUND' | 'MANDATE_EXPIRED' | 'VC_PROOF_INVALID' | 'MANDATE_TAMPERED'
> {
  const parsed = agentStatement.safeParse(given);
  if (!parsed.success) return fail('VC_PROOF_INVALID');
  const { message, signature } = parsed.data;
  if (message.owner !== owner || message.agentWallet !== payer) return fail('MANDATE_TAMPERED');
  if (!message.networks.includes(`eip155:${chainId}`)) return fail('MANDATE_NOT_FOUND');
  // A date that cannot be read compares false with everything: it must not count as "not yet expired".
  if (!(Date.parse(message.expiresAt) > now)) return fail('MANDATE_EXPIRED');
  return ok({ hash: hashOf(message, chainId), signature, accountId: message.accountId });
}

const hash = typedDataHasher('AgentWallet', agentWalletTypes.AgentWallet);
const hashOf = (message: AgentStatement['message'], chainId: number) =>
  hash(agentWalletDomain(chainId), message);
