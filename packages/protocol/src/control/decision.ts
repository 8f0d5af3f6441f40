/** The subject of a decision. A signature holds for exactly these values. */
export type Decided = {
  readonly executionId: string;
  readonly policyId: string;
  readonly policyVersion: number;
  readonly service: string;
  readonly action: string;
  /** `sha256:` in hex, as in the execution. */
  readonly paramsHash: string;
  readonly decision: 'approve' | 'deny';
};

/** The signed fields, in this order. */
export const decisionFields = [
  { name: 'executionId', type: 'string' },
  { name: 'policyId', type: 'string' },
  { name: 'policyVersion', type: 'uint256' },
  { name: 'service', type: 'string' },
  { name: 'action', type: 'string' },
  { name: 'paramsHash', type: 'string' },
  { name: 'decision', type: 'string' },
] as const;

/** EIP-712 typed data that a wallet signs as `hitl_proof`. No chain is named: nothing on chain follows from it. */
export const decisionTypedData = (message: Decided) => ({
  domain: { name: 'Countersign', version: '1' },
  primaryType: 'ExecutionDecision' as const,
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
    ],
    ExecutionDecision: decisionFields,
  },
  message,
});
