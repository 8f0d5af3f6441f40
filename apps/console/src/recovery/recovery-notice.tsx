import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { recoveryState } from './queries.ts';

// What signs is loaded where something is under way, and not with every first page.
const AbovePages = lazy(async () => ({ default: (await import('./above-pages.tsx')).AbovePages }));

/** Above every page while something is under way: nobody is told by mail. Settings says it in its own place. */
export function RecoveryNotice() {
  const { data } = useQuery(recoveryState);
  const { pathname } = useLocation();
  if (data === undefined || pathname === '/settings') return null;
  const { change, claim, namedBy } = data.recovery;
  const others = namedBy.filter((named) => named.change !== null || named.claim !== null);
  if (change === null && claim === null && others.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <AbovePages state={data.recovery} others={others.length} />
    </Suspense>
  );
}
