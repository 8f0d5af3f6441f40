import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Fact, Facts } from '../../ui/facts.tsx';
import { legible } from '../../ui/legible.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { Actor, actorFilter, actorSays } from '../actor.tsx';
import { LeftFacts } from '../left.tsx';
import { type Operation, operationNames, verdictNames } from './names.ts';
import { Outcome } from './state.tsx';
import { Written } from './written.tsx';
import { RuleFindings } from './findings.tsx';

type Props = {
  readonly operation: Operation;
  readonly sessionId: string;
  readonly onClose: () => void;
};

/** Shows one operation: the agent's request, the review's findings, the result. */
export function OperationSheet({ operation, sessionId, onClose }: Props) {
  const { operation_type, value, result, review, error, left } = operation;
  return (
    <Sheet title={operationNames[operation_type]} onClose={onClose}>
      {error !== undefined && <p className="mb-4 text-sm text-pretty text-warn">{error.message}</p>}
      {value !== null && (
        <Text label={review === null ? 'How it was requested' : 'As the agent wrote it'}>
          <Written text={value} />
        </Text>
      )}
      {result !== null && result !== undefined && (
        <Text label="Response to the agent, masked">
          {typeof result === 'string' ? result : JSON.stringify(result, null, 2)}
        </Text>
      )}
      {review !== null && (
        <>
          <h3 className="mt-5 mb-2 text-base">Review: {verdictNames[review.verdict].toLowerCase()}</h3>
          <RuleFindings rules={review.rules} />
        </>
      )}
      {left !== null && <LeftFacts left={left} sessionId={sessionId} />}
      <div className="mt-4">
        <OperationFacts operation={operation} sessionId={sessionId} onClose={onClose} />
      </div>
    </Sheet>
  );
}

function Text({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="mb-4">
      <h3 className="text-sm font-medium">{label}</h3>
      <pre
        // A scrollable region must be reachable by keyboard.
        tabIndex={0}
        className="mt-1.5 max-h-72 overflow-auto rounded-md border border-line bg-sunken px-4 py-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {children}
      </pre>
    </section>
  );
}

function OperationFacts({ operation, sessionId, onClose }: Props) {
  const { selector, status, at, duration_ms, decided_by, audit_id, actor, agent_did } = operation;
  return (
    <Facts>
      <Fact name="Outcome">
        <Outcome status={status} />
      </Fact>
      {selector !== null && (
        <Fact name="Element">
          <code className="font-mono text-xs [overflow-wrap:anywhere]">{legible(selector)}</code>
        </Fact>
      )}
      {actor !== null && (
        <Fact name="Done by">
          <Actor actor={actor} agent={agent_did} />{' '}
          <Link
            to="."
            search={{ actor: actorFilter(actor) }}
            resetScroll={false}
            onClick={onClose}
            className="text-accent-ink underline-offset-4 hover:underline"
          >
            Filter by this actor
          </Link>
        </Fact>
      )}
      {decided_by !== null && <Fact name="Decided by">{actorSays(decided_by)}</Fact>}
      <Fact name="When">
        <Time at={at} />
      </Fact>
      {operation.operation_type !== 'watch' && (
        <Fact name="Duration">
          <span className="figures">{Math.round(duration_ms)} ms</span>
        </Fact>
      )}
      {audit_id !== null && (
        <Fact name="Audit record">
          <Link
            to="/vault/audit"
            search={{ session: sessionId, record: audit_id }}
            className="font-mono text-xs text-accent-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {audit_id}
          </Link>
        </Fact>
      )}
    </Facts>
  );
}
