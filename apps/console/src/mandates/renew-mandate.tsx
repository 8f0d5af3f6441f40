import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { Money } from '../ui/money.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { daysFault } from './draft.ts';
import type { ToSign } from './save-edit.ts';
import { SignMandate } from './sign-mandate.tsx';

type Props = {
  readonly mandate: Mandate;
  readonly onSigned: (mandateId: string) => void;
  onClose: () => void;
};

/** A new mandate with the limits and rules of one that has ended, which stays as it is. */
export function RenewMandate({ mandate, onSigned, onClose }: Props) {
  const [toSign, setToSign] = useState<ToSign | null>(null);
  if (toSign !== null) return <SignMandate toSign={toSign} onClose={() => onSigned(toSign.mandateId)} />;
  return <DaysSheet mandate={mandate} onClose={onClose} onDrafted={setToSign} />;
}

type DaysProps = Pick<Props, 'mandate' | 'onClose'> & { readonly onDrafted: (toSign: ToSign) => void };

function DaysSheet({ mandate, onClose, onDrafted }: DaysProps) {
  const [days, setDays] = useState('30');
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed('POST /api/mandates/intent/renew', '/api/mandates');
  const fault = daysFault(days);

  const submit = async () => {
    setTried(true);
    if (fault !== null) return;
    const drafted = await run({ body: { mandateId: mandate.id, validDays: Number(days) } });
    if (drafted !== null) onDrafted(drafted);
  };
  return (
    <FormSheet
      title="Renew mandate"
      onClose={onClose}
      submitLabel="Review"
      busy={busy}
      problem={problem}
      onSubmit={() => void submit()}
    >
      <p className="text-pretty text-muted">
        A new mandate with the same limits and rules: up to <Money amount={mandate.perTxLimit} /> per payment,{' '}
        <Money amount={mandate.totalBudget} /> in total, with nothing used yet. You sign it in the next step.
      </p>
      <Field
        label="Valid for"
        inputMode="numeric"
        unit="days"
        value={days}
        onChange={(event) => setDays(event.target.value)}
        error={tried ? fault : null}
      />
    </FormSheet>
  );
}
