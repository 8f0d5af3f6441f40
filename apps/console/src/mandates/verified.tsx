import { Ticks } from '../ui/ticks.tsx';
import type { Verdict } from './verify-credential.ts';

/** Shows the result of the check in this browser. */
export function Verified({ verdict }: { verdict: Verdict }) {
  return (
    <div role="status" className="grid gap-2 border-b border-line px-5 py-4 text-sm">
      <p>
        <span className="text-muted">Signed by </span>
        <span className="font-mono [overflow-wrap:anywhere]">
          {verdict.signer ?? 'no one: this is not a valid signature'}
        </span>
      </p>
      <Ticks ticks={verdict.checks} />
      <p className="text-xs text-muted">Computed in this browser from the credential alone.</p>
    </div>
  );
}
