import { CircleCheck, CircleX } from 'lucide-react';
import type { Verdict } from './verify-credential.ts';

/** What the check in this browser found. */
export function Verified({ verdict }: { verdict: Verdict }) {
  return (
    <div role="status" className="grid gap-2 border-b border-line px-5 py-4 text-sm">
      <p>
        <span className="text-muted">Signed by </span>
        <span className="font-mono [overflow-wrap:anywhere]">
          {verdict.signer ?? 'nobody: this is no signature'}
        </span>
      </p>
      <ul className="grid gap-1.5">
        {verdict.checks.map(({ says, holds }) => (
          <li key={says} className={`flex items-center gap-2 ${holds ? 'text-ok' : 'text-bad'}`}>
            {holds ? (
              <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
            ) : (
              <CircleX aria-hidden="true" className="size-4 shrink-0" />
            )}
            {says}
            {!holds && ': no'}
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted">Computed in this browser from the credential alone.</p>
    </div>
  );
}
