import type { ComplianceDeed, HistoryEntry } from '@countersign/protocol/dashboard/correction-routes';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { History as HistoryIcon } from 'lucide-react';
import { ask } from '../api/queries.ts';
import { Address, shortAddress } from '../ui/address.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Pager } from '../ui/pager.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { TabLink, Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';

const limit = 20;

const looks: Readonly<Record<ComplianceDeed, { readonly tone: BadgeTone; readonly name: string }>> = {
  approve: { tone: 'ok', name: 'Approved' },
  reject: { tone: 'bad', name: 'Rejected' },
  withdraw: { tone: 'bad', name: 'Withdrawn' },
  restore: { tone: 'ok', name: 'Restored' },
  deny: { tone: 'bad', name: 'Denied' },
  undeny: { tone: 'ok', name: 'Off the deny list' },
  retract: { tone: 'plain', name: 'Word taken back' },
  read: { tone: 'plain', name: 'Looked at payments' },
};

const columns: readonly Column<HistoryEntry>[] = [
  {
    name: 'What',
    cell: ({ deed, effective, reason, at, by }) => (
      <>
        <Badge tone={effective ? looks[deed].tone : 'warn'}>
          {looks[deed].name}
          {!effective && ': first of two'}
        </Badge>
        {reason !== null && (
          <span className="mt-1 block font-normal text-pretty [overflow-wrap:anywhere]">{reason}</span>
        )}
        <span className="mt-1 block font-normal text-muted md:hidden">
          <Time at={at} /> by {shortAddress(by)}
        </span>
      </>
    ),
  },
  { name: 'About', cell: (entry) => <About entry={entry} /> },
  { name: 'By', wide: true, cell: ({ by }) => <Address value={by} name="operator" /> },
  { name: 'When', figures: true, wide: true, cell: ({ at }) => <Time at={at} /> },
];

function About({ entry: { walletAddress, detail } }: { entry: HistoryEntry }) {
  if (walletAddress !== null)
    return (
      <span className="whitespace-nowrap">
        <Address value={walletAddress} name="wallet" />
      </span>
    );
  const record = detail?.['transactionId'];
  return (
    <span className="text-muted">{typeof record === 'number' ? `Transaction ${record}` : 'Everybody'}</span>
  );
}

/** Who decided what, when and why: of everything, of a topic, or of one wallet. Nobody can change it. */
export function ComplianceHistory() {
  const { about, wallet, page = 1 } = useSearch({ from: '/frame/compliance' });
  const body = { ...(about && { about }), ...(wallet && { walletAddress: wallet }), page, limit };
  const list = useQuery(ask('POST /api/compliance/history/list', { body }));
  const of = wallet === undefined ? {} : { wallet };
  return (
    <div className="card min-w-0">
      <Tabs label="About">
        <TabLink search={{ view: 'history', ...of }}>All</TabLink>
        <TabLink search={{ view: 'history', about: 'identities', ...of }}>Identities</TabLink>
        <TabLink search={{ view: 'history', about: 'deny-list', ...of }}>Deny list</TabLink>
        <TabLink search={{ view: 'history', about: 'reads', ...of }}>Looks at payments</TabLink>
      </Tabs>
      {wallet !== undefined && (
        <p className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3 text-sm">
          Of {shortAddress(wallet)} alone
          <Link
            to="/compliance"
            search={{ view: 'history', ...(about && { about }) }}
            className="font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            Show all wallets
          </Link>
        </p>
      )}
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={HistoryIcon} title="Nothing is on record">
                Every decision of an operator appears here, for good.
              </Message>
            ) : (
              <Table caption="Decisions, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
            )}
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
    </div>
  );
}
