import { hash, randomUUID } from 'node:crypto';
import type { ActionTokenClaims } from '@countersign/protocol/control/execution';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import type { RunEnd } from '../src/core/connector-runs/connector.ts';

/** RFC 8785 text: its members stand in their order. */
export const paramsText = '{"amount":12,"to":"Ada Byron"}';

export const digestOf = (text: string): string => `sha256:${hash('sha256', text)}`;

type Asked = CommandRequest<'control.mint'>['claims'];

export const claimsOf = (about: Partial<Asked> = {}): Asked => ({
  sub: { tenant: 'acme', agent: 'key:service:agent', user: 'user-1' },
  aud: 'payroll',
  execution_id: randomUUID(),
  policy_id: 'pol-1',
  policy_version: 3,
  action: 'pay',
  params_hash: digestOf(paramsText),
  hitl_confirmed: false,
  risk_tier: 'low',
  ...about,
});

/** A token that the enclave minted. */
export async function minted(
  client: EnclaveClient,
  about: Partial<Asked> = {},
): Promise<{ readonly token: string; readonly claims: ActionTokenClaims }> {
  const answer = await client.call('control.mint', { claims: claimsOf(about) });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply;
}

type RunRequest = CommandRequest<'control.run'>;

/** Asks for the run that claims are for. */
export const runOf = (
  { sub, ...claims }: Asked,
  token: string,
  about: Partial<RunRequest> = {},
): RunRequest => ({
  tenantId: sub.tenant,
  executionId: claims.execution_id,
  userId: sub.user,
  agent: sub.agent,
  service: claims.aud,
  action: claims.action,
  policyId: claims.policy_id,
  policyVersion: claims.policy_version,
  policyDigest: digestOf('policy'),
  riskTier: claims.risk_tier,
  hitlProof: null,
  token,
  connector: { type: 'http', definition: {} },
  safeToRetry: false,
  cutOffBefore: false,
  allowPrivate: false,
  timeoutMs: 10_000,
  ...about,
});

/** What ends the same execution. */
export const concludeOf = (
  run: RunRequest,
  about: Partial<CommandRequest<'control.conclude'>> = {},
): CommandRequest<'control.conclude'> => {
  const {
    token: _,
    connector: _1,
    credential: _2,
    safeToRetry: _3,
    allowPrivate: _4,
    timeoutMs: _5,
    cutOffBefore: _6,
    ...same
  } = run;
  return {
    ...same,
    paramsHash: digestOf(paramsText),
    status: 'outcome_unknown',
    problem: { code: 'outcome_unknown', message: 'The worker was lost.' },
    actor: 'control-plane',
    ...about,
  };
};

/** A connector that was kept apart well, and is done. */
export const completed = (data: unknown): RunEnd => ({
  ended: 'completed',
  data,
  durationMs: 4.2,
  sandbox: {
    sandbox_id: 'sandbox-1',
    driver: 'unshare',
    network: 'none',
    memory_limit: 'rlimit',
    seccomp: true,
  },
});
