import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { Link } from '@tanstack/react-router';
import { Notice } from '../ui/notice.tsx';
import { UnderWay } from './under-way.tsx';

/** `others`: accounts of which the wallet is the recovery address, and where something is under way. */
export function AbovePages({ state, others }: { state: Recovery; others: number }) {
  return (
    <div className="mb-6 grid gap-3">
      <UnderWay state={state} />
      {others > 0 && (
        <Notice tone="warn">
          <p className="font-medium">
            A change is in progress at {others === 1 ? 'an account' : `${others} accounts`} that you may
            recover.
          </p>
          <Link to="/settings" className="link">
            See it in Settings
          </Link>
        </Notice>
      )}
    </div>
  );
}
