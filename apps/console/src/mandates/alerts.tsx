import type { Alert } from '@countersign/protocol/dashboard/alerts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellRing, X } from 'lucide-react';
import { useDeed } from '../api/deed.ts';
import { ask } from '../api/queries.ts';
import { beginningOf } from '../ui/brief.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { mandateById } from './queries.ts';

/** The text of each kind, after the mandate's name. */
const alertTexts: Readonly<Record<Alert['kind'], string>> = {
  budget_50: 'has used 50% of its budget',
  budget_80: 'has used 80% of its budget',
  budget_100: 'has used all of its budget',
  expires_soon: 'expires within a day',
};

const latest = ask('POST /api/alerts/list', { body: { limit: 20 } });

/** Alerts that the owner has not seen yet: of all mandates, or of one. Nothing when there are none. */
export function Alerts({ mandateId }: { mandateId?: string }) {
  const alerts = useQuery(latest);
  const unseen = (alerts.data?.data ?? []).filter(
    (alert) => alert.seenAt === null && (mandateId === undefined || alert.mandateId === mandateId),
  );
  if (unseen.length === 0) return null;
  return (
    <section aria-label="Alerts">
      <ul className="grid gap-2">
        {unseen.map((alert) => (
          <AlertItem key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function AlertItem({ alert }: { alert: Alert }) {
  const mandate = useQuery(mandateById(alert.mandateId)).data;
  const { busy, run } = useDeed('POST /api/alerts/seen', '/api/alerts');
  return (
    <li className="flex items-center gap-2.5 rounded-md bg-warn-tint py-1.5 pl-3.5 pr-1.5 text-sm text-warn">
      <BellRing aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        <Link
          to="/mandates/$mandateId"
          params={{ mandateId: alert.mandateId }}
          className="font-medium underline underline-offset-4"
        >
          <Verbatim text={beginningOf(mandate?.title ?? 'A mandate')} />
        </Link>{' '}
        {alertTexts[alert.kind]}, <Time at={alert.createdAt} as="relative" />.
      </p>
      <IconButton
        label="Mark as seen"
        aria-disabled={busy || undefined}
        className="text-warn hover:bg-transparent hover:text-warn"
        onClick={() => void run({ body: { ids: [alert.id] } })}
      >
        <X />
      </IconButton>
    </li>
  );
}
