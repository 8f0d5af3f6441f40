import { Link } from '@tanstack/react-router';
import { type Destination, useCurrent } from './navigation.ts';
import { WaitingCount } from './waiting-count.tsx';

type Props = {
  readonly destination: Destination;
  readonly className: string;
  /** The position of the number of waiting items. */
  readonly countAt: string;
  readonly onClick?: () => void;
};

/** The way to a page, marked while one is there or below it. */
export function DestinationLink({ destination, className, countAt, onClick }: Props) {
  const { to, name, icon: Icon, waiting } = destination;
  const isCurrent = useCurrent() === to;
  return (
    <Link
      to={to}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={isCurrent ? 'page' : undefined}
      className={className}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
      {name}
      {waiting && <WaitingCount of={waiting} className={countAt} />}
    </Link>
  );
}
