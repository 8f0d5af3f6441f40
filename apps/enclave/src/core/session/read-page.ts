import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { sessionCommands } from '@countersign/protocol/enclave/session-commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { LeftOnce } from '@countersign/protocol/vault/left';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import { exportObjection } from '@countersign/review/export-objection';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Screenshot } from '../browser/browser.ts';
import type { Attempt } from './operation/attempt.ts';
import { observe, type OperationParts } from './operation/execute.ts';
import { review } from './operation/review.ts';
import { type Reviewed, reviewDetail } from './operation/reviewed.ts';
import { exported } from './export.ts';
import { type LeftParts, recordLeft, tellLeft } from './left.ts';
import { type Who, whoOf } from './records.ts';
import type { Session } from './session.ts';

type Request<C extends 'session.screenshot' | 'session.export'> = z.output<
  (typeof sessionCommands)[C]['request']
>;

const refuse = (problem: OperationProblem): { ok: false; error: EnclaveRefusal } =>
  fail({ code: 'OPERATION_FAILED', problem });

type PageRead = { readonly operationId: string; readonly auditId: string; readonly left: LeftOnce };

/** A picture of the page, once the records that it is taken and what leaves are on disk. */
export async function takeScreenshot(
  session: Session,
  parts: LeftParts,
  { fullPage, ...request }: Request<'session.screenshot'>,
): Promise<Result<Screenshot & PageRead, EnclaveRefusal>> {
  const who = whoOf(request);
  const operationId = randomUUID();
  const about = { operationType: 'screenshot', operationId };
  const recorded = await session.record({
    eventType: 'sandbox_operation',
    who,
    detail: { phase: 'intent', ...about, fullPage },
  });
  if (!recorded.ok) return recorded;
  const intent = recorded.value;
  // The page is made higher for it, and hears of that.
  if (fullPage) session.hands += 1;
  const taken = await picture(session, fullPage);
  if (!taken.ok) return failed(session, who, { ...about, intent }, taken.error);
  const { png } = taken.value;
  const leaving = { what: 'screenshot', mediaType: 'image/png', operationId, intent, bytes: png } as const;
  const left = await recordLeft(session, parts, who, leaving);
  if (!left.ok) return left;
  const operation = { operation_type: 'screenshot', full_page: fullPage } as const;
  tellLeft(session, who, { operationId, operation, intent }, left.value);
  return ok({ ...taken.value, operationId, auditId: intent, left: left.value });
}

/** Records that nothing left after all. */
async function failed(
  session: Session,
  who: Who,
  about: Readonly<Record<string, string>> & { readonly operationId: string },
  why: EnclaveRefusal,
): Promise<{ ok: false; error: EnclaveRefusal }> {
  const problem = why.problem?.code ?? 'interrupted';
  const detail = { phase: 'outcome', ...about, status: 'failed', problem };
  const recorded = await session.record({ eventType: 'sandbox_operation', who, detail });
  return recorded.ok ? named(why, about.operationId) : recorded;
}

/** Adds the operation's id to a refusal, under which the records list it. */
const named = (why: EnclaveRefusal, operationId: string): { ok: false; error: EnclaveRefusal } =>
  fail(why.problem === undefined ? why : { ...why, operationId });

/** A picture; the session may be paused. */
export async function picture(
  session: Session,
  fullPage: boolean,
): Promise<Result<Screenshot, EnclaveRefusal>> {
  const taken = await session.ending.before(session.browser.screenshot(fullPage));
  if (taken === 'over') return fail({ code: 'SESSION_NOT_ACTIVE' });
  return taken.ok ? taken : refuse(taken.error);
}

/** The page's data, reviewed like `extract`, once the records of it and of what leaves are on disk. */
export async function exportPage(
  session: Session,
  parts: OperationParts,
  { selector, format, ...request }: Request<'session.export'>,
): Promise<Result<PageRead & { body: Buffer }, EnclaveRefusal>> {
  const attempt = attemptOf(session, whoOf(request), selector ?? 'body');
  const { who, operationId } = attempt;
  const observation = await observe(session, parts, attempt);
  if (observation === null) return fail({ code: 'SESSION_NOT_ACTIVE' });
  const reviewed = await review(session, parts, attempt, observation);
  if (reviewed === null) return named(refuse(costly).error, operationId);
  const objection = objectionTo(reviewed);
  const about = { operationType: 'export', operationId };
  const recorded = await session.record({
    eventType: objection === null ? 'sandbox_operation' : 'policy_rejected',
    who,
    detail: {
      ...(objection === null && { phase: 'intent' }),
      ...about,
      format,
      ...reviewDetail(reviewed),
    },
  });
  if (!recorded.ok) return recorded;
  if (objection !== null) return named(refuse(objection).error, operationId);
  const intent = recorded.value;
  const body = await bodyOf(session, selector ?? null, format);
  if (!body.ok) return failed(session, who, { ...about, intent }, body.error);
  const bytes = body.value;
  const leaving = { what: 'export', mediaType: mediaTypes[format], operationId, intent, bytes } as const;
  const left = await recordLeft(session, parts, who, leaving);
  if (!left.ok) return left;
  const asked = { ...(selector !== undefined && { selector }), format };
  const operation = { operation_type: 'export', ...asked } as const;
  tellLeft(session, who, { operationId, operation, intent }, left.value);
  return ok({ operationId, auditId: intent, left: left.value, body: bytes });
}

async function bodyOf(
  session: Session,
  selector: string | null,
  format: Request<'session.export'>['format'],
): Promise<Result<Buffer, EnclaveRefusal>> {
  const read = await session.ending.before(session.browser.read(selector));
  if (read === 'over') return fail({ code: 'SESSION_NOT_ACTIVE' });
  if (!read.ok) return refuse(read.error);
  const body = Buffer.from(exported[format](read.value));
  return body.length <= maxExportBytes ? ok(body) : refuse(tooLarge);
}

const mediaTypes = { json: 'application/json', csv: 'text/csv', text: 'text/plain' } as const;

const costly: OperationProblem = {
  code: 'timeout',
  message: 'Reading the page took too much time or memory. Select a part of it with selector.',
};

/** Leaves room in a frame. */
const maxExportBytes = 8_000_000;

const tooLarge: OperationProblem = {
  code: 'not_permitted',
  message: 'The export would exceed 8 MB. Select a part of the page with selector.',
};

const attemptOf = (session: Session, who: Who, selector: string): Attempt => ({
  operationId: randomUUID(),
  operation: { operation_type: 'extract', selector },
  who,
  meant: null,
  stored: null,
  startedAt: session.clock.elapsed(),
  approvedBy: null,
});

function objectionTo({ facts, review: { rules } }: Reviewed): OperationProblem | null {
  const found = exportObjection(facts, rules);
  if (found === null) return null;
  const hint =
    found.verdict === 'ask' ? ' An export cannot wait for a person: use extract, or a smaller part.' : '';
  return { code: 'not_permitted', message: found.message + hint };
}
