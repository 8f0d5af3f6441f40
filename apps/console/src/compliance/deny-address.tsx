import type { FirstWord } from '@countersign/protocol/dashboard/compliance';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SaidFirst } from './first-word.tsx';
import { WithReason } from './with-reason.tsx';

const outdated = '/api/compliance';

/** Refuses payments with an address from now on. */
export function DenyAddress({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState('');
  const deed = useDeed('POST /api/compliance/deny-list/add', outdated);
  const deny = async (reason: string) => {
    if ((await deed.run({ body: { address: address.trim(), reason } })) === null) return;
    showToast({ tone: 'ok', text: 'Address denied. Payments with it are refused from now on.' });
    onClose();
  };
  return (
    <WithReason title="Deny an address" name="Deny address" deed={deed} onReason={deny} onClose={onClose}>
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

type LiftProps = {
  readonly entry: { readonly address: string; readonly firstWord: FirstWord | null };
  readonly onClose: () => void;
};

/** Screens an address as before. */
export function LiftDenial({ entry: { address, firstWord }, onClose }: LiftProps) {
  const deed = useDeed('POST /api/compliance/deny-list/remove', outdated);
  const lift = async (reason: string) => {
    const done = await deed.run({ body: { address, reason } });
    if (done === null) return;
    const text =
      done.firstWord === null
        ? 'Removed. Screening applies to it again.'
        : 'Recorded. It stays on the list until a second operator removes it too.';
    showToast({ tone: 'ok', text });
    onClose();
  };
  return (
    <WithReason
      title="Remove from the deny list?"
      name="Remove address"
      deed={deed}
      onReason={lift}
      onClose={onClose}
    >
      <p className="font-mono text-sm [overflow-wrap:anywhere]">{address}</p>
      {firstWord !== null && <SaidFirst word={firstWord} wish="asked to remove it from the list" />}
    </WithReason>
  );
}
