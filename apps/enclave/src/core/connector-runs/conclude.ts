import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { problemOf } from '../broker/problem.ts';
import type { SentRequests } from '../broker/sent.ts';
import type { Run, RunEnd } from './connector.ts';
import type { Said } from './converse.ts';

type Without<E, K extends PropertyKey> = E extends unknown ? Omit<E, K> : never;
export type Concluded = Without<RunEnd, 'durationMs' | 'sandbox'>;
type Answered = Extract<Said, { readonly end: string }>;

/**
 * What it means that a connector said this, or said nothing, after what it had sent. The broker
 * knows better than a connector what the service answered. What the connector said is masked already.
 */
export function conclude(said: Said, sent: SentRequests, type: Run['type']): Concluded {
  const { status } = sent;
  const ended = 'problem' in said ? afterProblem(said.problem, sent) : afterAnswer(said, sent, type);
  if (status === null) return ended;
  return ended.ended === 'completed'
    ? { ...ended, targetStatus: status }
    : { ...ended, problem: { ...ended.problem, target_status: status }, targetStatus: status };
}

function afterProblem(problem: ExecutionProblem, sent: SentRequests): Concluded {
  if (sent.mayHaveActed) return { ended: 'unknown', problem };
  const outcome = sent.action?.outcome;
  return { ended: 'failed', problem: outcome?.means === 'not_done' ? problemOf(outcome.code) : problem };
}

function afterAnswer(said: Answered, sent: SentRequests, type: Run['type']): Concluded {
  const { data } = said;
  if (sent.isOpen) return unknown(data);
  const outcome = sent.action?.outcome;
  switch (outcome?.means) {
    case 'not_done':
      return sent.mayHaveActed ? unknown(data) : failed(problemOf(outcome.code), data);
    case 'unclear':
      return failed(problemOf('target_error', harmless), data);
    case 'done':
      return type === 'mcp-tool' ? ofTool(said, sent) : { ended: 'completed', data };
    case undefined:
      return withoutAction(said);
  }
}

/** Concludes from an MCP tool's response, whose status is 200 whatever the tool answered. */
const ofTool = (said: Answered, { mayHaveActed }: SentRequests): Concluded =>
  said.end === 'target_unclear' && mayHaveActed ? unknown(said.data) : asSaid(said);

/** Nothing was sent that can have been done. */
const withoutAction = (said: Answered): Concluded =>
  said.end === 'completed' ? failed(problemOf('connector_crashed')) : asSaid(said);

const asSaid = ({ end, data }: Answered): Concluded =>
  end === 'completed' ? { ended: 'completed', data } : failed(problemOf('target_error'), data);

const failed = (problem: ExecutionProblem, data?: unknown): Concluded => ({
  ended: 'failed',
  problem,
  ...(data !== undefined && { data }),
});

const unknown = (data: unknown): Concluded => ({
  ended: 'unknown',
  problem: problemOf('outcome_unknown'),
  data,
});

const harmless = 'The service answered with an error. Asking for it again does no harm.';
