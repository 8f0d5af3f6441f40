import { type ReactNode, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';

const outdated = '/api/compliance';

/** Refuses payments with an address from now on. */
export function DenyAddress({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState('');
  const deed = useDeed('POST /api/compliance/deny-list/add', outdated);
  const deny = async (reason: string) => {
    if ((await deed.run({ body: { address: address.trim(), reason } })) === null) return;
    showToast({ tone: 'ok', text: 'Denied. Payments with it are refused from now on.' });
    onClose();
  };
  return (
    <WithReason title="Deny an address" name="Deny it" deed={deed} onReason={deny} onClose={onClose}>
      <Field
        label="Address"
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
    </WithReason>
  );
}

/** Screens an address as before. */
export function LiftDenial({ address, onClose }: { address: string; onClose: () => void }) {
  const deed = useDeed('POST /api/compliance/deny-list/remove', outdated);
  const lift = async (reason: string) => {
    if ((await deed.run({ body: { address, reason } })) === null) return;
    showToast({ tone: 'ok', text: 'Taken off. The providers decide about it again.' });
    onClose();
  };
  return (
    <WithReason title="Take it off the list?" name="Take off" deed={deed} onReason={lift} onClose={onClose}>
      <p className="font-mono text-sm [overflow-wrap:anywhere]">{address}</p>
    </WithReason>
  );
}

type Props = {
  readonly title: string;
  readonly name: string;
  readonly deed: { readonly busy: boolean; readonly problem: string | null };
  readonly onReason: (reason: string) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Both ways go on record with a reason. */
function WithReason({ title, name, deed, onReason, onClose, children }: Props) {
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = () => {
    const given = reason.trim();
    setFault(given === '' ? 'Say why. It goes on record.' : null);
    if (given !== '') void onReason(given);
  };
  return (
    <FormSheet
      title={title}
      shape="dialog"
      onClose={onClose}
      deed={name}
      danger
      busy={deed.busy}
      problem={deed.problem}
      onSubmit={submit}
    >
      {children}
      <Field
        label="Reason"
        maxLength={500}
        value={reason}
        error={fault}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormSheet>
  );
}
