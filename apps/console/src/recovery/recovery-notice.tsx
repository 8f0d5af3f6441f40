import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Notice } from '../ui/notice.tsx';
import { recoveryState } from './queries.ts';
import { UnderWay } from './under-way.tsx';

/** Above every page while something is under way: nobody is told by mail. Settings says it in its own place. */
export function RecoveryNotice() {
  const { data } = useQuery(recoveryState);
  const { pathname } = useLocation();
  if (data === undefined || pathname === '/settings') return null;
  return <About state={data.recovery} />;
}

function About({ state }: { state: Recovery }) {
  const others = state.namedBy.filter(({ change, claim }) => change !== null || claim !== null);
  if (state.change === null && state.claim === null && others.length === 0) return null;
  return (
    <div className="mb-6 grid gap-3">
      <UnderWay state={state} />
      {others.length > 0 && (
        <Notice tone="warn">
          <p className="font-medium">
            Something is under way at {others.length === 1 ? 'an account' : `${others.length} accounts`} that
            you may recover.
          </p>
          <Link to="/settings" className="link">
            See it in Settings
          </Link>
        </Notice>
      )}
    </div>
  );
}
