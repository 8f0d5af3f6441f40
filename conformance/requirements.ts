import { controlPlaneAccessRequirements } from './requirements/control-plane/access.ts';
import { controlPlaneConsoleRequirements } from './requirements/control-plane/console.ts';
import { controlPlaneExecutionRequirements } from './requirements/control-plane/executions.ts';
import { controlPlanePolicyRequirements } from './requirements/control-plane/policies.ts';
import { dashboardAccountRequirements } from './requirements/dashboard/accounts.ts';
import { dashboardApprovalRequirements } from './requirements/dashboard/approvals.ts';
import { dashboardConsoleRequirements } from './requirements/dashboard/console.ts';
import { dashboardCorrectionRequirements } from './requirements/dashboard/corrections.ts';
import { dashboardPersonalRequirements } from './requirements/dashboard/personal.ts';
import { dashboardCredentialRequirements } from './requirements/dashboard/credentials.ts';
import { dashboardErrorRequirements } from './requirements/dashboard/errors.ts';
import { dashboardHoldRequirements } from './requirements/dashboard/holds.ts';
import { dashboardMandateRequirements } from './requirements/dashboard/mandates.ts';
import { dashboardPolicyRequirements } from './requirements/dashboard/policy.ts';
import { dashboardScreeningRequirements } from './requirements/dashboard/screening.ts';
import { dashboardTransactionRequirements } from './requirements/dashboard/transactions.ts';
import { gatewayApprovalRequirements } from './requirements/gateway/approval.ts';
import { gatewayAttackRequirements } from './requirements/gateway/attacks.ts';
import { gatewayCheckRequirements } from './requirements/gateway/checks.ts';
import { gatewayCodeRequirements } from './requirements/gateway/codes.ts';
import { gatewayConfigurationRequirements } from './requirements/gateway/configuration.ts';
import { gatewayPayingRequirements } from './requirements/gateway/paying.ts';
import { gatewayProxyRequirements } from './requirements/gateway/proxy.ts';
import { gatewayToolRequirements } from './requirements/gateway/tools.ts';
import type { Requirement } from './requirements/requirement.ts';
import { systemLocalRequirements } from './requirements/system/local.ts';
import { systemProductionRequirements } from './requirements/system/production.ts';
import { systemSdkRequirements } from './requirements/system/sdk.ts';
import { systemServiceRequirements } from './requirements/system/service.ts';
import { systemStartRequirements } from './requirements/system/start.ts';
import { vaultAuditRequirements } from './requirements/vault/audit.ts';
import { vaultAuditStoreRequirements } from './requirements/vault/audit-store.ts';
import { vaultConsoleRequirements } from './requirements/vault/console.ts';
import { vaultCredentialRequirements } from './requirements/vault/credentials.ts';
import { vaultAttestationRequirements } from './requirements/vault/attestation.ts';
import { vaultEnclaveRequirements } from './requirements/vault/enclave.ts';
import { vaultIsolationRequirements } from './requirements/vault/isolation.ts';
import { vaultMaskingRequirements } from './requirements/vault/masking.ts';
import { vaultOperationRequirements } from './requirements/vault/operations.ts';
import { vaultReadingRequirements } from './requirements/vault/reading.ts';
import { vaultReviewRequirements } from './requirements/vault/review.ts';
import { vaultSandboxRequirements } from './requirements/vault/sandbox.ts';
import { vaultTokenRequirements } from './requirements/vault/tokens.ts';

// A list of lists: one list of so many literals is more than the compiler compares.
const areas: readonly (readonly Requirement[])[] = [
  systemStartRequirements,
  systemLocalRequirements,
  systemServiceRequirements,
  systemProductionRequirements,
  systemSdkRequirements,
  gatewayConfigurationRequirements,
  gatewayToolRequirements,
  gatewayCheckRequirements,
  gatewayCodeRequirements,
  gatewayPayingRequirements,
  gatewayProxyRequirements,
  gatewayApprovalRequirements,
  gatewayAttackRequirements,
  dashboardErrorRequirements,
  dashboardAccountRequirements,
  dashboardMandateRequirements,
  dashboardHoldRequirements,
  dashboardPolicyRequirements,
  dashboardCredentialRequirements,
  dashboardTransactionRequirements,
  dashboardScreeningRequirements,
  dashboardCorrectionRequirements,
  dashboardPersonalRequirements,
  dashboardApprovalRequirements,
  dashboardConsoleRequirements,
  vaultAttestationRequirements,
  vaultEnclaveRequirements,
  vaultTokenRequirements,
  vaultConsoleRequirements,
  vaultCredentialRequirements,
  vaultSandboxRequirements,
  vaultIsolationRequirements,
  vaultMaskingRequirements,
  vaultOperationRequirements,
  vaultReadingRequirements,
  vaultReviewRequirements,
  vaultAuditRequirements,
  vaultAuditStoreRequirements,
  controlPlaneAccessRequirements,
  controlPlanePolicyRequirements,
  controlPlaneExecutionRequirements,
  controlPlaneConsoleRequirements,
];

/** Every statement of the three documents and of our pages: what a stranger may hold us to. */
export const requirements: readonly Requirement[] = areas.flat();
