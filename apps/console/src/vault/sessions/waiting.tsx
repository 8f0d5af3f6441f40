import { useQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { legible } from '../../ui/legible.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { askVault, useVaultDeed } from '../call.ts';
import { RuleFindings } from './findings.tsx';
import { LookedAt } from './question.tsx';
import { type Operation, operationNames, type Session } from './names.ts';
import { Written } from './written.tsx';

/** More than can wait in one session. */
const limit = 200;

/** Lists the operations that need a person's approval. */
export function WaitingOperations({ session }: { session: Session }) {
  const about = { params: { id: session.id }, query: { limit } };
  const log = useQuery(askVault('GET /api/v1/sandbox/sessions/:id/operations', about));
  return (
    <Section title="Waiting for you">
      <Loaded query={log} skeleton={<BoneRows rows={1} />}>
        {({ items }) => (
          <ul className="divide-y divide-line">
            {items
              .filter(({ status }) => status === 'pending_approval')
              .map((operation) => (
                <li key={operation.operation_id}>
                  <Waiting
                    operation={operation}
                    sessionId={session.id}
                    alone={session.pending_approvals.length === 1 && session.status === 'active'}
                  />
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const path = 'POST /api/v1/sandbox/sessions/:id/approvals/:operation_id';

type Props = {
  readonly operation: Operation;
  readonly sessionId: string;
  /** Whether it is the one thing to do in this view. */
  readonly alone: boolean;
};

function Waiting({ operation, sessionId, alone }: Props) {
  const { operation_id, operation_type, selector, value, review } = operation;
  const { busy, problem, run } = useVaultDeed(path, '/api/v1/sandbox/sessions');
  const params = { id: sessionId, operation_id };
  const decide = async (decision: 'approve' | 'reject') => {
    const done = await run({ params, body: { decision } });
    if (done === null) return;
    showToast({
      tone: 'ok',
      text: decision === 'approve' ? 'Approved. Your agent continues.' : 'Rejected. Nothing was done.',
    });
  };
  return (
    <div className="grid gap-3 px-5 py-4">
      <p className="font-medium [overflow-wrap:anywhere]">
        {operationNames[operation_type]}{' '}
        {selector !== null && <code className="font-mono text-sm font-normal">{legible(selector)}</code>}
      </p>
      {value !== null && (
        <pre
          tabIndex={0}
          role="region"
          aria-label="Requested operation"
          className="goes-on max-h-80 overflow-auto rounded-md border border-line px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <Written text={value} />
        </pre>
      )}
      <LookedAt sessionId={sessionId} operationId={operation_id} />
      <RuleFindings rules={review?.rules ?? []} />
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <div className="flex justify-end gap-2">
        <Button kind="danger" busy={busy} onClick={() => void decide('reject')}>
          Reject
        </Button>
        <Button kind={alone ? 'primary' : 'plain'} busy={busy} onClick={() => void decide('approve')}>
          Approve
        </Button>
      </div>
    </div>
  );
}
