import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice } from '../ui/notice.tsx';
import { Time, useNow } from '../ui/time.tsx';
import { ownStatus } from './queries.ts';
import { useMay } from '../session/session.ts';
import { situationOf } from './situation.ts';

const said = {
  renewable: 'Your approval expires on ',
  ended: 'Your approval expired. Payments by your agent have been refused since ',
  withdrawn: 'Your approval was withdrawn. Payments have been refused since ',
} as const;

/** Warns of what stops payments soon, or has stopped them; empty otherwise. */
export function RenewalReminder() {
  const status = useQuery({ ...ownStatus, enabled: useMay('kycStatus') }).data;
  const now = useNow();
  if (status === undefined) return null;
  const situation = situationOf(status, now);
  if (situation !== 'renewable' && situation !== 'ended' && situation !== 'withdrawn') return null;
  const at = situation === 'withdrawn' ? status.withdrawal?.at : status.validUntil;
  return (
    <Notice tone="warn">
      <p>
        {said[situation]}
        {at != null && <Time at={at} as="day" />}.{' '}
        <Link to="/compliance" className="font-medium underline underline-offset-4">
          {situation === 'withdrawn' ? 'See why' : 'Renew it'}
        </Link>
      </p>
    </Notice>
  );
}
