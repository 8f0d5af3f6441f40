import { useQuery } from '@tanstack/react-query';
import { classNames } from '../ui/class-names.ts';
import { waitingApprovals } from './queries.ts';

/** How many payments wait for the owner, beside the way to them; nothing while none does. */
export function WaitingCount({ className }: { className: string }) {
  const total = useQuery(waitingApprovals).data?.total ?? 0;
  if (total === 0) return null;
  return (
    <span
      className={classNames(
        'figures min-w-5 rounded-full bg-accent px-1.5 text-center text-xs font-medium leading-5 text-on-accent',
        className,
      )}
    >
      {total > 99 ? '99+' : total}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}
