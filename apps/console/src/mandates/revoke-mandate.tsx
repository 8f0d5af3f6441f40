import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toasts.tsx';

type Props = { readonly mandate: Mandate; readonly onClose: () => void };

/** Asks once more, because there is no way back from it. */
export function RevokeMandate({ mandate, onClose }: Props) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    const answer = await call('POST /api/mandates/intent/revoke', { body: { mandateId: mandate.id } });
    setBusy(false);
    if (!answer.ok) return setProblem(problemText(answer.error));
    showToast({ tone: 'ok', text: 'Revoked.' });
    void refresh(queries, '/api/mandates', '/api/overview');
    onClose();
  };
  return (
    <Sheet
      title={mandate.status === 'active' ? 'Revoke this mandate?' : 'Discard this draft?'}
      shape="dialog"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={busy} onClick={() => void revoke()}>
            {mandate.status === 'active' ? 'Revoke for good' : 'Discard'}
          </Button>
        </>
      }
    >
      <p className="text-pretty text-muted">
        {mandate.status === 'active'
          ? `From this moment your agent pays nothing more from “${mandate.title}”. A payment that is already on its way may still arrive. To allow payments again you sign a new mandate.`
          : `“${mandate.title}” was never signed, so nothing was ever paid from it.`}
      </p>
      {problem !== null && (
        <div className="mt-4">
          <Notice tone="bad">{problem}</Notice>
        </div>
      )}
    </Sheet>
  );
}
