import { signStatement } from '@countersign/audit-log/action-statement';
import type { Signer } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { type ActionTokenClaims, type Receipt, toldOf } from '@countersign/protocol/control/execution';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { RunEnd } from '../connector-runs/connector.ts';
import { readToken, type TokenParts } from './action-token.ts';
import { answerText } from './answer-text.ts';
import { disagreement } from './check-token.ts';
import { type End, type EndParts, makeEnd, notRun } from './end.ts';
import { type Begun, type ConcludeRequest, draftOf, type Execution, type RunRequest } from './execution.ts';
import { KnownEnds } from './known-ends.ts';
import type { Params } from './params.ts';
import { record } from './record.ts';
import { SpentTokens } from './spent-tokens.ts';
import { TurnsByName } from './turns-by-name.ts';

/** Has an action done in a sandbox of its own, until the signal ends it. */
export type Connect = (begun: Begun, params: Params, signal: AbortSignal) => Promise<RunEnd>;

export type ExecutionParts = TokenParts &
  EndParts & {
    readonly audit: Pick<AuditLog, 'append'>;
    readonly connect: Connect;
    /** Signs statements about actions. */
    readonly actionSigner: Signer;
    /** Reports a condition that should not occur. */
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
  /** Serializes the work on each execution. */
  readonly #turns = new TurnsByName();

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
    const how = ofAll(asked, { ...notRun, status: 'failed', problem } as const);
    const end = makeEnd(this.#parts, asked, { ...how, actor: asked.agent });
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
    claims: ActionTokenClaims,
    signal: AbortSignal,
  ): Promise<Result<End | null, EnclaveRefusal>> {
    const { audit, measurement, now, actionSigner } = this.#parts;
    const { jti, hitl_confirmed } = claims;
    const connector = asked.connector.type;
    const detail = { jti, connector, hitl_confirmed, tee_mrenclave: measurement };
    const begun = await record(audit, draftOf('execution_started', asked, asked.agent, detail));
    if (!begun.ok) return begun;
    const started_at = new Date(now()).toISOString();
    const statement = signStatement(toldOf(claims), actionSigner);
    const ran = await this.#connect({ ...asked, statement }, params, signal);
    if (asked.safeToRetry && isCutOff(ran, signal)) return ok(null);
    const how = { ...ofAll(asked, howOf(ran)), jti, started_at, actor: asked.agent };
    return this.#recorded(makeEnd(this.#parts, asked, how));
  }

  /** Never rejects: what a connector throws leaves open how it went. */
  async #connect(begun: Begun, params: Params, signal: AbortSignal): Promise<RunEnd> {
    try {
      return await this.#parts.connect(begun, params, signal);
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

/** Whatever the service answered, and however little of it came, it was not: asking again is up to whoever asked. */
function isCutOff(
  { ended, data, targetStatus }: RunEnd & { readonly data?: unknown },
  signal: AbortSignal,
): boolean {
  if (ended === 'unknown') return data === undefined && targetStatus === undefined;
  return ended === 'failed' && signal.aborted;
}

/**
 * Returns the outcome of all attempts: an earlier one that was cut off may have done what this one did not.
 */
function ofAll<H extends Pick<End, 'problem'> & Pick<Receipt, 'status'>>({ cutOffBefore }: Asked, how: H) {
  const { status, problem } = how;
  if (cutOffBefore !== true || problem === null || status === 'completed' || status === 'outcome_unknown')
    return how;
  const message = `An earlier attempt was cut off, and this one did not complete (${problem.code}). It is not known whether the service did it.`;
  return {
    ...how,
    status: 'outcome_unknown',
    problem: { ...problem, code: 'outcome_unknown', message },
  } as const;
}

const nobodyKnows = {
  code: 'outcome_unknown',
  message: 'The connector was cut off. It is not known whether the service did it.',
} as const;

const untold = {
  code: 'answer_too_large',
  message: 'The service’s response was too large to keep. Whether it did it is not known.',
} as const;

function howOf(ran: RunEnd) {
  const { sandbox, targetStatus = null } = ran;
  const about = { sandbox, targetStatus, durationMs: Math.round(ran.durationMs) };
  const text = answerText(ran.data);
  const data = text ?? notRun.data;
  switch (ran.ended) {
    case 'completed':
      return text === null
        ? ({ ...about, status: 'outcome_unknown', problem: untold, data } as const)
        : ({ ...about, status: 'completed', problem: null, data } as const);
    case 'failed':
      return { ...about, status: 'failed', problem: ran.problem, data } as const;
    case 'unknown':
      return { ...about, status: 'outcome_unknown', problem: ran.problem, data } as const;
  }
}
