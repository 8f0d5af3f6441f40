import { Verbatim } from '../../ui/verbatim.tsx';
import { useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { legible } from '../../ui/legible.ts';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useControlDeed } from '../call.ts';
import { type Batch, BatchState, Used } from './state.tsx';

type Props = { readonly batch: Batch; readonly onClose: () => void };

/** Shows a batch approval: what was approved, how much is left, when it ends. */
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
          <span className="[overflow-wrap:anywhere]">
            <Verbatim text={batch.service} />
          </span>
        </Fact>
        <Fact name="For">
          <span className="[overflow-wrap:anywhere]">{legible(batch.user_id ?? 'Anyone')}</span>
        </Fact>
        <Fact name="Policy">
          <span className="font-mono text-xs [overflow-wrap:anywhere]">{legible(batch.policy_id)}</span>{' '}
          <span className="whitespace-nowrap text-muted">version {batch.policy_version}</span>
        </Fact>
        <Fact name="Condition">
          {batch.condition === null ? (
            'None'
          ) : (
            <code className="font-mono text-xs [overflow-wrap:anywhere]">{legible(batch.condition)}</code>
          )}
        </Fact>
        <Fact name="Used">
          <Used batch={batch} />
        </Fact>
        <Fact name="Expires">
          <Time at={batch.expires_at} />
        </Fact>
        <Fact name="Approved by">
          <span className="[overflow-wrap:anywhere]">{legible(batch.created_by)}</span>{' '}
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
    showToast({ tone: 'ok', text: 'Batch approval revoked. Each action needs approval again.' });
    onClose();
  };
  return (
    <Question
      title="Revoke this batch approval?"
      submitLabel="Revoke approval"
      onYes={() => void revoke()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        From now on, each action needs approval. Actions already approved are not affected. This cannot be
        undone.
      </p>
    </Question>
  );
}
