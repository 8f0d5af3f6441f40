import { knownChain } from '@countersign/protocol/dashboard/chains';
import type { AnswerOf } from '../api/endpoint.ts';
import { chainName } from '../wallet/chains.ts';

const explorers: Readonly<Record<string, string>> = {
  'eip155:1': 'https://etherscan.io',
  'eip155:10': 'https://optimistic.etherscan.io',
  'eip155:137': 'https://polygonscan.com',
  'eip155:8453': 'https://basescan.org',
  'eip155:42161': 'https://arbiscan.io',
  'eip155:84532': 'https://sepolia.basescan.org',
};

export type Settlement = Pick<AnswerOf<'GET /api/site'>, 'chain' | 'chainIsLocal'>;

/**
 * Where anybody can look a payment up; null for a chain that we do not know, for a local one that only has a known
 * chain's id, and for what is no hash.
 */
export function explorerLink(chain: string, txHash: string, settlement: Settlement): string | null {
  const known = knownChain(chain) ?? '';
  if (settlement.chainIsLocal === true && known === settlement.chain) return null;
  const explorer = explorers[known];
  return explorer === undefined || !/^0x[0-9a-f]{64}$/i.test(txHash) ? null : `${explorer}/tx/${txHash}`;
}

/** A chain's name where the log's text is one of its names; otherwise that text. */
export function chainText(chain: string): string {
  const known = knownChain(chain);
  return known === null ? chain : chainName(Number(known.split(':')[1]));
}
