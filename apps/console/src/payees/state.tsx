import type { Payee, PayeeState as State } from '@countersign/protocol/dashboard/payees';
import { FirstWordBadge } from '../compliance/first-word.tsx';
import { Badge } from '../ui/badge.tsx';

const looks = {
  waiting: { tone: 'warn', name: 'Waiting' },
  admitted: { tone: 'ok', name: 'Admitted' },
  expired: { tone: 'warn', name: 'Expired' },
  withdrawn: { tone: 'bad', name: 'Withdrawn' },
} as const satisfies Record<State, object>;

/** What a record is worth now, and whether a second operator has to look. */
export function PayeeState({ payee: { state, proposal } }: { payee: Pick<Payee, 'state' | 'proposal'> }) {
  const { tone, name } = looks[state];
  const spoken = proposal !== null && proposal.firstWord !== null;
  return (
    <span className="flex flex-wrap gap-1.5">
      {(state !== 'waiting' || !spoken) && <Badge tone={tone}>{name}</Badge>}
      {spoken && <FirstWordBadge />}
    </span>
  );
}
