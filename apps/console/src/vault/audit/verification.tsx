import { fail, ok, type Result } from '@countersign/protocol/result';
import { useQuery } from '@tanstack/react-query';
import { Anchor as Anchored } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../api/deed.ts';
import type { Problem } from '../../api/problem.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Ticks } from '../../ui/ticks.tsx';
import { Time } from '../../ui/time.tsx';
import { callVault } from '../call.ts';
import type { VaultAnswer } from '../http.ts';
import { enclaveReport } from '../report.ts';
import { type Anchor, lastAnchor } from './anchor.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import type { AuditRecord } from './page.tsx';

type Verdict = VaultAnswer<'POST /api/v1/audit/logs/:id/verify'> & {
  readonly checkpoint: Checkpoint;
  readonly anchor: Anchor | null;
};

async function verify(id: string): Promise<Result<Verdict, Problem>> {
  const verdict = await callVault('POST /api/v1/audit/logs/:id/verify', { params: { id } });
  if (!verdict.ok) return verdict;
  const note = await callVault('GET /api/v1/audit/checkpoint', {});
  if (!note.ok) return note;
  const checkpoint = readCheckpoint(note.value);
  if (checkpoint === null) return fail({ kind: 'malformed', service: 'vault', requestId: null });
  return ok({ ...verdict.value, checkpoint, anchor: await lastAnchor() });
}

/** Has the vault recompute signature, chain and path of a record, and says against what. */
export function Verification({ record }: { record: AuditRecord }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { busy, problem, run } = useAct(verify);
  const check = async () => setVerdict(await run(record.auditId));
  return (
    <div role="status" className="rounded-md border border-line px-4 py-4">
      {verdict === null ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-muted">Has it been changed since?</p>
          <Button busy={busy} onClick={() => void check()}>
            Verify
          </Button>
        </div>
      ) : (
        <Found verdict={verdict} record={record} />
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </div>
  );
}

function Found({ verdict, record }: { verdict: Verdict; record: AuditRecord }) {
  const { signatureValid, chainHashValid, merklePathValid, checkpoint, anchor } = verdict;
  const isAnchored = anchor !== null && anchor.size > record.leafIndex;
  return (
    <div className="grid gap-3">
      <Ticks
        ticks={[
          { says: 'Signed by the enclave’s audit key', holds: signatureValid },
          { says: `Follows unbroken from your first record to number ${record.seq}`, holds: chainHashValid },
          { says: 'Stands in the tree of the newest checkpoint', holds: merklePathValid },
        ]}
      />
      <p className="flex items-start gap-2 text-sm">
        <Anchored
          aria-hidden="true"
          className={`mt-0.5 size-4 shrink-0 ${isAnchored ? 'text-ok' : 'text-muted'}`}
        />
        {isAnchored ? (
          <span className="text-ok">
            On chain since <Time at={anchor.at} />, in the root of the first {anchor.size} records
          </span>
        ) : (
          <span className="text-muted">Not on chain yet: the next root that is published will cover it.</span>
        )}
      </p>
      <p className="border-t border-line pt-3 text-sm text-pretty text-muted">
        Checkpoint of {checkpoint.size} records of {checkpoint.origin}, root{' '}
        <Address value={checkpoint.root} name="root" />
      </p>
      <Offline />
    </div>
  );
}

/** The vault computed the above itself; this is for whoever believes nobody. */
function Offline() {
  const key = useQuery(enclaveReport).data?.report.auditPublicKey;
  if (key === undefined) return null;
  return (
    <div className="text-sm text-muted">
      <p className="text-pretty">Check it without the vault: download the proof, and run</p>
      <code className="mt-1.5 block rounded-md bg-sunken px-3 py-2 font-mono text-xs leading-5 break-all text-ink">
        countersign audit verify FILE --key {key} --rpc URL --anchor ADDRESS
      </code>
    </div>
  );
}
