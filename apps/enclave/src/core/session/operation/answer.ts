import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok, type Result } from '@countersign/protocol/result';
import type { LeftOnce } from '@countersign/protocol/vault/left';
import { type LeftParts, recordLeft } from '../left.ts';
import type { Session } from '../session.ts';
import type { Attempt } from './attempt.ts';
import type { Reviewed } from './reviewed.ts';

/**
 * What is read is masked before anything is made of it. A script that acted has seen the page itself: with credentials its
 * answer is masked; without, it could have read all there is, so that to compare anything that can be guessed with a secret from here on
 * would hide nothing and tell which guess is right.
 */
export async function answerOf(
  { about, worker }: Session,
  { script }: Reviewed,
  answer: unknown,
): Promise<unknown> {
  if (script?.kind !== 'acts') return answer;
  if (about.credentials.length === 0) worker.forget();
  return worker.ask('json', answer).catch(() => null);
}

/** Puts on record what is about to be answered of the page; null where that is nothing. */
export async function leave(
  session: Session,
  parts: LeftParts,
  { operation, operationId, who }: Attempt,
  { intent, result }: { readonly intent: string; readonly result: unknown },
): Promise<Result<LeftOnce | null, EnclaveRefusal>> {
  if (result === null || result === undefined) return ok(null);
  const isText = operation.operation_type === 'extract' && typeof result === 'string';
  return recordLeft(session, parts, who, {
    what: operation.operation_type === 'extract' ? 'extract' : 'script_result',
    mediaType: isText ? 'text/plain' : 'application/json',
    operationId,
    intent,
    bytes: Buffer.from(isText ? result : JSON.stringify(result)),
  });
}
