import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { Link } from '@tanstack/react-router';
import { Signature } from 'lucide-react';
import { Budget } from '../mandates/budget.tsx';
import { buttonLook } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { Time } from '../ui/time.tsx';

/** What is left to the agent, or how to begin. */
export function ActiveMandate({ mandate }: { mandate: Mandate | null }) {
  if (mandate === null) {
    const begin = (
      <Link to="/mandates" className={buttonLook('primary')}>
        Go to mandates
      </Link>
    );
    return (
      <Message icon={Signature} title="No active mandate" action={begin}>
        Your agent cannot pay for anything until you sign one.
      </Message>
    );
  }
  return (
    <>
      <Budget mandate={mandate} />
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-3.5 text-sm text-muted">
        <Link
          to="/mandates/$mandateId"
          params={{ mandateId: mandate.id }}
          className="font-medium text-accent-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline"
        >
          {mandate.title}
        </Link>
        <span>
          up to <Money amount={mandate.perTxLimit} /> per payment, ends{' '}
          <Time at={mandate.expiresAt} as="relative" />
        </span>
      </p>
    </>
  );
}
