import { z } from 'zod';
import { kycStatus, kytDecision, riskLevel } from '../dashboard/compliance.ts';
import { assuranceErrorCodes, complianceReasonCodes, type GatewayCode, stageOf, stages } from './codes.ts';

const time = z.iso.datetime();

/** The values after a failed look-up: a word that is not a verdict, and the worst score. */
export const notLookedUp = {
  kycStatus: 'unknown',
  kytDecision: 'unknown',
  kytRiskLevel: 'unknown',
  kytRiskScore: 100,
} as const;

/** The screening result for one party (gateway.envelope.detail.compliance-decision). */
export const complianceDecision = z.object({
  serviceId: z.string(),
  toolName: z.string(),
  counterparty: z.string(),
  passed: z.boolean(),
  reasonCode: z.enum(complianceReasonCodes),
  message: z.string(),
  checkedAt: time,
  kycStatus: z.enum([...kycStatus.options, 'unknown']),
  kytDecision: z.enum([...kytDecision.options, 'unknown']),
  kytRiskLevel: z.enum([...riskLevel.options, 'unknown']),
  kytRiskScore: z.number(),
});
export type ComplianceDecision = z.infer<typeof complianceDecision>;

/** The result of the mandate checks (spec: gateway.assurance-result). */
export const assuranceResult = z.object({
  passed: z.boolean(),
  errorCode: z.enum(assuranceErrorCodes).optional(),
  errorMessage: z.string().optional(),
  checkedAt: time,
  mandateId: z.string().optional(),
});
export type AssuranceResult = z.infer<typeof assuranceResult>;

/** Why a service could not be asked, in our words. */
export const serviceFailure = z.object({
  reason: z.enum([
    'unauthorized',
    'forbidden',
    'redirect',
    'rate_limited',
    'http_error',
    'refused',
    'unreachable',
    'timeout',
    'closed',
    'busy',
    /** The vault did not send the request with the credential of the service. */
    'credential_refused',
    'not_mcp',
  ]),
  httpStatus: z.int().optional(),
  /** Seconds, as the service says. */
  retryAfter: z.int().optional(),
  /** The other host of a redirect, which is not followed. */
  redirectedTo: z.string().optional(),
});
export type ServiceFailure = z.infer<typeof serviceFailure>;

/** The result of every `call_service_tool` (spec: gateway.envelope). */
export const gatewayEnvelope = z.object({
  ok: z.boolean(),
  stage: z.enum(stages),
  code: z.enum(Object.keys(stageOf) as [GatewayCode, ...GatewayCode[]]),
  message: z.string(),
  traceId: z.string(),
  timestamp: time,
  detail: z.object({
    serviceId: z.string(),
    toolName: z.string(),
    paymentMade: z.boolean(),
    paymentResponse: z.nullable(z.record(z.string(), z.unknown())),
    complianceDecision: z.nullable(complianceDecision),
    assuranceResult: z.nullable(assuranceResult),
    payeeComplianceDecision: z.nullable(complianceDecision),
    paymentContext: z.nullable(z.record(z.string(), z.unknown())),
    downstreamContent: z.unknown(),
    /** Only where the tool gave some. */
    downstreamStructuredContent: z.unknown().optional(),
    /** `_meta` of the tool's result, without the settlement, which is `paymentResponse`. */
    downstreamMeta: z.record(z.string(), z.unknown()).optional(),
    /** Why the service could not be asked. */
    downstreamFailure: serviceFailure.optional(),
    /** The JSON-RPC error with which the tool answered instead. */
    downstreamError: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional(),
    /** True when this answer was paid for by an earlier call. */
    replayed: z.boolean().optional(),
  }),
});
export type GatewayEnvelope = z.infer<typeof gatewayEnvelope>;
export type EnvelopeDetail = GatewayEnvelope['detail'];
