import { endedStatus } from '@countersign/protocol/control/execution';
import { digest } from '@countersign/protocol/control/fields';
import { z } from 'zod';
import { signatureText } from '../keys.ts';

const text = z.string();

/** A person's decision. Unknown members are accepted, since later releases may add them. */
const decision = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  approver: text,
  at: text,
  method: text,
  wallet: text.optional(),
  signature: text.optional(),
  batch_id: text.optional(),
});

const sandbox = z.strictObject({
  sandbox_id: text,
  driver: text,
  network: text,
  memory_limit: text,
  seccomp: z.boolean(),
});

const receipt = z.strictObject({
  format: z.literal('countersign-execution-receipt-v1'),
  execution_id: text,
  tenant: text,
  agent: text,
  user_id: text,
  service: text,
  action: text,
  status: endedStatus,
  problem: text.nullable(),
  policy_id: text,
  policy_version: z.int().min(1),
  policy_digest: digest,
  params_hash: digest,
  result_hash: digest.nullable(),
  target_status: z.int().min(0).nullable().optional(),
  hitl_proof: z.array(decision).nullable(),
  jti: text.nullable(),
  sandbox: sandbox.nullable(),
  tee_mrenclave: text,
  started_at: text.nullable(),
  ended_at: text,
});

/** A receipt as it stands in a record: exactly the members and values of docs/spec/audit-log.md, 10, so that all verifiers read the same. */
export const executionReceipt = z.strictObject({ receipt, signature: signatureText });
export type ExecutionReceipt = z.infer<typeof executionReceipt>;
