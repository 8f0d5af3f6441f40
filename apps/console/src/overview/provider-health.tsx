import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { AnswerOf } from '../api/endpoint.ts';
import { providerName } from '../compliance/names.ts';

type Props = AnswerOf<'GET /api/compliance/providers'>;

const words = { up: 'answers', down: 'does not answer', stale: 'has an old list' } as const;

/** Whether the checks before every payment can be made; what cannot be checked is not paid. */
export function ProviderHealth({ kyc, kyt }: Props) {
  const all = [kyc, ...kyt];
  const ill = all.filter(({ state }) => state !== 'up');
  const well = ill.length === 0;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-5 py-4 text-sm">
      {well ? (
        <CircleCheck aria-hidden="true" className="size-4 text-ok" />
      ) : (
        <TriangleAlert aria-hidden="true" className="size-4 text-warn" />
      )}
      <p className="min-w-0 flex-1">
        {well
          ? `All ${all.length} checks before a payment answer.`
          : `${ill.map(({ provider, state }) => `${providerName(provider)} ${words[state]}`).join('; ')}. What cannot be checked is not paid.`}
      </p>
      <Link to="/compliance" className="font-medium text-accent-ink underline-offset-4 hover:underline">
        See the checks
      </Link>
    </div>
  );
}
