import { z } from 'zod';
import { kycStatus, kytDecision, riskLevel } from '../dashboard/compliance.ts';
import { assuranceErrorCodes, complianceReasonCodes, type GatewayCode, stageOf, stages } from './codes.ts';

const time = z.iso.datetime();

/** What screening one party came to (document 1, ComplianceDecision). Look-ups that gave no answer leave null. */
export const complianceDecision = z.object({
  serviceId: z.string(),
  toolName: z.string(),
  counterparty: z.string(),
  passed: z.boolean(),
  reasonCode: z.enum(complianceReasonCodes),
  message: z.string(),
  checkedAt: time,
  kycStatus: z.nullable(kycStatus),
  kytDecision: z.nullable(kytDecision),
  kytRiskLevel: z.nullable(riskLevel),
  kytRiskScore: z.nullable(z.number()),
});
export type ComplianceDecision = z.infer<typeof complianceDecision>;

/** What the mandate checks came to (document 1, AssuranceResult). */
export const assuranceResult = z.object({
  passed: z.boolean(),
  errorCode: z.enum(assuranceErrorCodes).optional(),
  errorMessage: z.string().optional(),
  checkedAt: time,
  mandateId: z.string().optional(),
});
export type AssuranceResult = z.infer<typeof assuranceResult>;

/** The result of every `call_service_tool` (document 1, GatewayEnvelope). */
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
  }),
});
export type GatewayEnvelope = z.infer<typeof gatewayEnvelope>;
export type EnvelopeDetail = GatewayEnvelope['detail'];
