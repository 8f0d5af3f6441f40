import { Address } from '../ui/address.tsx';
import { Badge } from '../ui/badge.tsx';
import { legible } from '../ui/legible.ts';
import { Section } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import type { WholeExecution } from './names.ts';

type Decision = NonNullable<WholeExecution['approval']>['decisions'][number];

/** Decisions of this action, or of such actions in advance, which its receipt alone tells. */
export const decisionsOn = ({ approval, proof }: WholeExecution): readonly Decision[] =>
  approval?.decisions ?? proof?.receipt.hitl_proof ?? [];

/** Decisions of it, in the order in which they did. */
export function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <Section title="Decisions">
      <ul className="divide-y divide-line">
        {decisions.map((one) => (
          <li key={`${one.approver} ${one.at}`} className="grid gap-1 px-5 py-4">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
              <Badge tone={one.decision === 'approve' ? 'ok' : 'bad'}>
                {one.decision === 'deny' ? 'Denied' : one.method === 'batch' ? 'Batch approval' : 'Approved'}
              </Badge>
              <span className="font-medium [overflow-wrap:anywhere]">{legible(one.approver)}</span>
              <span className="text-muted">
                <Time at={one.at} />
              </span>
              {one.wallet !== undefined && (
                <span className="text-muted">
                  signed by <Address value={one.wallet} name="wallet" />
                </span>
              )}
            </p>
            {one.comment !== undefined && (
              <p className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">{legible(one.comment)}</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
