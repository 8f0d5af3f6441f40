import type { Payee, PayeeFile } from '@countersign/protocol/dashboard/payees';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { ask } from '../api/queries.ts';
import { SaidFirst, TakeBack } from '../compliance/first-word.tsx';
import { WithReason } from '../compliance/with-reason.tsx';
import { PayeeChecks } from '../kyb/provider-checks.tsx';
import { rejectionsIn } from '../kyb/rejections-in.ts';
import { useSession } from '../session/session.ts';
import { WholeAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { DomainSays } from './domain-says.tsx';
import { EraseFile, Evidence } from './evidence.tsx';
import { ChangePayee, outdated } from './payee-form.tsx';
import { nameOf, RecordFacts } from './record-facts.tsx';

type Props = { readonly id: string; readonly onClose: () => void };

/** Shows one record: its facts, the proposed change, and an operator's actions. */
export function PayeeSheet({ id, onClose }: Props) {
  const found = useQuery(ask('GET /api/payees/:id', { params: { id } }));
  const [doing, setDoing] = useState<Deed | null>(null);
  const payee = found.data?.payee;
  if (payee !== undefined && doing !== null) return <Doing payee={payee} what={doing} onClose={onClose} />;
  const ways =
    payee === undefined || payee.state === 'withdrawn' ? undefined : (
      <Ways payee={payee} onDo={setDoing} onDone={onClose} />
    );
  return (
    <Sheet title={payee === undefined ? 'Payee' : nameOf(payee)} onClose={onClose} actions={ways}>
      <Loaded query={found} skeleton={<BoneRows />}>
        {({ payee: shown }) => <Whole payee={shown} onErase={setDoing} />}
      </Loaded>
    </Sheet>
  );
}

/** A file is to be erased. */
type Deed = 'change' | 'withdraw' | PayeeFile;
type DoingProps = { readonly payee: Payee; readonly what: Deed; readonly onClose: () => void };

function Doing({ payee, what, onClose }: DoingProps) {
  if (what === 'change') return <ChangePayee payee={payee} onClose={onClose} />;
  if (what === 'withdraw') return <WithdrawPayee payee={payee} onClose={onClose} />;
  return <EraseFile payee={payee} file={what} onClose={onClose} />;
}

type WholeProps = { readonly payee: Payee; readonly onErase: (file: PayeeFile) => void };

function Whole({ payee, onErase }: WholeProps) {
  const { proposal, withdrawal, state } = payee;
  const newest = proposal ?? payee;
  return (
    <div className="grid gap-6">
      {withdrawal !== null && (
        <Notice tone="bad">
          <p className="[overflow-wrap:anywhere]">
            Withdrawn on <Time at={withdrawal.at} />: <Verbatim text={withdrawal.reason} />
          </p>
        </Notice>
      )}
      {state === 'expired' && (
        <Notice tone="warn">It has expired, so payments are refused. Change the last day to renew it.</Notice>
      )}
      <RecordFacts payee={payee} version={payee} />
      {proposal !== null && proposal.firstWord !== null && (
        <SaidFirst word={proposal.firstWord} wish="admitted it" />
      )}
      {proposal !== null && state !== 'waiting' && (
        <section aria-label="Proposed change">
          <h3 className="text-base">Proposed change</h3>
          <RecordFacts payee={null} version={proposal} />
        </section>
      )}
      <DomainSays payee={payee} />
      <PayeeChecks
        key={newest.version}
        id={payee.id}
        checks={payee.checks}
        registryNumbers={newest.registryNumbers}
        version={state === 'withdrawn' ? null : newest.version}
      />
      <CameFrom payee={payee} />
      <Evidence payee={payee} onErase={onErase} />
    </div>
  );
}

/** Shows the submission that the record was made from, if a business submitted itself. */
function CameFrom({ payee: { submission } }: { readonly payee: Payee }) {
  if (submission === null) return null;
  return (
    <section aria-label="Submission">
      <h3 className="text-base">Submission</h3>
      <Facts>
        <Fact name="Submitted by">
          <WholeAddress value={submission.walletAddress} name="wallet" />
        </Fact>
      </Facts>
      <Link
        to="/compliance"
        search={{ view: 'businesses', submission: submission.id }}
        className="font-medium text-accent-ink underline-offset-4 hover:underline"
      >
        Open the submission
      </Link>
    </section>
  );
}

type WaysProps = {
  readonly payee: Payee;
  readonly onDo: (what: 'change' | 'withdraw') => void;
  readonly onDone: () => void;
};

/** Offers an operator's actions. Whoever decided first may retract that, but not decide twice. */
function Ways({ payee: { id, proposal, checks }, onDo, onDone }: WaysProps) {
  const { account } = useSession();
  const { busy, problem, run } = useDeed('POST /api/payees/:id/admit', ...outdated);
  const spoke = proposal?.firstWord?.by === account.walletAddress;
  const agree = async (version: number) => {
    const done = await run({ params: { id }, body: { version, seenRejections: rejectionsIn(checks) } });
    if (done === null) return;
    const waits = done.payee.proposal !== null;
    const text = waits ? 'Recorded. A second operator must agree.' : `${done.payee.legalName} is admitted.`;
    showToast({ tone: 'ok', text });
    onDone();
  };
  return (
    <>
      {problem !== null && <p className="w-full text-sm text-bad">{problem}</p>}
      {spoke && <TakeBack deed="admit-payee" subject={id} onDone={onDone} />}
      <Button kind="danger" onClick={() => onDo('withdraw')}>
        Withdraw
      </Button>
      <Button onClick={() => onDo('change')}>Change</Button>
      {proposal !== null && !spoke && (
        <Button kind="primary" busy={busy} onClick={() => void agree(proposal.version)}>
          Agree
        </Button>
      )}
    </>
  );
}

/** Stops every payment to the addresses of a record from now on. */
function WithdrawPayee({ payee: { id, legalName }, onClose }: { payee: Payee; onClose: () => void }) {
  const deed = useDeed('POST /api/payees/:id/withdraw', ...outdated);
  const withdraw = async (reason: string) => {
    if ((await deed.run({ params: { id }, body: { reason } })) === null) return;
    showToast({ tone: 'ok', text: 'Withdrawn. Payments to its addresses are refused from now on.' });
    onClose();
  };
  return (
    <WithReason
      title={`Withdraw ${legalName}?`}
      name="Withdraw payee"
      deed={deed}
      onReason={withdraw}
      onClose={onClose}
    >
      <p className="text-sm text-pretty text-muted">
        Payments to its addresses are refused immediately. This cannot be undone: to pay this business again,
        admit it again.
      </p>
    </WithReason>
  );
}
