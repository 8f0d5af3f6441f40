import { fail, ok, type Result } from '@countersign/protocol/result';
import type { VaultCode } from '@countersign/protocol/vault/codes';
import type { vaultRoutes } from '@countersign/protocol/vault/routes';
import { type AnyInput, requestOf } from '../api/call.ts';
import type { AnswerIn, EndpointIn, InputIn } from '../api/endpoint.ts';
import type { Problem } from '../api/problem.ts';
import { vaultUrl } from './location.ts';

type Routes = typeof vaultRoutes;

/** An endpoint of the vault, typed by the protocol's route table. */
export type VaultEndpoint = EndpointIn<Routes>;
export type VaultInput<E extends VaultEndpoint> = InputIn<Routes, E>;
export type VaultAnswer<E extends VaultEndpoint> = AnswerIn<Routes, E>;

/** Asks the vault, with a token where one is needed. Never throws: a refusal and a silence are values too. */
export async function askVaultServer<E extends VaultEndpoint>(
  endpoint: E,
  input: VaultInput<E>,
  about: { readonly token?: string; readonly signal?: AbortSignal } = {},
): Promise<Result<VaultAnswer<E>, Problem>> {
  const { path, request } = requestOf(endpoint, input as AnyInput);
  const headers = { ...request.headers, ...(about.token && { authorization: `Bearer ${about.token}` }) };
  try {
    const url = new URL(path, vaultUrl() ?? window.location.origin);
    // Never a cookie: the token alone says who asks.
    return read(await fetch(url, { ...request, headers, credentials: 'omit', signal: about.signal ?? null }));
  } catch {
    return fail({ kind: 'unreachable', service: 'vault' });
  }
}

async function read<T>(response: Response): Promise<Result<T, Problem>> {
  const requestId = response.headers.get('x-request-id');
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  if (response.ok && !isJson) return ok((await response.text()) as T);
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return ok(answer as T);
  if (!isRefusal(answer)) return fail({ kind: 'malformed', service: 'vault', requestId });
  return fail({ kind: 'refused', code: answer.error.code, msg: answer.error.message, requestId });
}

const isRefusal = (value: unknown): value is { error: { code: VaultCode; message: string } } =>
  typeof value === 'object' &&
  value !== null &&
  'error' in value &&
  typeof value.error === 'object' &&
  value.error !== null &&
  'code' in value.error &&
  'message' in value.error;
