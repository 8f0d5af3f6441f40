import { hash } from 'node:crypto';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { canonicalText, firstPrevChainHash, seal } from '../src/chain.ts';
import { logIdOf, signCheckpoint } from '../src/checkpoint.ts';
import type { Signer } from '../src/keys.ts';
import { type ProofBundle, signBundle } from '../src/proof-bundle.ts';
import { signTenantHead } from '../src/tenant-head.ts';
import { emptyRoot, leafHash } from '../src/tree-hash.ts';
import { receipt } from './execution-receipt.ts';
import { origin } from './open-logs.ts';
import { casesOfKeys, keysOf } from './vector-cases-of-keys.ts';

/** A file with the verdict on it by the keys that are given, of which there may be none: a line of `cases.jsonl`. */
export type VectorCase = {
  readonly name: string;
  readonly verdict: 'good' | 'bad' | 'incomplete' | 'simulated';
  readonly keys: readonly string[];
  readonly file: string;
};

/** What the log's own key has signed, right or wrong: a verifier must not leave any of it to that key. */
export function vectorCases(
  signer: Signer,
  others: readonly [Signer, Signer, Signer],
): readonly VectorCase[] {
  const own = [...ofNoRecords(signer), ...ofRecords(signer), ...ofReceipts(signer)];
  const rows = [...own.map((row) => [...row, [signer]] as const), ...casesOfKeys([signer, ...others])];
  return rows.map(([name, verdict, file, by]) => ({ name, verdict, keys: keysOf(by), file }));
}

type Row = readonly [name: string, verdict: VectorCase['verdict'], file: string];

const at = '2026-11-21T10:00:00.000Z';

function ofNoRecords(signer: Signer): readonly Row[] {
  const checkpoint = signCheckpoint({ origin, size: 0, root: Buffer.from(emptyRoot) }, signer);
  const said = { checkpoint, attestation: null };
  const head = { tenantId: 'tnt_a', seq: 0, chainHash: firstPrevChainHash, at };
  const exported = (about: object) =>
    `${JSON.stringify({ ...said, tenantHead: signTenantHead(head, said, signer), inclusion: [], anchor: null, ...about })}\n`;
  return [
    ['an export of no records', 'good', exported({})],
    ['an export of no records, with an inclusion', 'bad', exported({ inclusion: ['0'.repeat(64)] })],
  ];
}

function ofRecords(signer: Signer): readonly Row[] {
  const named = (tenantId: string) => bundleOf(recordOf(signer, { tenantId }), signer);
  const elsewhere = { prevChainHash: '1'.repeat(64) };
  return [
    ['a name of 512 characters, of two UTF-16 units each', 'good', named('𝄞'.repeat(512))],
    ['a name of 513 characters', 'bad', named('a'.repeat(513))],
    ['a second record alone', 'good', bundleOf(recordOf(signer, { ...elsewhere, seq: 2 }), signer)],
    ['a first record that follows another', 'bad', bundleOf(recordOf(signer, elsewhere), signer)],
  ];
}

const approval = { decision: 'approve', approver: 'cfo', at, method: 'key' };
const wallet = { wallet: `0x${'a'.repeat(40)}`, signature: `0x${'b'.repeat(130)}`, batch_id: 'b-1' };
const sandbox = { sandbox_id: 's-1', driver: 'next', network: 'none', memory_limit: 'cgroup', seccomp: true };

/** Receipts as they may be, and one wrong member at a time; each says the same as its record. */
function ofReceipts(signer: Signer): readonly Row[] {
  const of = (about: object) => bundleOf(endedRecord(signer, about), signer);
  const good: readonly (readonly [string, object])[] = [
    ['a receipt', {}],
    [
      'a receipt of later days',
      { target_status: 200, sandbox, hitl_proof: [approval, { ...approval, ...wallet }] },
    ],
    ['a receipt that knows no HTTP', { target_status: null, result_hash: null, jti: null, started_at: null }],
    ['a receipt with ids that are no UUIDs', { execution_id: 'x', policy_id: '', jti: '' }],
    ['a receipt with times of another spelling', { started_at: 'Saturday', ended_at: '' }],
    ['a receipt of a problem of later days', { status: 'failed', problem: 'unheard_of' }],
  ];
  const bad: Readonly<Record<string, readonly unknown[]>> = {
    format: ['countersign-execution-receipt-v2', 1],
    status: ['running', null, 1],
    policy_version: [0, 1.5, '1', 2 ** 53],
    policy_digest: ['a'.repeat(64), `sha256:${'A'.repeat(64)}`, null],
    params_hash: [null],
    result_hash: ['sha256:', 1],
    target_status: ['200', 1.5, -1, true],
    problem: [1, {}],
    agent: [null, 1, ['agent']],
    service: [null],
    jti: [1],
    sandbox: ['bubblewrap', {}, { ...sandbox, seccomp: 1 }, { ...sandbox, more: 1 }],
    hitl_proof: [
      'cfo',
      {},
      [null],
      [{ ...approval, decision: 'maybe' }],
      [{ ...approval, more: 1 }],
      [{ ...approval, wallet: null }],
    ],
    ended_at: [null, 1],
    more: ['a member that nobody knows'],
  };
  return [
    ...good.map(([name, about]): Row => [name, 'good', of(about)]),
    ...Object.entries(bad).flatMap(([member, values]) =>
      values.map(
        (value): Row => [
          `a receipt whose ${member} is ${JSON.stringify(value)}`,
          'bad',
          of({ [member]: value }),
        ],
      ),
    ),
  ];
}

type Body = Omit<AuditRecord, 'chainHash' | 'signature'>;

/** The only record of its log. */
function recordOf(
  signer: Signer,
  about: Partial<Body>,
): { readonly record: AuditRecord; readonly text: string } {
  const body = {
    auditId: `aud_${logIdOf(origin).toString('hex', 0, 4)}_0`,
    seq: 1,
    leafIndex: 0,
    eventType: 'session_initiated',
    tenantId: 'tnt_a',
    actor: 'user:usr_1',
    detail: {},
    at,
    tee: { kind: 'tdx', trust: 'hardware' },
    prevChainHash: firstPrevChainHash,
    ...about,
  } as const;
  return seal(body, signer);
}

function endedRecord(signer: Signer, about: object) {
  const own: Record<string, unknown> = { ...receipt, ...about };
  const digest = hash('sha256', `countersign-execution-receipt-v1${canonicalText(own)}`, 'buffer');
  const execution_receipt = { receipt: own, signature: signer.sign(digest).toString('base64') };
  const apart = [
    'format',
    'tenant',
    'agent',
    'result_hash',
    'jti',
    'sandbox',
    'started_at',
    'ended_at',
    'target_status',
  ];
  const same = Object.fromEntries(Object.entries(own).filter(([member]) => !apart.includes(member)));
  return recordOf(signer, { eventType: 'execution_ended', detail: { ...same, execution_receipt } });
}

function bundleOf({ record, text }: ReturnType<typeof recordOf>, signer: Signer): string {
  const root = Buffer.from(leafHash(text));
  const bundle: Omit<ProofBundle, 'signature'> = {
    format: 'countersign-proof-bundle-v1',
    records: [{ record, inclusion: [] }],
    checkpoint: signCheckpoint({ origin, size: 1, root }, signer),
    anchor: null,
    attestation: null,
  };
  return signBundle(bundle, signer);
}
