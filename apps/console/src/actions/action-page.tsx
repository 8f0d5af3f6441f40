import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, CircleCheckBig } from 'lucide-react';
import { useState } from 'react';
import { isMissing } from '../api/problem.ts';
import { Address } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { JsonText } from '../ui/json-text.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { askControl } from './call.ts';
import { ControlPage } from './control-page.tsx';
import { type Answer, Decide, DecideSheet } from './decide.tsx';
import { Decisions, decisionsOn } from './decisions.tsx';
import { ActionFacts } from './facts.tsx';
import { ActionHeading } from './heading.tsx';
import type { WholeExecution } from './names.ts';
import { Receipt } from './receipt.tsx';
import { StatusBadge } from './state.tsx';

/** Shows one action: the request, the decisions, the outcome. */
export function ActionPage() {
  return (
    <>
      <Link to="/actions" className="mb-3 inline-flex items-center gap-1 text-sm text-muted hover:text-ink">
        <ChevronLeft aria-hidden="true" className="size-4" />
        Actions
      </Link>
      <ControlPage title="Action">
        <One />
      </ControlPage>
    </>
  );
}

function One() {
  const { executionId } = useParams({ from: '/frame/actions/$executionId' });
  const params = { execution_id: executionId };
  const execution = useQuery(askControl('GET /v1/executions/:execution_id', { params }));
  const [answer, setAnswer] = useState<Answer | null>(null);
  return (
    <>
      {isMissing(execution.error) ? (
        <NoSuchAction />
      ) : (
        <Loaded query={execution} skeleton={<BoneRows rows={6} />}>
          {(found) => <Whole execution={found} onAnswer={setAnswer} />}
        </Loaded>
      )}
      {answer !== null && <DecideSheet answer={answer} onClose={() => setAnswer(null)} />}
    </>
  );
}

function NoSuchAction() {
  return (
    <div className="card">
      <Message icon={CircleCheckBig} title="Action not found">
        It may belong to a different control plane tenant than your key.
      </Message>
    </div>
  );
}

type WholeProps = { readonly execution: WholeExecution; readonly onAnswer: (answer: Answer) => void };

function Whole({ execution, onAnswer }: WholeProps) {
  const { status, action, params, params_hash, proof } = execution;
  const decisions = decisionsOn(execution);
  const waits = status === 'pending_hitl';
  return (
    <>
      <Section title="Request" actions={<StatusBadge status={status} />}>
        <div className="grid gap-4 px-5 py-5">
          <ActionHeading execution={execution}>
            <p className="text-lg font-medium">
              <Verbatim text={action} />
            </p>
          </ActionHeading>
          <JsonText label="Parameters" value={params} whole />
          <ActionFacts execution={execution}>
            <Fact name="Parameters hash">
              <Address value={params_hash} name="hash" />
            </Fact>
          </ActionFacts>
          {waits && (
            <footer className="flex flex-wrap justify-end gap-2">
              <Decide execution={execution} alone onAnswer={onAnswer} />
            </footer>
          )}
        </div>
      </Section>
      {decisions.length > 0 && <Decisions decisions={decisions} />}
      {execution.ended_at !== null && <Outcome execution={execution} />}
      {proof !== null && <Receipt proof={proof} />}
    </>
  );
}

function Outcome({
  execution: { status, ended_at, duration_ms, target_status, error, data },
}: {
  execution: WholeExecution;
}) {
  return (
    <Section title="Result">
      <div className="grid gap-4 px-5 py-3">
        <Facts>
          <Fact name="Finished">
            <Time at={ended_at ?? ''} />
          </Fact>
          {duration_ms > 0 && <Fact name="Duration">{duration_ms} ms</Fact>}
          {target_status !== null && <Fact name="Service response">HTTP {target_status}</Fact>}
          {error !== null && (
            <Fact name="Why">
              <span className="inline-block first-letter:uppercase">{error.message}</span>{' '}
              <code className="font-mono text-xs text-muted">{error.code}</code>
            </Fact>
          )}
        </Facts>
        {status === 'outcome_unknown' && (
          <p className="text-sm text-muted">
            The service may have carried it out. Check there before anyone requests it again.
          </p>
        )}
        {data !== null && data !== undefined && <JsonText label="Service response as JSON" value={data} />}
      </div>
    </Section>
  );
}
