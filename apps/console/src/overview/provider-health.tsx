import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { AnswerOf } from '../api/endpoint.ts';

type Props = AnswerOf<'GET /api/compliance/providers'>;

/** Shows how many of the checks before a payment work; those that do not are listed first. */
export function ProviderHealth({ kyc, kyt }: Props) {
  const all = [kyc, ...kyt];
  const well = all.filter(({ state }) => state === 'up').length;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-5 py-4 text-sm">
      {well === all.length ? (
        <CircleCheck aria-hidden="true" className="size-4 text-ok" />
      ) : (
        <TriangleAlert aria-hidden="true" className="size-4 text-warn" />
      )}
      <p className="min-w-0 flex-1">
        {well === all.length ? `All ${well}` : `Only ${well} of ${all.length}`} pre-payment checks are
        responding.
      </p>
      <Link to="/compliance" className="font-medium text-accent-ink underline-offset-4 hover:underline">
        View checks
      </Link>
    </div>
  );
}
