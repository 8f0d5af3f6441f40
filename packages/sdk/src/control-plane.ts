import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlCode } from '@countersign/protocol/control/codes';
import type { controlCredentialRoutes } from '@countersign/protocol/control/credential-routes';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { ended } from '@countersign/protocol/control/execution';
import type { Execution, executionRoutes } from '@countersign/protocol/control/execution-routes';
import { heldSecret } from '@countersign/protocol/control/held-secret';
import { controlRoutes } from '@countersign/protocol/control/routes';
import type { BodyInputOf, DataOf } from '@countersign/protocol/route';
import {
  type Answer,
  type Ask,
  type CallOptions,
  type Client,
  createClient,
} from '@countersign/service/client';
import { type Attested, enclaveBehind, type SealedAnswer, type Trust } from './attest.ts';
import { seal } from './seal.ts';
import { givenToken, withToken } from './token.ts';

export type ControlPlaneOptions = {
  /** Such as `https://127.0.0.1:4023`. */
  readonly url: string;
  /** An API key; its role says what it may. */
  readonly key: string;
  /** Admins' writes need one; PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** PEM of the authority to believe in place of the public ones. */
  readonly ca?: string;
  /** Which enclave may have secrets; by default none without hardware, and none whose program you did not name. */
  readonly trust?: Trust;
  /** Default two minutes: a synchronous execution is answered when it has ended. */
  readonly timeoutMs?: number;
};

type Credential = typeof controlCredentialRoutes.createCredential;
type NewCredential = Omit<BodyInputOf<Credential>, 'value' | 'sealed_value'> & { readonly value: string };
type Value = typeof controlCredentialRoutes.putCredentialValue;
type NewValue = {
  readonly params: { readonly id: string };
  readonly body: { readonly value: string };
} & CallOptions;
type Routes = Omit<
  Client<typeof controlRoutes, ControlCode>,
  'createCredential' | 'putCredentialValue' | 'createExecution'
>;
type Execute = Ask<typeof executionRoutes.createExecution, ControlCode>;

export type Waiting = {
  readonly params: { readonly execution_id: string };
  /** Default five minutes; then `failed`, `timeout`, and the execution goes on. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
};

/** Every endpoint of the control plane, by the name that its route has. */
export type ControlPlane = Routes & {
  /**
   * Seals `value` for the enclave, once that is attested: the API process never sees it. Where `type` is one of the vault's,
   * `value` may be the JSON text of its fields, such as `{"username": …, "password": …}`.
   */
  readonly createCredential: (
    input: { readonly body: NewCredential } & CallOptions,
  ) => Promise<SealedAnswer<DataOf<Credential>, ControlCode>>;
  /** Seals a new `value` in the same way, as what the credential is kept as. */
  readonly putCredentialValue: (input: NewValue) => Promise<SealedAnswer<DataOf<Value>, ControlCode>>;
  /**
   * Each call is an execution of its own, unless it repeats the `idempotencyKey` of another: then it gets that one's
   * answer. The key comes with every answer, so that one that failed can be asked again without doing it twice.
   */
  readonly createExecution: (
    input: Parameters<Execute>[0] & { readonly idempotencyKey?: string },
  ) => Promise<Awaited<ReturnType<Execute>> & { readonly idempotencyKey: string }>;
  /** Asks until the execution has ended, however it did. */
  readonly waitForExecution: (about: Waiting) => Promise<Answer<Execution, ControlCode>>;
  readonly attest: () => Promise<Answer<Attested, ControlCode>>;
};

/** A control plane, for whoever has this key. */
export function connectControlPlane(options: ControlPlaneOptions): ControlPlane {
  const { url, key, certificate, ca, trust, timeoutMs = 120_000 } = options;
  const tls = { ...(ca && { ca }), ...certificate };
  const client = createClient(controlRoutes, controlDialect, { baseUrl: new URL(url), timeoutMs, tls });
  const tokens = givenToken<ControlCode>(key);
  const plane = withToken(client, controlRoutes, { auth: 'key', tokens, ended: 'unauthorized' });
  const { attest, sealKey } = enclaveBehind(client.attestationReport, trust);
  return {
    ...plane,
    attest,
    async createCredential({ body: { value, ...about }, ...call }) {
      const sealTo = await sealKey();
      if (sealTo.kind !== 'ok') return sealTo;
      const { data } = heldSecret(about.type, value);
      const body = { ...about, sealed_value: await seal(sealTo.data, data) };
      return plane.createCredential({ ...call, body });
    },
    async putCredentialValue({ params, body: { value }, ...call }) {
      const sealTo = await sealKey();
      if (sealTo.kind !== 'ok') return sealTo;
      const about = await plane.getCredential({ ...call, params });
      if (about.kind !== 'ok') return about;
      const { data } = heldSecret(about.data.type, value);
      const body = { sealed_value: await seal(sealTo.data, data) };
      return plane.putCredentialValue({ ...call, params, body });
    },
    async createExecution({ idempotencyKey = randomUUID(), ...call }) {
      const headers = { ...call.headers, 'idempotency-key': idempotencyKey };
      return { ...(await plane.createExecution({ ...call, headers })), idempotencyKey };
    },
    waitForExecution: (about) => untilEnded(plane.getExecution, about),
  };
}

type Get = Ask<typeof executionRoutes.getExecution, ControlCode>;

/** A server that is busy or away for a moment is asked again. */
async function untilEnded(
  get: Get,
  { params, deadlineMs = 300_000, signal }: Waiting,
): Promise<Awaited<ReturnType<Get>>> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const over = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const answer = await get({ params, signal: over });
    const isLast =
      answer.kind === 'ok' ? hasEnded(answer.data) : answer.kind === 'refused' && !isBusy(answer.code);
    if (isLast) return answer;
    const isOver = await sleep(pauseMs, false, { signal: over }).catch(() => true);
    if (isOver) return { kind: 'failed', asked: answer.asked, why: signal?.aborted ? 'aborted' : 'timeout' };
  }
}

const firstPauseMs = 200;
const maxPauseMs = 3_000;
const hasEnded = ({ status }: Execution): boolean => ended.some((one) => one === status);
const isBusy = (code: string): boolean => code === 'rate_limited' || code === 'not_ready';
