import { useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useControlDeed } from '../call.ts';
import { type Batch, BatchState, Used } from './state.tsx';

type Props = { readonly batch: Batch; readonly onClose: () => void };

/** What was approved, how much of it is left, and its end. */
export function BatchSheet({ batch, onClose }: Props) {
  const [revoking, setRevoking] = useState(false);
  if (revoking) return <RevokeBatch batch={batch} onClose={onClose} />;
  return (
    <Sheet
      title={batch.action}
      onClose={onClose}
      actions={
        batch.state === 'active' && (
          <Button kind="danger" onClick={() => setRevoking(true)}>
            Revoke
          </Button>
        )
      }
    >
      <Facts>
        <Fact name="State">
          <BatchState state={batch.state} />
        </Fact>
        <Fact name="Service">
          <span className="[overflow-wrap:anywhere]">{batch.service}</span>
        </Fact>
        <Fact name="For">
          <span className="[overflow-wrap:anywhere]">{batch.user_id ?? 'Anybody'}</span>
        </Fact>
        <Fact name="Policy">
          <span className="font-mono text-xs [overflow-wrap:anywhere]">{batch.policy_id}</span>{' '}
          <span className="whitespace-nowrap text-muted">version {batch.policy_version}</span>
        </Fact>
        <Fact name="Only where">
          {batch.condition === null ? (
            'Always'
          ) : (
            <code className="font-mono text-xs [overflow-wrap:anywhere]">{batch.condition}</code>
          )}
        </Fact>
        <Fact name="Used">
          <Used batch={batch} />
        </Fact>
        <Fact name="Ends">
          <Time at={batch.expires_at} />
        </Fact>
        <Fact name="Approved by">
          <span className="[overflow-wrap:anywhere]">{batch.created_by}</span>{' '}
          <span className="text-muted">
            <Time at={batch.created_at} />
          </span>
        </Fact>
        <Fact name="Id">
          <Address value={batch.batch_id} name="id" />
        </Fact>
      </Facts>
    </Sheet>
  );
}

function RevokeBatch({ batch: { batch_id: id }, onClose }: Props) {
  const { run, ...state } = useControlDeed('DELETE /v1/batch-authorizations/:id', '/v1/batch-authorizations');
  const revoke = async () => {
    if ((await run({ params: { id } })) === null) return;
    showToast({ tone: 'ok', text: 'Revoked. People are asked again.' });
    onClose();
  };
  return (
    <Question
      title="Revoke this approval?"
      deed="Revoke for good"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        From this moment a person is asked each time. What was approved so far stays done.
      </p>
    </Question>
  );
}
