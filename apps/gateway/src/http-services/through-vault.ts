import { maxRequestMs, type requestProblem, requestRoutes } from '@countersign/protocol/vault/request-routes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { type Cancellation, toAbortSignal } from '@countersign/service/cancellation';
import { createClient } from '@countersign/service/client';
import { CredentialRefused } from '../downstream/failure.ts';
import { HttpTransportError } from '../downstream/posted-request.ts';
import type { z } from 'zod';
import type { GatewayConfig } from '../config.ts';
import type { Answer, Limit } from './ask.ts';
import type { Send } from './host.ts';
import { carriesPayment } from './payment-headers.ts';
import type { CredentialSetting } from './settings.ts';

/** The vault, as far as requests leave through it. */
export type ThroughVault = {
  /** Sends with this credential in its headers, which nobody here sees. */
  readonly with: (credential: CredentialSetting) => Send;
  readonly close: () => Promise<void>;
};

/** The enclave stops before we do, so that it can still tell what it has. */
const marginMs = 500;
/** 4 MiB in base64, and what is told beside it. */
const maxAnswerBytes = 7 * 1024 * 1024;

/** Connects to the vault with a token that may use credentials, and cannot see one. */
export function throughVault(
  { baseUrl, token }: NonNullable<GatewayConfig['vault']>,
  times: Pick<GatewayConfig, 'downstreamTimeoutMs' | 'paymentTimeoutMs'>,
): ThroughVault {
  const longestMs = Math.max(times.downstreamTimeoutMs, times.paymentTimeoutMs);
  const client = createClient(requestRoutes, vaultDialect, { baseUrl, timeoutMs: longestMs, maxAnswerBytes });
  const send = async (
    { id, headers: templates }: CredentialSetting,
    { origin, method, path, headers, body }: Parameters<Send>[0],
    signal: Cancellation,
  ): Promise<Answer> => {
    const timeoutMs = carriesPayment(headers) ? times.paymentTimeoutMs : times.downstreamTimeoutMs;
    const came = await client.sendRequest({
      params: { id },
      body: {
        method,
        url: origin + path,
        headers,
        credential_headers: templates,
        ...(body !== null && { body }),
        timeout_ms: Math.min(maxRequestMs, Math.ceil(Math.max(timeoutMs / 2, timeoutMs - marginMs))),
      },
      token,
      signal: toAbortSignal(signal),
    });
    // It may have been sent: nobody knows.
    if (came.kind === 'failed') throw new Error('the vault gave no answer');
    if (came.kind === 'refused') throw refusedBy(came);
    const { answer, problem } = came.data;
    if (answer === null) throw problem === null ? new CredentialRefused('nothing') : whyNone(problem);
    return { ...answer, body: Buffer.from(answer.body, 'base64') };
  };
  return {
    with: (credential) => async (request, signal, limit) =>
      within(await send(credential, request, signal), limit),
    close: () => client.close(),
  };
}

/** A vault that failed may have sent it; one that is busy has not, and is well. */
function refusedBy({ status, code, msg }: { status: number; code: string; msg: string }): Error {
  if (code === 'rate_limited') return new HttpTransportError(429, 'the vault asks for fewer requests');
  if (status >= 500) return new Error('the vault failed');
  return new CredentialRefused(`the vault refused: ${code}: ${msg}`);
}

type Problem = z.infer<typeof requestProblem>;

const whyNone = (problem: Problem): Error =>
  problem === 'unreachable' || problem === 'no_answer'
    ? new Error('the service gave no answer')
    : new CredentialRefused(whyRefused[problem]);

const whyRefused: Readonly<Record<Exclude<Problem, 'unreachable' | 'no_answer'>, string>> = {
  private_address: 'the service is at a private address: SANDBOX_ALLOW_PRIVATE of the enclave allows it',
  credential_unusable: 'the credential has no such field, or one that can stand in no header',
  credential_guessable:
    'the credential may have been chosen by a person: only machine-generated keys are sent',
};

/** Truncates a response to the same limit as any other. */
function within(answer: Answer, limit: Limit): Answer {
  const most = limit(answer.status, answer.headers);
  return answer.body.length <= most
    ? answer
    : { ...answer, body: answer.body.subarray(0, most), cut: 'too-large' };
}
