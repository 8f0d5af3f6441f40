import { fail, ok, type Result } from '@countersign/protocol/result';
import type { VaultCode } from '@countersign/protocol/vault/codes';
import type { vaultRoutes } from '@countersign/protocol/vault/routes';
import { type AnyInput, requestOf } from '../api/call.ts';
import type { AnswerIn, EndpointIn, InputIn } from '../api/endpoint.ts';
import type { Problem } from '../api/problem.ts';
import { relayedUnder, vaultUrl } from './location.ts';

type Routes = typeof vaultRoutes;

/** An endpoint of the vault, typed by the protocol's route table. */
export type VaultEndpoint = EndpointIn<Routes>;
export type VaultInput<E extends VaultEndpoint> = InputIn<Routes, E>;
export type VaultAnswer<E extends VaultEndpoint> = AnswerIn<Routes, E>;

/** Asks the vault, with a token where one is needed. Never throws: a refusal and a silence are values too. */
export async function askVaultServer<E extends VaultEndpoint>(
  endpoint: E,
  input: VaultInput<E>,
  about: About = {},
): Promise<Result<VaultAnswer<E>, Problem>> {
  try {
    return read(await sent(endpoint, input, about));
  } catch {
    return fail(unreachable);
  }
}

/** The same for an answer that is lines of text: they are handed over as they come, until one is enough. */
export async function askVaultLines<E extends VaultEndpoint>(
  endpoint: E,
  input: VaultInput<E>,
  about: About & { readonly isEnough: (line: string) => boolean },
): Promise<Result<null, Problem>> {
  try {
    const response = await sent(endpoint, input, about);
    if (!response.ok || response.body === null) return read(response);
    // What reads lines knows the schema of records, which no first page needs.
    const { readLines } = await import('./lines.ts');
    await readLines(response.body, about.isEnough);
    return ok(null);
  } catch {
    return fail(unreachable);
  }
}

/** Returns the vault's name for whoever is signed in to the console; null if it does not accept them. */
export async function whoIsSignedIn(): Promise<Result<{ readonly username: string | null }, Problem>> {
  try {
    return await read(await fetch(`${relayedUnder}/session`, { credentials: 'same-origin' }));
  } catch {
    return fail(unreachable);
  }
}

/** `token` null: the console's session stands for one, and the dashboard hands the question on. */
type About = { readonly token?: string | null; readonly signal?: AbortSignal };

const unreachable = { kind: 'unreachable', service: 'vault' } as const;

function sent<E extends VaultEndpoint>(endpoint: E, input: VaultInput<E>, about: About): Promise<Response> {
  const { path, request } = requestOf(endpoint, input as AnyInput);
  const headers = { ...request.headers, ...(about.token && { authorization: `Bearer ${about.token}` }) };
  const url = new URL(path, vaultUrl() ?? window.location.origin);
  const signal = about.signal ?? null;
  if (about.token === null)
    return fetch(relayedUnder + path, { ...request, credentials: 'same-origin', signal });
  // Never a cookie: the token alone says who asks.
  return fetch(url, { ...request, headers, credentials: 'omit', signal });
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
