import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { DeleteMandate } from './delete-mandate.tsx';
import { EditMandate } from './edit-mandate.tsx';
import { PauseButton } from './policy/pause-button.tsx';
import { RenewMandate } from './renew-mandate.tsx';
import { RevokeMandate } from './revoke-mandate.tsx';
import type { ToSign } from './save-edit.ts';
import { SignMandate } from './sign-mandate.tsx';

type Work = 'edit' | 'revoke' | 'delete' | 'renew';
type Props = { readonly mandate: Mandate };

/** Offers the actions that the mandate's state allows, and opens the sheet of the chosen one. */
export function MandateActions({ mandate }: Props) {
  const [work, setWork] = useState<Work | null>(null);
  return (
    <>
      <Buttons mandate={mandate} onChoose={setWork} />
      <WorkSheet mandate={mandate} work={work} onClose={() => setWork(null)} />
    </>
  );
}

function Buttons({ mandate, onChoose }: Props & { onChoose: (work: Work) => void }) {
  const button = (name: string, work: Work, kind: 'plain' | 'danger' | 'primary' = 'plain') => (
    <Button kind={kind} onClick={() => onChoose(work)}>
      {name}
    </Button>
  );
  switch (mandate.status) {
    case 'pending':
      return (
        <>
          {button('Discard', 'delete', 'danger')}
          {button('Edit', 'edit')}
          <Sign mandate={mandate} />
        </>
      );
    case 'active':
      return (
        <>
          {button('Revoke', 'revoke', 'danger')}
          <PauseButton mandate={mandate} />
          {button('Edit', 'edit')}
        </>
      );
    case 'exhausted':
    case 'expired':
    case 'revoked':
      return (
        <>
          {button('Delete', 'delete', 'danger')}
          {button('Renew', 'renew', 'primary')}
        </>
      );
  }
}

/** Whoever renews goes on with the successor; whoever deletes goes back to the list. */
function WorkSheet({ mandate, work, onClose }: Props & { work: Work | null; onClose: () => void }) {
  const navigate = useNavigate();
  const toList = () => void navigate({ to: '/mandates' });
  const toMandate = (mandateId: string) => {
    onClose();
    void navigate({ to: '/mandates/$mandateId', params: { mandateId } });
  };
  switch (work) {
    case 'edit':
      return <EditMandate mandate={mandate} onClose={onClose} />;
    case 'revoke':
      return <RevokeMandate mandate={mandate} onClose={onClose} />;
    case 'delete':
      return <DeleteMandate mandate={mandate} onDeleted={toList} onClose={onClose} />;
    case 'renew':
      return <RenewMandate mandate={mandate} onSigned={toMandate} onClose={onClose} />;
    case null:
      return null;
  }
}

function Sign({ mandate }: Props) {
  const [toSign, setToSign] = useState<ToSign | null>(null);
  const [busy, setBusy] = useState(false);
  const prepare = async () => {
    setBusy(true);
    const answer = await call('POST /api/mandates/intent/prepare-sign', { body: { mandateId: mandate.id } });
    setBusy(false);
    if (answer.ok) setToSign(answer.value);
    else showToast({ tone: 'bad', text: problemText(answer.error) });
  };
  return (
    <>
      <Button kind="primary" busy={busy} onClick={() => void prepare()}>
        Review and sign
      </Button>
      {toSign !== null && <SignMandate toSign={toSign} onClose={() => setToSign(null)} />}
    </>
  );
}
