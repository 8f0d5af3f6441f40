import { randomUUID } from 'node:crypto';
import type { Definition } from '@countersign/protocol/control/connector';
import type { ExecutionProblem, SandboxFacts } from '@countersign/protocol/control/execution';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { Operation } from '@countersign/protocol/vault/operation';
import type { CloseReason, OperationProblem, OperationResult } from '@countersign/protocol/vault/sandbox';
import type { RunEnd } from '../connector-runs/connector.ts';
import type { Handlers } from '../serve.ts';

export type Action = Definition<'browser'>['actions'][string];

/** How the visit ended, without its duration. */
export type Done = RunEnd extends infer End ? (End extends RunEnd ? Omit<End, 'durationMs'> : never) : never;
type StepDone = { readonly result?: unknown } | { readonly end: Done };

export type VisitSessions = Pick<Handlers, 'session.operate' | 'session.export' | 'session.state'>;

export const failed = (
  code: ExecutionProblem['code'],
  message: string,
  sandbox: SandboxFacts | null = null,
): Done => ({ ended: 'failed', problem: { code, message }, sandbox });

const none = Buffer.alloc(0);

type VisitParts = {
  readonly sessions: VisitSessions;
  readonly session: { readonly tenantId: string; readonly sessionId: string; readonly actor: string };
  readonly credential: CommandRequest<'session.operate'>['credential'];
  readonly signal: AbortSignal;
  readonly sandbox: SandboxFacts;
};

/** Operations that may change something; looking and waiting do not. */
const changing: ReadonlySet<Operation['operation_type']> = new Set([
  'click',
  'fill',
  'select',
  'press',
  'execute_script',
]);

/** The steps of one action, one after another, until one is not executed. */
export class Visit {
  readonly #parts: VisitParts;
  /** Whether a step was begun that may change the service. */
  #hasActed = false;

  constructor(parts: VisitParts) {
    this.#parts = parts;
  }

  async run(operations: readonly Operation[], action: Action): Promise<Done> {
    const { sandbox } = this.#parts;
    let data: unknown = null;
    for (const [index, operation] of operations.entries()) {
      const done = await this.#step(index + 1, operation);
      if ('end' in done) return done.end;
      data = done.result;
    }
    return action.export === undefined ? { ended: 'completed', data, sandbox } : this.#export(action.export);
  }

  async #step(number: number, operation: Operation): Promise<StepDone> {
    const { sessions, session, credential, signal, sandbox } = this.#parts;
    const hadActed = this.#hasActed;
    this.#hasActed ||= changing.has(operation.operation_type);
    const asked = { ...session, operationId: randomUUID(), operation, ...(credential && { credential }) };
    const answer = await sessions['session.operate'](asked, none, signal);
    if (answer.ok) {
      const result = answer.value.reply.operation;
      // It was not begun after all.
      if (result.status === 'rejected') this.#hasActed = hadActed;
      return this.#done(`Step ${number} (${operation.operation_type})`, result);
    }
    return answer.error.code === 'CANNOT_DECRYPT'
      ? { end: failed('credential_unusable', 'The credential does not open.', sandbox) }
      : { end: await this.#lost() };
  }

  async #done(which: string, { status, result, error, review }: OperationResult): Promise<StepDone> {
    const { sandbox } = this.#parts;
    if (status === 'executed') return { result };
    if (error === undefined) {
      const rule = review.rules.find(({ verdict }) => verdict !== 'allow')?.rule ?? 'review';
      return { end: failed('review_rejected', `${which} was refused by the review: ${rule}.`, sandbox) };
    }
    if (error.code === 'interrupted') return { end: await this.#lost() };
    const problem = { code: codes[error.code], message: `${which} failed: ${error.code}.` };
    const isOpen = error.code === 'timeout' && this.#hasActed;
    return { end: { ended: isOpen ? 'unknown' : 'failed', problem, sandbox } };
  }

  async #export({ selector, format }: NonNullable<Action['export']>): Promise<Done> {
    const { sessions, session, signal, sandbox } = this.#parts;
    const asked = { ...session, format, ...(selector !== undefined && { selector }) };
    const answer = await sessions['session.export'](asked, none, signal);
    if (!answer.ok) {
      if (answer.error.code !== 'OPERATION_FAILED') return this.#lost();
      const message = 'The steps were done, but the page could not be exported.';
      return {
        ended: this.#hasActed ? 'unknown' : 'failed',
        problem: { code: 'target_error', message },
        sandbox,
      };
    }
    const text = answer.value.body?.toString('utf8') ?? '';
    return { ended: 'completed', data: format === 'json' ? JSON.parse(text) : text, sandbox };
  }

  /** The session is over. What had been begun by then, nobody knows. */
  async #lost(): Promise<Done> {
    const { sessions, session, signal, sandbox } = this.#parts;
    const state = await sessions['session.state'](session, none, signal);
    const reason = (state.ok ? state.value.reply.session.closedReason : undefined) ?? 'crashed';
    const problem = lost[reason];
    const isRefused = problem.code === 'review_rejected';
    return { ended: this.#hasActed && !isRefused ? 'unknown' : 'failed', problem, sandbox };
  }
}

const codes: Readonly<Record<OperationProblem['code'], ExecutionProblem['code']>> = {
  no_such_element: 'target_error',
  not_editable: 'target_error',
  not_visible: 'target_error',
  script_failed: 'target_error',
  held: 'target_error',
  not_permitted: 'review_rejected',
  navigation_failed: 'target_unreachable',
  out_of_scope: 'egress_denied',
  timeout: 'connector_timeout',
  interrupted: 'connector_crashed',
};

const lost: Readonly<Record<CloseReason, ExecutionProblem>> = {
  expired: { code: 'connector_timeout', message: 'The time limit was reached before all steps were done.' },
  alarm: { code: 'review_rejected', message: 'A secret was about to go where it does not belong.' },
  crashed: { code: 'connector_crashed', message: 'The browser died.' },
  out_of_memory: { code: 'connector_oom', message: 'The browser ran out of memory.' },
  asked: { code: 'connector_crashed', message: 'Whoever asked for it is gone.' },
  enclave_gone: { code: 'connector_crashed', message: 'The enclave ended.' },
};
