import { Verbatim } from '../ui/verbatim.tsx';
import type { Withdrawal } from '@countersign/protocol/dashboard/correction-routes';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { ask } from '../api/queries.ts';
import { useSession } from '../session/session.ts';
import { Address, shortAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Section } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { FirstWordBadge, SaidFirst, TakeBack } from './first-word.tsx';
import { WithReason } from './with-reason.tsx';
import { Withdraw } from './withdraw.tsx';

const limit = 20;

const columnsFor = (restore: (entry: Withdrawal) => void): readonly Column<Withdrawal>[] => [
  {
    name: 'Wallet',
    cell: ({ walletAddress, firstWord }) => (
      <>
        <Address value={walletAddress} name="wallet" />
        {firstWord !== null && <FirstWordBadge />}
      </>
    ),
  },
  {
    name: 'Reason',
    wide: true,
    cell: ({ reason }) => (
      <span className="[overflow-wrap:anywhere]">
        <Verbatim text={reason} />
      </span>
    ),
  },
  { name: 'By', wide: true, cell: ({ withdrawnBy }) => <Address value={withdrawnBy} name="operator" /> },
  { name: 'Since', figures: true, wide: true, cell: ({ withdrawnAt }) => <Time at={withdrawnAt} as="day" /> },
  { name: 'Action', figures: true, cell: (entry) => <Undo entry={entry} onUndo={() => restore(entry)} /> },
];

/** Nobody decides about oneself; whoever has spoken may only take that back. */
function Undo({ entry, onUndo }: { entry: Withdrawal; onUndo: () => void }) {
  const { account } = useSession();
  const { accountId, walletAddress, firstWord } = entry;
  if (accountId === account.id) return <span className="text-muted">Yours</span>;
  if (firstWord?.by === account.walletAddress) return <TakeBack deed="restore" subject={walletAddress} />;
  return (
    <Button kind="quiet" aria-label={`Restore ${shortAddress(walletAddress)}`} onClick={onUndo}>
      Restore
    </Button>
  );
}

/** Whose approval is withdrawn, by whomever they were verified. */
export function Withdrawals() {
  const { page = 1 } = useSearch({ from: '/frame/compliance' });
  const list = useQuery(ask('POST /api/kyc/withdrawals/list', { body: { page, limit } }));
  const [adding, setAdding] = useState(false);
  const [restoring, setRestoring] = useState<Withdrawal | null>(null);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Withdraw an approval
    </Button>
  );
  return (
    <Section title="Withdrawn approvals" actions={add}>
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={UserX} title="No withdrawn approvals">
                A withdrawal overrides every provider until the approval is restored or the person is approved
                again.
              </Message>
            ) : (
              <Table
                caption="Withdrawn approvals, newest first"
                columns={columnsFor(setRestoring)}
                rows={data}
                keyOf={({ accountId }) => accountId}
              />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {adding && <Withdraw wallet={null} onClose={() => setAdding(false)} />}
      {restoring !== null && <Restore entry={restoring} onClose={() => setRestoring(null)} />}
    </Section>
  );
}

function Restore({ entry, onClose }: { entry: Withdrawal; onClose: () => void }) {
  const deed = useDeed('POST /api/kyc/restore', '/api/kyc', '/api/compliance/history');
  const { walletAddress, reason: was, firstWord } = entry;
  const restore = async (reason: string) => {
    const done = await deed.run({ body: { walletAddress, reason } });
    if (done === null) return;
    const text =
      done.firstWord === null
        ? 'Restored. The earlier status applies again.'
        : 'Recorded. It stays withdrawn until a second operator agrees.';
    showToast({ tone: 'ok', text });
    onClose();
  };
  return (
    <WithReason
      title="Restore this approval?"
      name="Restore approval"
      deed={deed}
      onReason={restore}
      onClose={onClose}
    >
      <p className="font-mono text-sm [overflow-wrap:anywhere]">{walletAddress}</p>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">Reason for the withdrawal: {was}</p>
      {firstWord !== null && <SaidFirst word={firstWord} wish="asked to restore it" />}
    </WithReason>
  );
}
