import type { PaymentStep } from '@countersign/protocol/dashboard/transaction';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { whyText } from './why.ts';

type Props = { readonly steps: readonly PaymentStep[]; readonly own: boolean };

/** The timeline of one payment, from its refusal through the owner's word to its settlement. */
export function Steps({ steps, own }: Props) {
  if (steps.length < 2) return null;
  return (
    <section aria-label="Timeline">
      <h3 className="text-sm">Timeline</h3>
      <ol className="mt-1 divide-y divide-line">
        {steps.map((step, index) => (
          // Nothing else tells two of them apart, and they are never reordered.
          <li key={index} className="flex flex-wrap justify-between gap-x-6 py-2 text-sm">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <Said step={step} who={own ? 'You' : 'The owner'} />
            </span>
            <span className="text-muted">
              <Time at={step.at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Said({ step: { kind, result, reason }, who }: { step: PaymentStep; who: string }) {
  if (kind === 'approved') return `${who} approved it`;
  if (kind === 'rejected') {
    if (reason === null) return `${who} rejected it`;
    return (
      <>
        {who} rejected it: <Verbatim text={reason} />
      </>
    );
  }
  if (result === 'pass') return 'Paid';
  return (
    <>
      {result === 'error' ? 'Failed' : 'Not paid'}
      {reason !== null && (
        <>
          : <Verbatim text={whyText(reason)} />
        </>
      )}
    </>
  );
}
