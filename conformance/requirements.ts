import { controlPlaneAccessRequirements } from './requirements/control-plane/access.ts';
import { controlPlaneConsoleRequirements } from './requirements/control-plane/console.ts';
import { controlPlaneExecutionRequirements } from './requirements/control-plane/executions.ts';
import { controlPlaneRotationRequirements } from './requirements/control-plane/rotations.ts';
import { controlPlaneOutcomeRequirements } from './requirements/control-plane/outcomes.ts';
import { controlPlanePeopleRequirements } from './requirements/control-plane/people.ts';
import { controlPlanePolicyRequirements } from './requirements/control-plane/policies.ts';
import { dashboardAccountRequirements } from './requirements/dashboard/accounts.ts';
import { dashboardAgentRequirements } from './requirements/dashboard/agents.ts';
import { dashboardKeyRequirements } from './requirements/dashboard/keys.ts';
import { dashboardRecoveryRequirements } from './requirements/dashboard/recovery.ts';
import { consolePeopleRequirements, dashboardPeopleRequirements } from './requirements/dashboard/people.ts';
import {
  consoleProviderLoginRequirements,
  dashboardProviderLoginRequirements,
} from './requirements/dashboard/provider-login.ts';
import { dashboardApprovalRequirements } from './requirements/dashboard/approvals.ts';
import { dashboardConsoleRequirements } from './requirements/dashboard/console.ts';
import { dashboardConsoleAgentRequirements } from './requirements/dashboard/console-agents.ts';
import { dashboardCorrectionRequirements } from './requirements/dashboard/corrections.ts';
import { dashboardOauthRequirements } from './requirements/dashboard/oauth.ts';
import { dashboardPersonalRequirements } from './requirements/dashboard/personal.ts';
import { dashboardCredentialRequirements } from './requirements/dashboard/credentials.ts';
import { dashboardErrorRequirements } from './requirements/dashboard/errors.ts';
import { dashboardHoldRequirements } from './requirements/dashboard/holds.ts';
import { dashboardMandateRequirements } from './requirements/dashboard/mandates.ts';
import { dashboardPayeeRequirements } from './requirements/dashboard/payees.ts';
import { dashboardPolicyRequirements } from './requirements/dashboard/policy.ts';
import { dashboardScreeningRequirements } from './requirements/dashboard/screening.ts';
import { dashboardTransactionRequirements } from './requirements/dashboard/transactions.ts';
import { gatewayApprovalRequirements } from './requirements/gateway/approval.ts';
import { gatewayAttackRequirements } from './requirements/gateway/attacks.ts';
import { gatewayCheckRequirements } from './requirements/gateway/checks.ts';
import { gatewayCodeRequirements } from './requirements/gateway/codes.ts';
import { gatewayConfigurationRequirements } from './requirements/gateway/configuration.ts';
import { gatewayHttpServiceRequirements } from './requirements/gateway/http-services.ts';
import { gatewayOauthRequirements } from './requirements/gateway/oauth.ts';
import { gatewayMppRequirements } from './requirements/gateway/mpp.ts';
import { gatewayPermit2Requirements } from './requirements/gateway/permit2.ts';
import { gatewayOfferRequirements } from './requirements/gateway/offers.ts';
import { gatewayPayingRequirements } from './requirements/gateway/paying.ts';
import { gatewayProxyRequirements } from './requirements/gateway/proxy.ts';
import { gatewayToolRequirements } from './requirements/gateway/tools.ts';
import type { Requirement } from './requirements/requirement.ts';
import { systemDoorRequirements } from './requirements/system/door.ts';
import { systemLocalRequirements } from './requirements/system/local.ts';
import { systemOneSignInRequirements } from './requirements/system/one-sign-in.ts';
import { systemPackageRequirements } from './requirements/system/packages.ts';
import { systemProductionRequirements } from './requirements/system/production.ts';
import { systemSdkRequirements } from './requirements/system/sdk.ts';
import { systemServiceRequirements } from './requirements/system/service.ts';
import { systemSiteRequirements } from './requirements/system/site.ts';
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
import { vaultPeopleRequirements } from './requirements/vault/people.ts';
import { vaultReadingRequirements } from './requirements/vault/reading.ts';
import { vaultReviewRequirements } from './requirements/vault/review.ts';
import { vaultRequestRequirements } from './requirements/vault/requests.ts';
import { vaultSandboxRequirements } from './requirements/vault/sandbox.ts';
import { vaultTokenRequirements } from './requirements/vault/tokens.ts';

export type Section = {
  /** Name of the page under `docs/spec`. */
  readonly page: 'system' | 'gateway' | 'dashboard' | 'vault' | 'control-plane';
  readonly title: string;
  readonly requirements: readonly Requirement[];
};

/** What a stranger may hold us to, in the order of the specification. */
export const sections: readonly Section[] = [
  { page: 'system', title: '`npm start`', requirements: systemStartRequirements },
  { page: 'system', title: 'The local demo', requirements: systemLocalRequirements },
  { page: 'system', title: 'The console of the demo', requirements: systemDoorRequirements },
  { page: 'system', title: 'One sign-in', requirements: systemOneSignInRequirements },
  { page: 'system', title: 'Every process', requirements: systemServiceRequirements },
  { page: 'system', title: 'Deployment', requirements: systemProductionRequirements },
  { page: 'system', title: 'Packages and clients', requirements: systemPackageRequirements },
  { page: 'system', title: 'Documentation', requirements: systemSiteRequirements },
  { page: 'system', title: 'SDK and examples', requirements: systemSdkRequirements },
  { page: 'gateway', title: 'Configuration and connections', requirements: gatewayConfigurationRequirements },
  { page: 'gateway', title: 'The two tools', requirements: gatewayToolRequirements },
  { page: 'gateway', title: 'Clients that connect by OAuth', requirements: gatewayOauthRequirements },
  { page: 'gateway', title: 'Screening, cart and mandate', requirements: gatewayCheckRequirements },
  { page: 'gateway', title: 'Signed offers and rights', requirements: gatewayOfferRequirements },
  { page: 'gateway', title: 'Challenges of MPP', requirements: gatewayMppRequirements },
  { page: 'gateway', title: 'Permit2 and upto', requirements: gatewayPermit2Requirements },
  { page: 'gateway', title: 'Codes', requirements: gatewayCodeRequirements },
  { page: 'gateway', title: 'Payment', requirements: gatewayPayingRequirements },
  { page: 'gateway', title: 'Faithful proxy', requirements: gatewayProxyRequirements },
  { page: 'gateway', title: 'HTTP services', requirements: gatewayHttpServiceRequirements },
  { page: 'gateway', title: 'Approvals, dry runs and receipts', requirements: gatewayApprovalRequirements },
  { page: 'gateway', title: 'Attacks', requirements: gatewayAttackRequirements },
  { page: 'dashboard', title: 'Envelope and errors', requirements: dashboardErrorRequirements },
  { page: 'dashboard', title: 'Accounts, sessions and keys', requirements: dashboardAccountRequirements },
  { page: 'dashboard', title: 'Scopes of API keys', requirements: dashboardKeyRequirements },
  { page: 'dashboard', title: 'People and roles', requirements: dashboardPeopleRequirements },
  { page: 'dashboard', title: 'Recovery of a lost wallet', requirements: dashboardRecoveryRequirements },
  {
    page: 'dashboard',
    title: 'Sign-in through a provider',
    requirements: [...dashboardProviderLoginRequirements, ...consoleProviderLoginRequirements],
  },
  { page: 'dashboard', title: 'People in the console', requirements: consolePeopleRequirements },
  { page: 'dashboard', title: 'Agent wallets', requirements: dashboardAgentRequirements },
  { page: 'dashboard', title: 'Connected clients', requirements: dashboardOauthRequirements },
  { page: 'dashboard', title: 'Mandates', requirements: dashboardMandateRequirements },
  { page: 'dashboard', title: 'Holds', requirements: dashboardHoldRequirements },
  { page: 'dashboard', title: 'Policies and alerts', requirements: dashboardPolicyRequirements },
  { page: 'dashboard', title: 'Mandate credential', requirements: dashboardCredentialRequirements },
  { page: 'dashboard', title: 'Transaction log', requirements: dashboardTransactionRequirements },
  { page: 'dashboard', title: 'Screening', requirements: dashboardScreeningRequirements },
  { page: 'dashboard', title: 'Compliance decisions', requirements: dashboardCorrectionRequirements },
  { page: 'dashboard', title: 'Payees', requirements: dashboardPayeeRequirements },
  { page: 'dashboard', title: 'Personal data', requirements: dashboardPersonalRequirements },
  { page: 'dashboard', title: 'Approvals and events', requirements: dashboardApprovalRequirements },
  { page: 'dashboard', title: 'Console', requirements: dashboardConsoleRequirements },
  { page: 'dashboard', title: 'Console: agents', requirements: dashboardConsoleAgentRequirements },
  { page: 'vault', title: 'Attestation', requirements: vaultAttestationRequirements },
  { page: 'vault', title: 'Enclave', requirements: vaultEnclaveRequirements },
  { page: 'vault', title: 'Users, tokens and scopes', requirements: vaultTokenRequirements },
  { page: 'vault', title: 'People of a dashboard', requirements: vaultPeopleRequirements },
  { page: 'vault', title: 'Console', requirements: vaultConsoleRequirements },
  { page: 'vault', title: 'Credentials', requirements: vaultCredentialRequirements },
  { page: 'vault', title: 'Requests with a credential', requirements: vaultRequestRequirements },
  { page: 'vault', title: 'Browser sessions', requirements: vaultSandboxRequirements },
  { page: 'vault', title: 'Isolation and decoys', requirements: vaultIsolationRequirements },
  { page: 'vault', title: 'Masking', requirements: vaultMaskingRequirements },
  { page: 'vault', title: 'Operations', requirements: vaultOperationRequirements },
  { page: 'vault', title: 'Reading pages', requirements: vaultReadingRequirements },
  { page: 'vault', title: 'Review', requirements: vaultReviewRequirements },
  { page: 'vault', title: 'Audit log', requirements: vaultAuditRequirements },
  { page: 'vault', title: 'Storage of the audit log', requirements: vaultAuditStoreRequirements },
  {
    page: 'control-plane',
    title: 'Access, credentials and connectors',
    requirements: controlPlaneAccessRequirements,
  },
  { page: 'control-plane', title: 'Policies and approvals', requirements: controlPlanePolicyRequirements },
  { page: 'control-plane', title: 'People of a dashboard', requirements: controlPlanePeopleRequirements },
  { page: 'control-plane', title: 'Executions', requirements: controlPlaneExecutionRequirements },
  { page: 'control-plane', title: 'Credential rotation', requirements: controlPlaneRotationRequirements },
  { page: 'control-plane', title: 'Outcomes', requirements: controlPlaneOutcomeRequirements },
  { page: 'control-plane', title: 'Console', requirements: controlPlaneConsoleRequirements },
];

export const requirements: readonly Requirement[] = sections.flatMap((section) => section.requirements);
