import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ScrollText, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Message } from '../../ui/message.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { Actor, actorSays } from '../actor.tsx';
import { askVault, useVaultDeed } from '../call.ts';
import { VaultPage } from '../vault-page.tsx';
import { KeyWatch } from '../verifier/pinned-key.tsx';
import { AuditFilters } from './filters.tsx';
import { leftIn } from './left-record.tsx';
import { eventName } from './names.ts';
import type { AuditRecord } from './record.ts';
import { RecordSheet } from './record-sheet.tsx';
import { auditFilterOf, isNarrowed } from './search.ts';

const usual = 50;
/** So that the record which the address names is among them. */
const maxShown = 1000;

/** Everything that was done with credentials, signed in the enclave and chained, so that no record can be changed or dropped unseen. */
export function AuditPage() {
  return (
    <VaultPage
      title="Audit log"
      about="Everything done with your credentials. The enclave signs each record and chains it to the one before."
      actions={<ExportButton />}
    >
      <KeyWatch />
      <Listed />
    </VaultPage>
  );
}

function Listed() {
  const search = useSearch({ from: '/frame/vault/audit' });
  const navigate = useNavigate({ from: '/vault/audit' });
  const { record, ...others } = search;
  const { page = 1 } = others;
  const limit = record === undefined ? usual : maxShown;
  const query = { ...auditFilterOf(search), limit, offset: (page - 1) * limit };
  const list = useQuery({
    ...askVault('GET /api/v1/audit/logs', { query }),
    // It may be newer than what was read a moment ago.
    ...(record !== undefined && { staleTime: 0 }),
  });
  const [chosen, open] = useState<AuditRecord | null>(null);
  const opened = chosen ?? list.data?.items.find(({ auditId }) => auditId === record) ?? null;
  const close = () => {
    open(null);
    if (record !== undefined) void navigate({ search: others, replace: true, resetScroll: false });
  };
  return (
    <div className="card min-w-0">
      <AuditFilters />
      <Loaded query={list} skeleton={<BoneRows rows={6} />}>
        {({ items, total }) => (
          <>
            <Records records={items} narrowed={isNarrowed(search)} onOpen={open} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {opened !== null && <RecordSheet record={opened} onClose={close} />}
    </div>
  );
}

const columns = (open: (record: AuditRecord) => void): readonly Column<AuditRecord>[] => [
  {
    name: 'What',
    cell: (record) => (
      <>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => open(record)}
          className="text-left after:absolute after:inset-0"
        >
          {eventName(record.eventType)}
        </button>
        <WhatLeft record={record} />
        <span className="block font-normal text-muted [overflow-wrap:anywhere] md:hidden">
          {actorSays(record.actor)}
        </span>
      </>
    ),
  },
  { name: 'Who', wide: true, cell: ({ actor, agentDid }) => <Actor actor={actor} agent={agentDid} /> },
  { name: 'Number', figures: true, wide: true, cell: ({ seq }) => seq },
  { name: 'When', figures: true, cell: ({ at }) => <Time at={at} /> },
];

/** Shows how much of which page left, in one line. */
function WhatLeft({ record }: { record: AuditRecord }) {
  const left = leftIn(record);
  if (left === null) return null;
  return (
    <span className="block text-xs font-normal text-muted [overflow-wrap:anywhere]">
      {left.what}: {left.size}, {left.page}
    </span>
  );
}

type Props = {
  readonly records: readonly AuditRecord[];
  readonly narrowed: boolean;
  readonly onOpen: (record: AuditRecord) => void;
};

function Records({ records, narrowed, onOpen }: Props) {
  if (records.length > 0) {
    return (
      <Table
        caption="Audit records, newest first"
        columns={columns(onOpen)}
        rows={records}
        keyOf={({ auditId }) => auditId}
      />
    );
  }
  return narrowed ? (
    <Message icon={SearchX} title="No matching records">
      Change or clear the filters.
    </Message>
  ) : (
    <Message icon={ScrollText} title="No records yet">
      When a credential is decrypted or used, a record appears here. An action that cannot be recorded is not
      performed.
    </Message>
  );
}

/** The whole log of the tenant, for an auditor who need not believe us. */
function ExportButton() {
  const { busy, problem, run } = useVaultDeed('GET /api/v1/audit/export');
  const save = async () => {
    // The answer is text, one record a line.
    const text = (await run({})) as unknown as string | null;
    if (text === null) return;
    download(text, 'audit.jsonl', 'application/jsonl');
    showToast({ tone: 'ok', text: 'Verify it yourself: countersign audit verify audit.jsonl' });
  };
  return (
    <div className="grid justify-items-end gap-1">
      <Button busy={busy} onClick={() => void save()}>
        <Download aria-hidden="true" />
        Download export
      </Button>
      {problem !== null && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
