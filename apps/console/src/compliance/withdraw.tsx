import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { Field } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { WithReason } from './with-reason.tsx';

const hint = 'The person reads it.';

type Props = {
  /** Null: it is typed here. */
  readonly wallet: string | null;
  /** Who it is, where that is known. */
  readonly name?: string;
  readonly onClose: () => void;
};

/** Stops every payment of a person from now on. */
export function Withdraw({ wallet, name, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const deed = useDeed('POST /api/kyc/withdraw', '/api/kyc', '/api/compliance/history');
  const walletAddress = wallet ?? typed.trim();
  const withdraw = async (reason: string) => {
    if ((await deed.run({ body: { walletAddress, reason } })) === null) return;
    showToast({ tone: 'ok', text: 'Approval withdrawn. Payments are refused from now on.' });
    onClose();
  };
  return (
    <WithReason
      title={name === undefined ? 'Withdraw an approval' : `Withdraw the approval of ${name}?`}
      name="Withdraw approval"
      deed={deed}
      hint={hint}
      onReason={withdraw}
      onClose={onClose}
    >
      <p className="text-sm text-pretty text-muted">
        Payments to and from this person are refused immediately, and their pending submission ends.
      </p>
      {wallet === null ? (
        <Field
          label="Wallet"
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      ) : (
        <p className="font-mono text-sm [overflow-wrap:anywhere]">{wallet}</p>
      )}
    </WithReason>
  );
}
