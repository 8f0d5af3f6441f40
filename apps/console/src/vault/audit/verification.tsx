import { Anchor as Anchored } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../api/deed.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { legible } from '../../ui/legible.ts';
import { Notice } from '../../ui/notice.tsx';
import { Ticks } from '../../ui/ticks.tsx';
import { Time } from '../../ui/time.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { usePin } from '../verifier/pin.ts';
import { type Verdict, verifyHere } from '../verifier/verify.ts';
import type { AuditRecord } from './record.ts';

/** Recomputes a record in this browser, and says what of it is the vault's word alone. */
export function Verification({ record }: { record: AuditRecord }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { busy, problem, run } = useAct((asked: AuditRecord) => verifyHere(asked, new Date()));
  const check = async () => setVerdict(await run(record));
  return (
    <div role="status" className="rounded-md border border-line px-4 py-4">
      {verdict === null ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-muted">Check whether this record has been changed.</p>
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
  const { problems, head } = verdict;
  if (problems.length > 0 || head === null) {
    return (
      <Notice tone="bad">
        <p className="font-medium">Verification failed. Do not trust this record.</p>
        <ul className="mt-1 grid list-disc gap-1 pl-4">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  return (
    <div className="grid gap-3">
      <CheckedHere verdict={verdict} record={record} />
      <Claimed verdict={verdict} record={record} />
      <p className="border-t border-line pt-3 text-sm text-pretty text-muted">
        Checkpoint of {head.size} records of <Verbatim text={head.origin} />, root{' '}
        <Address value={head.root} name="root" />
      </p>
      <Offline />
    </div>
  );
}

function CheckedHere({ verdict, record }: { verdict: Verdict; record: AuditRecord }) {
  const { pin, chain, byPinned, tenantId } = verdict;
  const walked = `The chain is unbroken from your first record to number ${record.seq}`;
  return (
    <section aria-label="Verified in this browser">
      <h3 className="mb-1.5 text-sm">Verified in this browser</h3>
      <Ticks
        ticks={[
          {
            says: byPinned
              ? 'Signed by the audit log’s pinned key'
              : 'Signed by an audit log key that the pinned key’s endorsements lead to',
            holds: true,
          },
          { says: `Belongs to account ${legible(tenantId ?? '')}`, holds: true },
          ...(chain === 'checked' ? [{ says: walked, holds: true }] : []),
          { says: 'Included in the tree of a checkpoint', holds: true },
        ]}
      />
      <p className="mt-1.5 text-sm text-pretty text-muted">
        Recomputed in this browser, against the key pinned <Time at={pin.since} />
      </p>
    </section>
  );
}

/** Shows claims that were not verified here. */
function Claimed({ verdict: { anchor, chain }, record }: { verdict: Verdict; record: AuditRecord }) {
  const isAnchored = anchor !== null && anchor.size > record.leafIndex;
  return (
    <section aria-label="Reported by the vault, not verified here" className="text-sm text-muted">
      <h3 className="mb-1.5 text-sm text-ink">Reported by the vault, not verified here</h3>
      {chain !== 'checked' && (
        <p>
          {chain === 'claimed' ? 'The vault reports an unbroken chain' : 'The vault reports a broken chain'}{' '}
          from your first record. It is too long to check here.
        </p>
      )}
      <p className="flex items-start gap-2">
        <Anchored aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {isAnchored ? (
          <span>
            On chain since <Time at={anchor.at} />, in the root of the first {anchor.size} records
          </span>
        ) : (
          <span>Not on chain yet. The next published root will cover it.</span>
        )}
      </p>
    </section>
  );
}

/**
 * Explains offline verification, for readers who trust neither the vault nor the dashboard that serves this
 * page.
 */
function Offline() {
  const key = usePin().pin?.key;
  if (key === undefined) return null;
  return (
    <div className="text-sm text-muted">
      <p className="text-pretty">To check this without the page, download the proof and run</p>
      <code className="mt-1.5 block rounded-md bg-sunken px-3 py-2 font-mono text-xs leading-5 break-all text-ink">
        countersign audit verify FILE --key {key} --rpc URL --anchor ADDRESS
      </code>
    </div>
  );
}
