import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { ActionTokenClaims } from '@countersign/protocol/control/execution';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { RunEnd } from '../connectors/connector.ts';
import { readToken, type TokenParts } from './action-token.ts';
import { answerText } from './answer-text.ts';
import { disagreement } from './check-token.ts';
import { type End, type EndParts, makeEnd, notRun } from './end.ts';
import { type ConcludeRequest, draftOf, type Execution, type RunRequest } from './execution.ts';
import { KnownEnds } from './known-ends.ts';
import type { Params } from './params.ts';
import { record } from './record.ts';
import { SpentTokens } from './spent-tokens.ts';
import { Turns } from './turns.ts';

/** Has an action done in a sandbox of its own, until the signal ends it. */
export type Connect = (request: RunRequest, params: Params, signal: AbortSignal) => Promise<RunEnd>;

export type ExecutionParts = TokenParts &
  EndParts & {
    readonly audit: Pick<AuditLog, 'append'>;
    readonly connect: Connect;
    /** Of what should not happen. */
    readonly warn: (what: string, why: unknown) => void;
  };

/** A run that is asked for. */
type Asked = RunRequest & Pick<Execution, 'paramsHash'>;
type Ended = Result<End, EnclaveRefusal>;
type Named = Pick<Execution, 'tenantId' | 'executionId'>;

/** No name holds a newline. */
const keyOf = ({ tenantId, executionId }: Named): string => `${tenantId}\n${executionId}`;

/** Runs what a token is for, once, and vouches for how it ended. */
export class Executions {
  readonly #parts: ExecutionParts;
  /** Unix milliseconds. */
  readonly #begun: number;
  readonly #spent = new SpentTokens();
  readonly #ends = new KnownEnds();
  /** One thing at a time is done with an execution. */
  readonly #turns = new Turns();

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#begun = parts.now();
  }

  /** Null: it was cut off midway, and may be done again. One that ended here already is told, not done again. */
  async run(asked: Asked, params: Params, gone: AbortSignal): Promise<Result<End | null, EnclaveRefusal>> {
    const token = this.#spend(asked);
    if (!token.ok) return this.#refuse(asked, token.error);
    return this.#turns.take(keyOf(asked), gone, async (signal) => {
      const known = this.#known(asked);
      return known === null ? this.#run(asked, params, token.value, signal) : this.#recorded(known);
    });
  }

  /** Waits for a run that is under way; what ended here already is told as it truly ended. */
  conclude(request: ConcludeRequest, gone: AbortSignal): Promise<Ended> {
    const { status, problem, actor } = request;
    return this.#turns.take(keyOf(request), gone, () => {
      const end =
        this.#known(request) ?? makeEnd(this.#parts, request, { ...notRun, status, problem, actor });
      return this.#recorded(end);
    });
  }

  /** Ends what runs, and resolves when all of it is told. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }

  #known(execution: Named): End | null {
    return this.#ends.find(keyOf(execution), this.#parts.now());
  }

  /** The claims of a token that is for exactly this and was not used before; else the name of what is wrong with it. */
  #spend(asked: Asked): Result<ActionTokenClaims, string> {
    const claims = readToken(this.#parts, asked.tenantId, asked.token);
    if (claims === null) return fail('unreadable');
    const now = this.#parts.now();
    const here = { measurement: this.#parts.measurement, begun: this.#begun, now };
    const wrong = disagreement(claims, { ...asked, ...here });
    if (wrong !== null) return fail(wrong);
    return this.#spent.spend(claims, now) ? ok(claims) : fail('spent');
  }

  /** Nothing ran: that much is vouched for, and the attempt is recorded. */
  async #refuse(asked: Asked, wrong: string): Promise<Ended> {
    const message = `The action token is not for this run, or was used before (${wrong}).`;
    const problem = { code: 'token_refused', message } as const;
    const how = { ...notRun, status: 'failed', problem, actor: asked.agent } as const;
    const end = makeEnd(this.#parts, asked, how);
    const rules = [{ rule: `action-token.${wrong}`, verdict: 'deny' }];
    const detail = { ...end.draft.detail, rules };
    const refused = { ...end.draft, eventType: 'policy_rejected' as const, detail };
    const recorded = await record(this.#parts.audit, refused);
    return recorded.ok ? ok({ ...end, auditId: recorded.value.auditId }) : recorded;
  }

  /** Nothing is done before the record of it is on disk. */
  async #run(
    asked: Asked,
    params: Params,
    { jti, hitl_confirmed }: ActionTokenClaims,
    signal: AbortSignal,
  ): Promise<Result<End | null, EnclaveRefusal>> {
    const { audit, measurement, now } = this.#parts;
    const connector = asked.connector.type;
    const detail = { jti, connector, hitl_confirmed, tee_mrenclave: measurement };
    const begun = await record(audit, draftOf('execution_started', asked, asked.agent, detail));
    if (!begun.ok) return begun;
    const started_at = new Date(now()).toISOString();
    const ran = await this.#connect(asked, params, signal);
    const isCutOff = ran.ended === 'unknown' || (ran.ended === 'failed' && signal.aborted);
    if (isCutOff && asked.safeToRetry) return ok(null);
    const how = { ...howOf(ran), jti, started_at, actor: asked.agent };
    return this.#recorded(makeEnd(this.#parts, asked, how));
  }

  /** Never rejects: what a connector throws leaves open how it went. */
  async #connect(asked: Asked, params: Params, signal: AbortSignal): Promise<RunEnd> {
    try {
      return await this.#parts.connect(asked, params, signal);
    } catch (error) {
      this.#parts.warn('a connector failed', error);
      return { ended: 'unknown', problem: nobodyKnows, sandbox: null, durationMs: 0 };
    }
  }

  /** Known from the moment it ended, so that it can still be told where it could not be recorded. */
  async #recorded(end: End): Promise<Ended> {
    if (end.auditId !== null) return ok(end);
    const { tenant: tenantId, execution_id: executionId } = end.proof.receipt;
    const key = keyOf({ tenantId, executionId });
    this.#ends.remember(key, end, this.#parts.now());
    const recorded = await record(this.#parts.audit, end.draft);
    if (!recorded.ok) return recorded;
    const whole = { ...end, auditId: recorded.value.auditId };
    this.#ends.remember(key, whole, this.#parts.now());
    return ok(whole);
  }
}

const nobodyKnows = {
  code: 'outcome_unknown',
  message: 'The connector was cut off. Whether the service did it is not known.',
} as const;

const untold = {
  code: 'answer_too_large',
  message: 'The service answered more than can be kept. Whether it did it is not known.',
} as const;

function howOf(ran: RunEnd) {
  const { sandbox } = ran;
  const durationMs = Math.round(ran.durationMs);
  const data = ran.ended === 'unknown' ? notRun.data : answerText(ran.data);
  if (data === null || ran.ended === 'unknown') {
    const problem = ran.ended === 'unknown' ? ran.problem : untold;
    return { status: 'outcome_unknown', problem, data: notRun.data, sandbox, durationMs } as const;
  }
  const problem = ran.ended === 'completed' ? null : ran.problem;
  return { status: ran.ended, problem, data, sandbox, durationMs } as const;
}
