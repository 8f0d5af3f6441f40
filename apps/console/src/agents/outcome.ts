import { useQuery, useQueryClient } from '@tanstack/react-query';
import { balances } from '../wallet/balance.ts';
import { outcomeOf } from '../wallet/requests.ts';
import { walletOfSession } from '../wallet/sign.ts';
import type { SentTransfer } from './transfer.ts';

/** `late`: there is no receipt after two minutes. `unknown`: the wallet does not say. */
export type Outcome = 'waiting' | 'late' | 'confirmed' | 'reverted' | 'unknown';

/** The result, polled from the wallet every two seconds until there is one. */
export function useOutcome({ hash, chainId, sentAt }: SentTransfer): Outcome {
  const queries = useQueryClient();
  const asked = useQuery({
    queryKey: ['outcome', hash],
    queryFn: async (): Promise<Outcome> => {
      const provider = walletOfSession()?.provider;
      const answer = provider === undefined ? null : await outcomeOf(provider, chainId, hash);
      const outcome = answer?.ok === true ? answer.value : 'unknown';
      if (isOver(outcome)) void queries.invalidateQueries({ queryKey: balances });
      return outcome === 'waiting' && Date.now() - sentAt > lateMs ? 'late' : outcome;
    },
    refetchInterval: ({ state }) => !isOver(state.data) && everyMs,
  });
  return asked.data ?? 'waiting';
}

const isOver = (outcome: Outcome | undefined): boolean => outcome === 'confirmed' || outcome === 'reverted';

const everyMs = 2_000;
const lateMs = 120_000;
