import type { Address } from '@countersign/protocol/address';
import { riskLevelNumber } from '@countersign/protocol/dashboard/compliance';
import type { ComplianceReasonCode, GatewayCode } from '@countersign/protocol/gateway/codes';
import { type ComplianceDecision, notLookedUp } from '@countersign/protocol/gateway/envelope';
import type { ComplianceVerdict } from '../../rules/verdicts.ts';
import type { CompliancePort } from '../../ports/dashboard.ts';
import type { ToolCall } from '../../ports/tool-call.ts';

type Screened = Pick<ToolCall, 'serviceId' | 'toolName' | 'span'>;

/**
 * Screens both parties, KYC and KYT all at once: the caller waits for the slowest look-up, not for their sum. Behind an
 * agent wallet stands its owner: that person's KYC counts, and the worse KYT of both wallets.
 */
export async function checkCompliance(
  port: CompliancePort,
  call: Screened,
  parties: { readonly payer: Address; readonly owner: Address | null; readonly payee: Address },
  now: () => number,
): Promise<ComplianceVerdict> {
  const [payer, payee] = await Promise.all([
    screen(port, call, parties, now),
    screen(port, call, { payer: parties.payee, owner: null }, now),
  ]);
  const refusal = refusalOf('PAYER', payer.reasonCode) ?? refusalOf('PAYEE', payee.reasonCode);
  return { payer, payee, refusal };
}

async function screen(
  port: CompliancePort,
  call: Screened,
  { payer: party, owner }: { readonly payer: Address; readonly owner: Address | null },
  now: () => number,
): Promise<ComplianceDecision> {
  const [kyc, ownKyt, ownersKyt] = await Promise.all([
    port.kyc(owner ?? party, call.span),
    port.kyt(party, call.span),
    owner === null ? null : port.kyt(owner, call.span),
  ]);
  const kyt = ownersKyt === null ? ownKyt : worse(ownKyt, ownersKyt);
  const reasonCode = reasonOf(kyc, kyt);
  const kytAnswer = kyt.kind === 'answer' ? kyt.answer : null;
  return {
    serviceId: call.serviceId,
    toolName: call.toolName,
    counterparty: party,
    passed: reasonCode === 'APPROVED',
    reasonCode,
    message: messages[reasonCode],
    checkedAt: new Date(now()).toISOString(),
    kycStatus: kyc.kind === 'answer' ? kyc.answer.kycStatus : notLookedUp.kycStatus,
    kytDecision: kytAnswer?.decision ?? notLookedUp.kytDecision,
    kytRiskLevel: kytAnswer?.riskLevel ?? notLookedUp.kytRiskLevel,
    kytRiskScore: kytAnswer?.riskScore ?? notLookedUp.kytRiskScore,
  };
}

type Kyc = Awaited<ReturnType<CompliancePort['kyc']>>;
type Kyt = Awaited<ReturnType<CompliancePort['kyt']>>;

/** No answer is worse than any, a rejection worse than a pass, and then the higher level of risk. */
function worse(one: Kyt, other: Kyt): Kyt {
  if (one.kind === 'not-configured' || other.kind === 'not-configured') return { kind: 'not-configured' };
  if (one.kind === 'unavailable' || other.kind === 'unavailable') return { kind: 'unavailable' };
  const rejects = ({ answer }: typeof one): number => (answer.decision === 'pass' ? 0 : 1);
  const difference =
    rejects(other) - rejects(one) ||
    riskLevelNumber(other.answer.riskLevel) - riskLevelNumber(one.answer.riskLevel);
  return difference > 0 ? other : one;
}

/** The first reason against a party, KYT before KYC; a look-up without an answer is a reason too. */
function reasonOf(kyc: Kyc, kyt: Kyt): ComplianceReasonCode {
  if (kyt.kind === 'not-configured' || kyc.kind === 'not-configured') return 'COMPLIANCE_NOT_CONFIGURED';
  if (kyt.kind === 'unavailable') return 'COMPLIANCE_API_ERROR';
  if (kyt.answer.decision !== 'pass') return 'KYT_REJECTED';
  if (kyc.kind === 'unavailable') return 'COMPLIANCE_API_ERROR';
  if (kyc.kind === 'not-found') return 'KYC_NOT_FOUND';
  return kyc.answer.kycStatus === 'approved' && kyc.answer.kycCompleted ? 'APPROVED' : 'KYC_NOT_APPROVED';
}

function refusalOf(side: 'PAYER' | 'PAYEE', reason: ComplianceReasonCode): GatewayCode | null {
  switch (reason) {
    case 'APPROVED':
      return null;
    case 'KYC_NOT_APPROVED':
    case 'KYC_NOT_FOUND':
      return `${side}_KYC_NOT_APPROVED`;
    case 'KYT_REJECTED':
      return `${side}_KYT_REJECTED`;
    case 'COMPLIANCE_API_ERROR':
    case 'COMPLIANCE_NOT_CONFIGURED':
      return reason;
  }
}

const messages = {
  APPROVED: 'KYC is approved and KYT passes.',
  KYC_NOT_APPROVED: 'KYC of this party is not approved.',
  KYC_NOT_FOUND: 'This party has no KYC record.',
  KYT_REJECTED: 'KYT rejects this wallet.',
  COMPLIANCE_API_ERROR: 'A screening look-up gave no trustworthy answer.',
  COMPLIANCE_NOT_CONFIGURED: 'Screening is not configured.',
} satisfies Record<ComplianceReasonCode, string>;
