import type { Business } from '@countersign/protocol/dashboard/business';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useDeed } from '../api/deed.ts';
import { problemText } from '../api/problem.ts';
import { ask } from '../api/queries.ts';
import { WithReason } from '../compliance/with-reason.tsx';
import { SubmissionChecks } from '../kyb/provider-checks.tsx';
import { rejectionsIn } from '../kyb/rejections-in.ts';
import { bytesOf } from '../payees/file-text.ts';
import { useSession } from '../session/session.ts';
import { WholeAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { downloadBytes } from '../ui/download.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Field } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { BusinessFacts } from './facts.tsx';
import { RenewedRecord } from './renewed-record.tsx';

type Props = { readonly business: Business; readonly onClose: () => void };

const outdated = ['/api/business', '/api/payees', '/api/compliance/history'] as const;

/** Shows a business's submission, and lets an operator decide. */
export function BusinessSheet({ business, onClose }: Props) {
  const { account } = useSession();
  const [doing, setDoing] = useState<'admit' | 'reject' | null>(null);
  const { record, version } = useRecord(business);
  const { facts, state, walletAddress, renews } = business;
  if (doing === 'admit') return <Admit business={business} version={version} onClose={onClose} />;
  if (doing === 'reject') return <Reject business={business} onClose={onClose} />;
  const own = walletAddress === account.walletAddress;
  const decides = state === 'waiting' && !own;
  // Nobody admits what changes a record that they have not read.
  const admits = facts !== null && (renews === null || record !== null);
  return (
    <Sheet
      title={facts?.legalName ?? 'Business'}
      onClose={onClose}
      actions={decides ? <Ways onDo={setDoing} admits={admits} /> : undefined}
    >
      <div className="grid grid-cols-1 gap-6">
        <Notice tone="warn">
          These are the business’s own claims. Compare them with a register that you look up yourself. Each
          address has signed that it belongs to this account.
        </Notice>
        <Facts>
          <Fact name="Submitted by">
            <WholeAddress value={walletAddress} name="wallet" />
          </Fact>
        </Facts>
        <BusinessFacts business={business} />
        {record !== null && facts !== null && <RenewedRecord payee={record} facts={facts} />}
        <Files business={business} />
        <CheckDomain business={business} />
        <Checked business={business} decides={decides} />
        {own && <Notice>You submitted this. Another operator must decide.</Notice>}
      </div>
    </Sheet>
  );
}

function Checked({ business: { id, facts, checks }, decides }: { business: Business; decides: boolean }) {
  if (facts === null) return null;
  return <SubmissionChecks id={id} registryNumbers={facts.registryNumbers} checks={checks} waits={decides} />;
}

/** The record that an admission changes, and its newest version. */
function useRecord({ renews }: Business) {
  const found = useQuery({
    ...ask('GET /api/payees/:id', { params: { id: renews ?? '' } }),
    enabled: renews !== null,
  });
  const record = found.data?.payee ?? null;
  return { record, version: record === null ? null : (record.proposal ?? record).version };
}

type WaysProps = { readonly onDo: (what: 'admit' | 'reject') => void; readonly admits: boolean };

const Ways = ({ onDo, admits }: WaysProps) => (
  <>
    <Button kind="danger" onClick={() => onDo('reject')}>
      Reject
    </Button>
    {admits && (
      <Button kind="primary" onClick={() => onDo('admit')}>
        Admit
      </Button>
    )}
  </>
);

function CheckDomain({ business: { id, facts, state } }: { business: Business }) {
  const check = useDeed('POST /api/business/submissions/:id/check-domain', '/api/business');
  if (state !== 'waiting' || facts === null) return null;
  return (
    <>
      <Button busy={check.busy} onClick={() => void check.run({ params: { id }, body: {} })}>
        Check the domain
      </Button>
      {check.problem !== null && <p className="text-sm text-bad">{check.problem}</p>}
    </>
  );
}

function Files({ business: { id, files } }: { business: Business }) {
  const read = async (fileId: string) => {
    const found = await call('GET /api/business/submissions/:id/files/:fileId', { params: { id, fileId } });
    if (!found.ok) return showToast({ tone: 'bad', text: problemText(found.error) });
    const { content, name, mediaType } = found.value;
    downloadBytes(bytesOf(content), name, mediaType);
  };
  if (files.length === 0) return null;
  return (
    <section aria-label="Files">
      <h3 className="text-base">Files</h3>
      {files.map((file) => (
        <Button
          key={file.id}
          kind="quiet"
          onClick={() => void read(file.id)}
          className="max-w-full min-w-0 text-left whitespace-normal! [overflow-wrap:anywhere]"
        >
          <Verbatim text={file.name} />
        </Button>
      ))}
    </section>
  );
}

const yearMs = 365 * 86_400_000;

type AdmitProps = Props & {
  /** The newest of the record that it changes; null where it makes one. */
  readonly version: number | null;
};

function Admit({ business: { id, facts, checks }, version, onClose }: AdmitProps) {
  // What was read is what is decided about, also once another operator has changed it.
  const [{ read, seenRejections }] = useState({ read: version, seenRejections: rejectionsIn(checks) });
  const deed = useDeed('POST /api/business/submissions/:id/decide', ...outdated);
  const [lastDay, setLastDay] = useState(() => new Date(Date.now() + yearMs).toISOString().slice(0, 10));
  const [reason, setReason] = useState('');
  const end = Date.parse(`${lastDay}T23:59:59Z`);
  const fault = end > Date.now() ? null : 'Enter a day in the future.';
  const admit = async () => {
    if (fault !== null) return;
    const note = reason.trim();
    const done = await deed.run({
      params: { id },
      body: {
        decision: 'admit',
        validUntil: new Date(end).toISOString(),
        seenRejections,
        ...(read !== null && { version: read }),
        ...(note !== '' && { reason: note }),
      },
    });
    if (done === null) return;
    const waits = done.business.recordState === 'waiting';
    const text = waits
      ? 'Recorded. A second operator must agree, under Payees.'
      : 'The business is admitted.';
    showToast({ tone: 'ok', text });
    onClose();
  };
  return (
    <FormSheet
      title={`Admit ${facts?.legalName ?? 'this business'}?`}
      shape="dialog"
      submitLabel="Admit business"
      busy={deed.busy}
      problem={deed.problem}
      onSubmit={() => void admit()}
      onClose={onClose}
    >
      <p className="text-sm text-pretty text-muted">
        It becomes a record under Payees, or changes the one that this account has. Payments to its addresses
        then pass.
      </p>
      <Field
        label="Valid until"
        hint="The last day, in UTC."
        type="date"
        value={lastDay}
        error={fault}
        onChange={({ target }) => setLastDay(target.value)}
      />
      <Field
        label="Note"
        hint="Optional. The business reads it."
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormSheet>
  );
}

function Reject({ business: { id, facts }, onClose }: Props) {
  const deed = useDeed('POST /api/business/submissions/:id/decide', ...outdated);
  const reject = async (reason: string) => {
    const done = await deed.run({ params: { id }, body: { decision: 'reject', reason } });
    if (done === null) return;
    showToast({ tone: 'ok', text: 'The business is rejected.' });
    onClose();
  };
  return (
    <WithReason
      title={`Reject ${facts?.legalName ?? 'this business'}?`}
      name="Reject business"
      hint="The business reads it."
      deed={deed}
      onReason={reject}
      onClose={onClose}
    >
      <p className="text-sm text-pretty text-muted">The business’s existing record does not change.</p>
    </WithReason>
  );
}
