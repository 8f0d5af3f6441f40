/** What happened, as people say it. */
const names: Readonly<Record<string, string>> = {
  session_initiated: 'Browser session begun',
  credential_access: 'Credential opened',
  sandbox_operation: 'Operation in a browser session',
  policy_rejected: 'Refused by policy',
  human_approval_requested: 'Approval asked for',
  human_approval_received: 'Approval answered',
  session_closed: 'Browser session closed',
  policy_created: 'Policy made',
  policy_bound: 'Policy bound to a credential',
  credential_created: 'Credential kept',
  key_created: 'Key made',
  key_revoked: 'Key revoked',
  connector_created: 'Connector made',
  connector_deleted: 'Connector deleted',
  batch_created: 'Actions approved in advance',
  batch_revoked: 'Approval in advance revoked',
  execution_requested: 'Action asked for',
  execution_started: 'Action begun',
  execution_ended: 'Action ended',
  signer_rotated: 'Signing key changed',
};

export const eventName = (eventType: string): string => names[eventType] ?? eventType;
