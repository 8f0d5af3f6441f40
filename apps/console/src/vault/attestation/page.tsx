import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { Ticks } from '../../ui/ticks.tsx';
import { Time } from '../../ui/time.tsx';
import { refresh } from '../../api/queries.ts';
import { type CheckedReport, enclaveReport } from '../report.ts';
import { KeyWatch, PinnedKey } from '../verifier/pinned-key.tsx';
import { Isolation } from './isolation.tsx';
import { Measurements } from './measurements.tsx';
import { Unproven } from './unproven.tsx';

/** Who the enclave says it is, what of that holds, and what nobody has shown. Needs no sign-in: anyone may ask. */
export function AttestationPage() {
  const report = useQuery(enclaveReport);
  const queries = useQueryClient();
  return (
    <Page
      title="Attestation"
      about="The enclave is the only code that sees secrets. This is what it can prove about itself, and what it cannot."
      actions={
        <Button busy={report.isFetching} onClick={() => void refresh(queries, '/api/v1/attestation/report')}>
          <RefreshCw aria-hidden="true" />
          Refresh report
        </Button>
      }
    >
      <Loaded
        query={report}
        skeleton={
          <div className="card">
            <BoneRows />
          </div>
        }
      >
        {(checked) => <Report checked={checked} />}
      </Loaded>
    </Page>
  );
}

function Report({ checked }: { checked: CheckedReport }) {
  const { report, checks, isBound } = checked;
  return (
    <>
      <KeyWatch />
      {!isBound && (
        <Notice tone="bad">
          This report is not valid. Do not store credentials here until an operator has checked it.
        </Notice>
      )}
      {!report.hardware && (
        <Notice tone="warn">
          <p className="font-medium">SIMULATED: no hardware protects this vault.</p>
          <p>
            Whoever controls the machine it runs on can read every secret. Use it only for testing, with
            secrets you can afford to lose.
          </p>
        </Notice>
      )}
      <Section
        title="Checked in this browser"
        actions={
          <span className="text-sm text-muted">
            <Time at={report.createdAt} as="relative" />
          </span>
        }
      >
        <div className="px-5 py-4">
          <Ticks ticks={checks} />
        </div>
      </Section>
      <PinnedKey />
      <Unproven report={report} />
      <Isolation measurements={report.measurements} />
      <Measurements report={report} />
    </>
  );
}
