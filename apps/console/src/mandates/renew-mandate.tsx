import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { type FormEvent, useId, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
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
  const form = useId();
  const [days, setDays] = useState('30');
  const [tried, setTried] = useState(false);
  const { busy, problem, run } = useDeed('POST /api/mandates/intent/renew', '/api/mandates');
  const fault = daysFault(days);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault !== null) return;
    const drafted = await run({ body: { mandateId: mandate.id, validDays: Number(days) } });
    if (drafted !== null) onDrafted(drafted);
  };
  return (
    <Sheet
      title="Renew mandate"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" submit form={form} busy={busy}>
            Review
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <p className="text-pretty text-muted">
          A new mandate with the same limits and rules: up to <Money amount={mandate.perTxLimit} /> per
          payment, <Money amount={mandate.totalBudget} /> in all, and nothing used. You sign it next.
        </p>
        <Field
          label="Valid for"
          inputMode="numeric"
          unit="days"
          value={days}
          onChange={(event) => setDays(event.target.value)}
          error={tried ? fault : null}
        />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}
