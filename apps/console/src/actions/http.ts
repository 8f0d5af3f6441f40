import type { batchRoutes } from '@countersign/protocol/control/batch-routes';
import type { controlCredentialRoutes } from '@countersign/protocol/control/credential-routes';
import type { ControlCode } from '@countersign/protocol/control/codes';
import type { decisionRoutes } from '@countersign/protocol/control/decision-routes';
import type { executionRoutes } from '@countersign/protocol/control/execution-routes';
import type { policyRoutes } from '@countersign/protocol/control/policy-routes';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type AnyInput, requestOf } from '../api/call.ts';
import type { AnswerIn, EndpointIn, InputIn } from '../api/endpoint.ts';
import type { Problem } from '../api/problem.ts';
import { controlPath } from './location.ts';

type Routes = typeof executionRoutes &
  typeof decisionRoutes &
  typeof batchRoutes &
  typeof policyRoutes &
  Pick<typeof controlCredentialRoutes, 'listCredentials'>;

/** An endpoint of the control plane, typed by the protocol's route tables. */
export type ControlEndpoint = EndpointIn<Routes>;
export type ControlInput<E extends ControlEndpoint> = InputIn<Routes, E>;
export type ControlAnswer<E extends ControlEndpoint> = AnswerIn<Routes, E>;

/** Asks the control plane through the dashboard, with an API key; null: as who is signed in to the console. Never throws: a refusal and a silence are values too. */
export async function askControlPlane<E extends ControlEndpoint>(
  endpoint: E,
  input: ControlInput<E>,
  { key, signal = null }: { readonly key: string | null; readonly signal?: AbortSignal | null },
): Promise<Result<ControlAnswer<E>, Problem>> {
  const { path, request } = requestOf(endpoint, input as AnyInput);
  try {
    const url = `${controlPath() ?? ''}${path}`;
    if (key === null) return read(await fetch(url, { ...request, credentials: 'same-origin', signal }));
    // Never a cookie: the key alone says who asks.
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    return read(await fetch(url, { ...request, headers, credentials: 'omit', signal }));
  } catch {
    return fail({ kind: 'unreachable', service: 'control plane' });
  }
}

/**
 * Returns the control plane's name for whoever is signed in to the console; null if it does not accept them.
 */
export async function whoIsSignedIn(): Promise<Result<{ readonly name: string | null }, Problem>> {
  try {
    return await read(await fetch(`${controlPath() ?? ''}/session`, { credentials: 'same-origin' }));
  } catch {
    return fail({ kind: 'unreachable', service: 'control plane' });
  }
}

async function read<T>(response: Response): Promise<Result<T, Problem>> {
  const requestId = response.headers.get('x-request-id');
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return ok(answer as T);
  if (!isRefusal(answer)) return fail({ kind: 'malformed', service: 'control plane', requestId });
  return fail({ kind: 'refused', code: answer.code, msg: answer.detail, requestId });
}

/** Problem details (RFC 9457). */
const isRefusal = (value: unknown): value is { code: ControlCode; detail: string } =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
