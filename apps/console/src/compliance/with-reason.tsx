import { type ReactNode, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';

type Props = {
  readonly title: string;
  readonly name: string;
  readonly deed: { readonly busy: boolean; readonly problem: string | null };
  /** Who reads the reason, where somebody does. */
  readonly hint?: string;
  readonly onReason: (reason: string) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Something that goes on record with a reason. */
export function WithReason({ title, name, deed, hint, onReason, onClose, children }: Props) {
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = () => {
    const given = reason.trim();
    setFault(given === '' ? 'Enter a reason. It goes on record.' : null);
    if (given !== '') void onReason(given);
  };
  return (
    <FormSheet
      title={title}
      shape="dialog"
      onClose={onClose}
      submitLabel={name}
      danger
      busy={deed.busy}
      problem={deed.problem}
      onSubmit={submit}
    >
      {children}
      <Field
        label="Reason"
        {...(hint !== undefined && { hint })}
        maxLength={500}
        value={reason}
        error={fault}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormSheet>
  );
}
