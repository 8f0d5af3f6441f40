import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../api/endpoint.ts';
import { Notice } from '../ui/notice.tsx';
import { providerName } from './names.ts';
import { providerStates } from './queries.ts';

type Answer = AnswerOf<'GET /api/compliance/providers'>;
type Provider = Answer['kyc'] & { readonly listDate?: string | null };

/** Returns what is wrong with a provider, as the end of a sentence; null while it responds. */
function troubleOf({ state, listDate }: Provider, isList: boolean): string | null {
  if (state === 'up') return null;
  if (state === 'stale') return 'is older than 7 days';
  return isList && listDate === null ? 'was never imported' : 'is not responding';
}

/** Which checks cannot be made at the moment, and what that means; nothing while all of them can. */
export function CheckTrouble({ children }: { children?: ReactNode }) {
  const answer = useQuery(providerStates).data;
  if (answer === undefined) return null;
  const troubles = [answer.kyc, ...answer.kyt].flatMap((each) => {
    const trouble = troubleOf(each, each.provider === 'ofac-sdn');
    return trouble === null ? [] : [`${providerName(each.provider)} ${trouble}.`];
  });
  if (troubles.length === 0) return null;
  return (
    <Notice tone="warn">
      {troubles.map((trouble) => (
        <p key={trouble} className="font-medium">
          {trouble}
        </p>
      ))}
      <p>Payments that cannot be checked are refused. {children}</p>
    </Notice>
  );
}
