import type { Payee, PayeeState as State } from '@countersign/protocol/dashboard/payees';
import { FirstWordBadge } from '../compliance/first-word.tsx';
import { Badge } from '../ui/badge.tsx';

const looks = {
  waiting: { tone: 'warn', name: 'Waiting' },
  admitted: { tone: 'ok', name: 'Admitted' },
  expired: { tone: 'warn', name: 'Expired' },
  withdrawn: { tone: 'bad', name: 'Withdrawn' },
} as const satisfies Record<State, object>;

type Props = {
  readonly payee: Pick<Payee, 'state' | 'proposal' | 'domain' | 'domainProofs' | 'checks'> & {
    readonly version: number;
  };
};

/** Shows whether a record counts now, and whether it needs a second operator. */
export function PayeeState({ payee: { state, proposal, domain, domainProofs, checks, version } }: Props) {
  const { tone, name } = looks[state];
  const takenBack =
    state === 'admitted' && domainProofs.some((each) => each.domain === domain && each.mark !== null);
  const rejected =
    state === 'admitted' &&
    checks.some(
      (each) => each.rejectedAt !== null && each.liftedAt === null && (each.version ?? Infinity) <= version,
    );
  const spoken = proposal !== null && proposal.firstWord !== null;
  return (
    <span className="flex flex-wrap gap-1.5">
      {(state !== 'waiting' || !spoken) && <Badge tone={tone}>{name}</Badge>}
      {spoken && <FirstWordBadge />}
      {takenBack && <Badge tone="bad">Domain disagrees</Badge>}
      {rejected && <Badge tone="bad">Provider says no</Badge>}
    </span>
  );
}
