import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useState } from 'react';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoint.ts';
import { problemText } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { RevokeMandate } from './revoke-mandate.tsx';
import { SignMandate } from './sign-mandate.tsx';

/** What the state of a mandate allows: sign a draft, revoke what is active. An end state allows nothing. */
export function MandateActions({ mandate }: { mandate: Mandate }) {
  switch (mandate.status) {
    case 'pending':
      return (
        <>
          <Revoke mandate={mandate} name="Discard" />
          <Sign mandate={mandate} />
        </>
      );
    case 'active':
      return <Revoke mandate={mandate} name="Revoke" />;
    case 'exhausted':
    case 'expired':
    case 'revoked':
      return null;
  }
}

function Sign({ mandate }: { mandate: Mandate }) {
  const [toSign, setToSign] = useState<AnswerOf<'POST /api/mandates/intent/prepare-sign'> | null>(null);
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

function Revoke({ mandate, name }: { mandate: Mandate; name: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {name}
      </Button>
      {asking && <RevokeMandate mandate={mandate} onClose={() => setAsking(false)} />}
    </>
  );
}
