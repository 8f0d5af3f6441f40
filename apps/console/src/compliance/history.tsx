import { Verbatim } from '../ui/verbatim.tsx';
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
  undeny: { tone: 'ok', name: 'Removed from deny list' },
  retract: { tone: 'plain', name: 'Retracted' },
  read: { tone: 'plain', name: 'Viewed payments' },
  'admit-payee': { tone: 'ok', name: 'Payee admitted' },
  'change-payee': { tone: 'warn', name: 'Payee changed' },
  'withdraw-payee': { tone: 'bad', name: 'Payee withdrawn' },
  'turn-payee-away': { tone: 'bad', name: 'Payee turned away' },
  'add-payee-file': { tone: 'plain', name: 'File added' },
  'read-payee-file': { tone: 'plain', name: 'File read' },
  'erase-payee-file': { tone: 'bad', name: 'File erased' },
  'reject-business': { tone: 'bad', name: 'Business rejected' },
  'read-business-file': { tone: 'plain', name: 'Business file read' },
  'check-business': { tone: 'plain', name: 'Checked by a provider' },
};

const columns: readonly Column<HistoryEntry>[] = [
  {
    name: 'Decision',
    cell: ({ deed, effective, reason, at, by }) => (
      <>
        <Badge tone={effective ? looks[deed].tone : 'warn'}>
          {looks[deed].name}
          {!effective && ': 1 of 2'}
        </Badge>
        {reason !== null && (
          <span className="mt-1 block font-normal text-pretty [overflow-wrap:anywhere]">
            <Verbatim text={reason} />
          </span>
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

function About({ entry: { walletAddress, payeeId, detail } }: { entry: HistoryEntry }) {
  if (payeeId !== null)
    return (
      <Link
        to="/compliance"
        search={{ view: 'payees', payee: payeeId }}
        className="font-medium text-accent-ink underline-offset-4 hover:underline"
      >
        Payee record
      </Link>
    );
  if (walletAddress !== null)
    return (
      <span className="whitespace-nowrap">
        <Address value={walletAddress} name="wallet" />
      </span>
    );
  const record = detail?.['transactionId'];
  return (
    <span className="text-muted">
      {typeof record === 'number' ? `Transaction ${record}` : 'All accounts'}
    </span>
  );
}

/** Who decided what, when and why: of everything, of a topic, or of one wallet. Nobody can change it. */
export function ComplianceHistory() {
  const { about, wallet, payee, page = 1 } = useSearch({ from: '/frame/compliance' });
  const body = {
    ...(about && { about }),
    ...(wallet && { walletAddress: wallet }),
    ...(payee && { payeeId: payee }),
    page,
    limit,
  };
  const list = useQuery(ask('POST /api/compliance/history/list', { body }));
  const of = { ...(wallet && { wallet }), ...(payee && { payee }) };
  return (
    <div className="card min-w-0">
      <Tabs label="About">
        <TabLink search={{ view: 'history', ...of }}>All</TabLink>
        <TabLink search={{ view: 'history', about: 'identities', ...of }}>Identities</TabLink>
        <TabLink search={{ view: 'history', about: 'payees', ...of }}>Payees</TabLink>
        <TabLink search={{ view: 'history', about: 'deny-list', ...of }}>Deny list</TabLink>
        <TabLink search={{ view: 'history', about: 'reads', ...of }}>Payment views</TabLink>
      </Tabs>
      {(wallet !== undefined || payee !== undefined) && (
        <p className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3 text-sm">
          {wallet === undefined ? 'Only one payee record' : `Only ${shortAddress(wallet)}`}
          <Link
            to="/compliance"
            search={{ view: 'history', ...(about && { about }) }}
            className="font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            {wallet === undefined ? 'Show all records' : 'Show all wallets'}
          </Link>
        </p>
      )}
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Message icon={HistoryIcon} title="No decisions yet">
                Every operator decision is recorded here permanently.
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
