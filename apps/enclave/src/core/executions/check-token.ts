import type { ActionTokenClaims } from '@countersign/protocol/control/execution';
import { isExpired } from './action-token.ts';
import type { RunRequest } from './execution.ts';

/** The run for which a token is presented, and the enclave to which it is presented. */
export type Shown = Omit<RunRequest, 'token' | 'connector' | 'credential'> & {
  /** The hash of the params that would be used. */
  readonly paramsHash: string;
  readonly measurement: string;
  /** Unix milliseconds. What was minted before this process began may have been used then. */
  readonly begun: number;
  readonly now: number;
};

/** The claims that must match, in the order in which they are checked. */
const checks: readonly (readonly [
  name: string,
  agrees: (claims: ActionTokenClaims, shown: Shown) => boolean,
])[] = [
  ['expired', (claims, { now }) => !isExpired(claims, now)],
  ['older-than-enclave', ({ iat }, { begun }) => Date.parse(iat) >= begun],
  ['tenant', ({ sub }, { tenantId }) => sub.tenant === tenantId],
  ['execution', ({ execution_id }, { executionId }) => execution_id === executionId],
  ['agent', ({ sub }, { agent }) => sub.agent === agent],
  ['user', ({ sub }, { userId }) => sub.user === userId],
  ['service', ({ aud }, { service }) => aud === service],
  ['action', ({ action }, shown) => action === shown.action],
  [
    'policy',
    (claims, shown) => claims.policy_id === shown.policyId && claims.policy_version === shown.policyVersion,
  ],
  ['params-hash', ({ params_hash }, { paramsHash }) => params_hash === paramsHash],
  ['hitl', ({ hitl_confirmed }, { hitlProof }) => agreesWith(hitlProof, hitl_confirmed)],
  ['risk-tier', ({ risk_tier }, { riskTier }) => risk_tier === riskTier],
  ['measurement', ({ tee_mrenclave }, { measurement }) => tee_mrenclave === measurement],
];

/** Names the first thing for which a token is not; null where it is for exactly this. Whether it was spent stands apart. */
export const disagreement = (claims: ActionTokenClaims, shown: Shown): string | null =>
  checks.find(([, agrees]) => !agrees(claims, shown))?.[0] ?? null;

/** Confirmed where somebody was asked, and all of them agreed. */
const agreesWith = (proof: Shown['hitlProof'], confirmed: boolean): boolean =>
  confirmed === (proof !== null && proof.length > 0) &&
  (proof ?? []).every(({ decision }) => decision === 'approve');
