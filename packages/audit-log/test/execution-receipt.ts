import type { Receipt } from '@countersign/protocol/control/execution';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';
import type { Signer } from '../src/keys.ts';
import { signReceipt } from '../src/receipt.ts';
import { draft } from './sample-records.ts';

const hashOf = (letter: string): string => `sha256:${letter.repeat(64)}`;

export const receipt: Receipt = {
  format: 'countersign-execution-receipt-v1',
  execution_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  tenant: 'tnt_a',
  agent: 'agent',
  user_id: 'user-1',
  service: 'payroll',
  action: 'pay',
  status: 'completed',
  problem: null,
  policy_id: 'pol-1',
  policy_version: 1,
  policy_digest: hashOf('a'),
  params_hash: hashOf('b'),
  result_hash: hashOf('c'),
  hitl_proof: null,
  jti: '1f8fad5b-d9cb-469f-a165-70867728950e',
  sandbox: null,
  tee_mrenclave: 'sim:00',
  started_at: '2026-11-21T10:00:00.000Z',
  ended_at: '2026-11-21T10:00:01.000Z',
};

/** The record of an end; `about` is what it says otherwise than its receipt. */
export function endedRecord(signer: Signer, about: Record<string, unknown> = {}): RecordDraft {
  const { signature } = signReceipt(receipt, signer);
  const { execution_id, user_id, service, action, policy_id, policy_version, policy_digest } = receipt;
  const { params_hash, status, problem, tee_mrenclave } = receipt;
  const what = { execution_id, user_id, service, action, params_hash, status, problem, tee_mrenclave };
  const policy = { policy_id, policy_version, policy_digest };
  const detail = { ...what, ...policy, execution_receipt: { receipt, signature }, ...about };
  return draft({ eventType: 'execution_ended', detail });
}
