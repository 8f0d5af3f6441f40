import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { sessionCommands } from '@countersign/protocol/enclave/session-commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Screenshot } from '../browser/browser.ts';
import type { Attempt } from './operation/attempt.ts';
import { observe, type OperationParts } from './operation/execute.ts';
import { review, type Reviewed, reviewDetail } from './operation/review.ts';
import { exported } from './export.ts';
import type { Session } from './session.ts';

type Request<C extends 'session.screenshot' | 'session.export'> = z.output<
  (typeof sessionCommands)[C]['request']
>;

const refuse = (problem: OperationProblem): { ok: false; error: EnclaveRefusal } =>
  fail({ code: 'OPERATION_FAILED', problem });

/** A picture of the page, once the record of it is on disk. */
export async function takeScreenshot(
  session: Session,
  { actor, fullPage }: Request<'session.screenshot'>,
): Promise<Result<Screenshot & { auditId: string }, EnclaveRefusal>> {
  const recorded = await session.record({
    eventType: 'sandbox_operation',
    actor,
    detail: { phase: 'intent', operationType: 'screenshot', fullPage },
  });
  if (!recorded.ok) return recorded;
  const taken = await picture(session, fullPage);
  return taken.ok ? ok({ ...taken.value, auditId: recorded.value }) : taken;
}

/** A picture; the session may be paused. */
export async function picture(
  session: Session,
  fullPage: boolean,
): Promise<Result<Screenshot, EnclaveRefusal>> {
  const taken = await session.ending.before(session.browser.screenshot(fullPage));
  if (taken === 'over') return fail({ code: 'SESSION_NOT_ACTIVE' });
  return taken.ok ? taken : refuse(taken.error);
}

/** The page's data, reviewed like `extract`, once the record of it is on disk. */
export async function exportPage(
  session: Session,
  parts: OperationParts,
  { actor, selector, format }: Request<'session.export'>,
): Promise<Result<{ auditId: string; body: Buffer }, EnclaveRefusal>> {
  const attempt = attemptOf(session, actor, selector ?? 'body');
  const observation = await observe(session, parts, attempt);
  if (observation === null) return fail({ code: 'SESSION_NOT_ACTIVE' });
  const reviewed = await review(session, parts, attempt, observation);
  if (reviewed === null) return refuse(costly);
  const objection = objectionTo(reviewed);
  const recorded = await session.record({
    eventType: objection === null ? 'sandbox_operation' : 'policy_rejected',
    actor,
    detail: {
      ...(objection === null && { phase: 'intent' }),
      operationType: 'export',
      format,
      ...reviewDetail(reviewed),
    },
  });
  if (!recorded.ok) return recorded;
  if (objection !== null) return refuse(objection);
  const read = await session.ending.before(session.browser.read(selector ?? null));
  if (read === 'over') return fail({ code: 'SESSION_NOT_ACTIVE' });
  if (!read.ok) return refuse(read.error);
  const body = Buffer.from(exported[format](read.value));
  return body.length <= maxExportBytes ? ok({ auditId: recorded.value, body }) : refuse(tooLarge);
}

const costly: OperationProblem = {
  code: 'timeout',
  message: 'To look at the page took too much time or memory. Name a part of it with selector.',
};

/** Leaves room in a frame. */
const maxExportBytes = 8_000_000;

const tooLarge: OperationProblem = {
  code: 'not_permitted',
  message: 'The export would have more than 8 MB. Name a part of the page with selector.',
};

const attemptOf = (session: Session, actor: string, selector: string): Attempt => ({
  operationId: randomUUID(),
  operation: { operation_type: 'extract', selector },
  actor,
  meant: null,
  stored: null,
  startedAt: session.clock.elapsed(),
  approvedBy: null,
});

/** An export cannot wait for a person. Where the owner's task names one, reading much is what it is for. */
function objectionTo({ facts, review: { rules } }: Reviewed): OperationProblem | null {
  const isNamed = facts.session.task.some((kind) => kind === 'bulk_export' || kind === 'mass_reading');
  const found = rules.find(
    ({ rule, verdict }) => verdict !== 'allow' && !(isNamed && readsMuch.has(rule) && verdict === 'ask'),
  );
  if (found === undefined) return null;
  const hint =
    found.verdict === 'ask' ? ' An export cannot wait for a person: use extract, or a smaller part.' : '';
  return { code: 'not_permitted', message: found.message + hint };
}

const readsMuch = new Set(['intent.mass_reading', 'sensitive.mass_reading']);
