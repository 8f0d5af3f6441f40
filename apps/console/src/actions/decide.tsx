import { decisionTypedData } from '@countersign/protocol/control/decision';
import { controlScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { SigningSheet } from '../wallet/signing-sheet.tsx';
import { useSession } from '../session/session.ts';
import { callControl, useControlDeed } from './call.ts';
import { WhereAndForWhom } from './heading.tsx';
import { approvalsOf, type Execution, needsWallet } from './names.ts';
import { Params } from './params.tsx';
import { useControlSession } from './session.ts';

/** The decision that is about to be made, and about what. */
export type Answer = { readonly decision: 'approve' | 'deny'; readonly execution: Execution };

type DecideProps = {
  readonly execution: Execution;
  /** Whether it is the one thing to do in this view. */
  readonly alone?: boolean;
  readonly onAnswer: (answer: Answer) => void;
};

/** The two answers to what waits for a person. */
export function Decide({ execution, alone = false, onAnswer }: DecideProps) {
  const { roles } = useSession().person;
  const session = useControlSession();
  const bySession = session.state === 'open' && session.name !== null;
  if (bySession && !controlScopesOf(roles).includes('decide')) return null;
  return (
    <>
      <Button kind="danger" onClick={() => onAnswer({ decision: 'deny', execution })}>
        Deny
      </Button>
      <Button kind={alone ? 'primary' : 'plain'} onClick={() => onAnswer({ decision: 'approve', execution })}>
        Approve
      </Button>
    </>
  );
}

const path = 'POST /v1/executions/:execution_id/decision';
const ways = { key: 'Key only', wallet: 'Sign with wallet' } as const;
type Props = { readonly answer: Answer; readonly onClose: () => void };

/** Asks once more, for a comment, and whether the wallet should sign too. */
export function DecideSheet({ answer, onClose }: Props) {
  const { decision, execution } = answer;
  const [comment, setComment] = useState('');
  const [way, setWay] = useState<keyof typeof ways>(needsWallet(execution) ? 'wallet' : 'key');
  const [signing, setSigning] = useState(false);
  const { busy, problem, run } = useControlDeed(path, '/v1/executions');
  const params = { execution_id: execution.execution_id };
  const body = { decision, ...(comment.trim() !== '' && { comment: comment.trim() }) };
  const submit = async () => {
    if (way === 'wallet') return setSigning(true);
    if ((await run({ params, body })) !== null) done(answer, onClose);
  };
  if (signing) return <SignDecision answer={answer} body={body} onClose={onClose} />;
  return (
    <FormSheet
      title={decision === 'approve' ? 'Approve this action?' : 'Deny this action?'}
      shape="dialog"
      submitLabel={way === 'wallet' ? 'Review and sign' : deeds[decision]}
      danger={decision === 'deny'}
      leave="Not now"
      busy={busy}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <WhatIsAsked execution={execution}>{consequence(answer)}</WhatIsAsked>
      <Field
        label="Comment"
        hint="Optional. It is kept with the action for anyone who reads it later."
        maxLength={2000}
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
      <Choice label="Confirm with" names={ways} value={way} onChoose={setWay} />
    </FormSheet>
  );
}

function WhatIsAsked({ execution, children }: { execution: Execution; children?: ReactNode }) {
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-muted">
        <span className="font-medium text-ink">
          <Verbatim text={execution.action} />
        </span>{' '}
        <WhereAndForWhom execution={execution} />. {children}
      </p>
      <Params executionId={execution.execution_id} />
    </div>
  );
}

const deeds = { approve: 'Approve action', deny: 'Deny action' } as const;

function consequence({ decision, execution }: Answer): string {
  if (decision === 'deny') return 'The action ends here and never runs.';
  return (execution.approval?.quorum ?? 1) - approvalsOf(execution) > 1
    ? 'The action runs once enough people have approved.'
    : 'The action runs immediately, with exactly these parameters.';
}

function done({ decision }: Answer, onClose: () => void): void {
  const text = decision === 'approve' ? 'Action approved.' : 'Action denied. It will not run.';
  showToast({ tone: 'ok', text });
  onClose();
}

const words = {
  executionId: 'Execution',
  policyId: 'Policy',
  policyVersion: 'Policy version',
  service: 'Service',
  action: 'Action',
  paramsHash: 'Parameters hash',
  decision: 'Your decision',
};

type SignProps = Props & {
  readonly body: { readonly decision: Answer['decision']; readonly comment?: string };
};

/** The wallet's signature over exactly this decision, which stands in the receipt. */
function SignDecision({ answer, body, onClose }: SignProps) {
  const { decision, execution } = answer;
  const queries = useQueryClient();
  const typedData = decisionTypedData({
    executionId: execution.execution_id,
    policyId: execution.policy_id,
    policyVersion: execution.policy_version,
    service: execution.service,
    action: execution.action,
    paramsHash: execution.params_hash,
    decision,
  });
  const send = async (hitl_proof: string): Promise<Problem | null> => {
    const params = { execution_id: execution.execution_id };
    const decided = await callControl(path, { params, body: { ...body, hitl_proof } });
    void refresh(queries, '/v1/executions');
    if (!decided.ok) return decided.error;
    done(answer, onClose);
    return null;
  };
  return (
    <SigningSheet typedData={typedData} words={words} send={send} onClose={onClose}>
      <WhatIsAsked execution={execution} />
      <p className="mt-4 text-pretty text-muted">
        You sign this one decision and nothing else. These are the fields you sign, and your wallet shows the
        same. Nothing happens on any chain.
      </p>
    </SigningSheet>
  );
}
