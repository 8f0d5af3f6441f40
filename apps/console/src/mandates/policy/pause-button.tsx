import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { Pause, Play } from 'lucide-react';
import { useEffect } from 'react';
import { useDeed } from '../../api/deed.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';

/** Stops payments until they are wanted again. No question before it: it is undone as easily. */
export function PauseButton({ mandate: { id, policy } }: { mandate: Mandate }) {
  const { busy, problem, run } = useDeed(
    'POST /api/mandates/intent/policy',
    '/api/mandates',
    '/api/overview',
  );
  useEffect(() => {
    if (problem !== null) showToast({ tone: 'bad', text: problem });
  }, [problem]);
  const toggle = async () => {
    const paused = !policy.paused;
    if ((await run({ body: { mandateId: id, policy: { ...policy, paused } } })) === null) return;
    const text = paused ? 'Mandate paused. Your agent pays nothing until you resume it.' : 'Resumed.';
    showToast({ tone: 'ok', text });
  };
  return (
    <Button busy={busy} onClick={() => void toggle()}>
      {policy.paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
      {policy.paused ? 'Resume' : 'Pause'}
    </Button>
  );
}
