import { Link } from '@tanstack/react-router';
import { controlPath } from '../actions/location.ts';
import { useActionsWaiting } from '../actions/waiting-count.ts';
import { Badge } from '../ui/badge.tsx';
import { vaultUrl } from '../vault/location.ts';
import { useOperationsWaiting } from '../vault/sessions/waiting-count.ts';

/**
 * Shows what waits for a person in the other services, which reveal nothing without a sign-in or key of their
 * own.
 */
export function WaitingElsewhere() {
  const actions = useActionsWaiting();
  const operations = useOperationsWaiting();
  return (
    <ul className="divide-y divide-line border-t border-line text-sm empty:hidden">
      {controlPath() !== null && (
        <Row to="/actions" name="Actions" count={actions} unknown="enter your key to view" />
      )}
      {vaultUrl() !== null && (
        <Row to="/vault/sessions" name="Browser sessions" count={operations} unknown="sign in to view" />
      )}
    </ul>
  );
}

type Props = {
  readonly to: '/actions' | '/vault/sessions';
  readonly name: string;
  readonly count: number | null;
  /** How to find out the number. */
  readonly unknown: string;
};

const Row = ({ to, name, count, unknown }: Props) => (
  <li className="relative flex items-center justify-between gap-4 px-5 py-3.5 hover:bg-sunken">
    <Link to={to} className="font-medium after:absolute after:inset-0">
      {name}
    </Link>
    {count === null || count === 0 ? (
      <span className="text-muted">{count === 0 ? 'nothing waiting' : unknown}</span>
    ) : (
      <Badge tone="warn">{count} waiting for you</Badge>
    )}
  </li>
);
