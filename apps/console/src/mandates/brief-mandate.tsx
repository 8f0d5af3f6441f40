import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Money } from '../ui/money.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { Budget } from './budget.tsx';

/** Shows what is left of a mandate, a link to it, and its limits after `children`. */
export function BriefMandate({ mandate, children }: { mandate: Mandate; children?: ReactNode }) {
  return (
    <>
      <Budget mandate={mandate} />
      <p className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-line px-5 py-3.5 text-sm text-muted">
        <Link
          to="/mandates/$mandateId"
          params={{ mandateId: mandate.id }}
          className="mr-auto font-medium text-accent-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline"
        >
          <Verbatim text={mandate.title} />
        </Link>
        <span>
          {children}
          up to <Money amount={mandate.perTxLimit} /> per payment, expires{' '}
          <Time at={mandate.expiresAt} as="relative" />
        </span>
      </p>
    </>
  );
}
