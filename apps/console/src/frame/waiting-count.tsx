import { classNames } from '../ui/class-names.ts';

/** A hook that returns how many items wait for a person; null while nobody is signed in to their service. */
export type CountWaiting = () => number | null;

type Props = { readonly of: CountWaiting; readonly className: string };

/** Shows the number of waiting items next to their link; empty for none. */
export function WaitingCount({ of: useCount, className }: Props) {
  const count = useCount() ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={classNames(
        'figures min-w-5 rounded-full bg-accent px-1.5 text-center text-xs font-medium leading-5 text-on-accent',
        className,
      )}
    >
      {count > 99 ? '99+' : count}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}
