/** What happened, as people say it. */
const names: Readonly<Record<string, string>> = {
  session_initiated: 'Browser session begun',
  credential_access: 'Credential opened',
  sandbox_operation: 'Operation in a browser session',
  policy_rejected: 'Refused by policy',
  human_approval_requested: 'Approval asked for',
  human_approval_received: 'Approval answered',
  session_closed: 'Browser session closed',
  signer_rotated: 'Signing key changed',
};

export const eventName = (eventType: string): string => names[eventType] ?? eventType;
