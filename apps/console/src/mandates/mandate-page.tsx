import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, Signature } from 'lucide-react';
import { Address } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { Alerts } from './alerts.tsx';
import { Budget } from './budget.tsx';
import { Credential } from './credential.tsx';
import { MandateActions } from './mandate-actions.tsx';
import { Payer } from './payer.tsx';
import { PolicySection } from './policy/policy-section.tsx';
import { mandateById } from './queries.ts';
import { MandateState } from './state.tsx';

/** Shows one mandate: what is left, what was signed, and the actions on it. */
export function MandatePage() {
  const { mandateId } = useParams({ from: '/frame/mandates/$mandateId' });
  const mandate = useQuery(mandateById(mandateId));
  return (
    <>
      <Link to="/mandates" className="mb-3 inline-flex items-center gap-1 text-sm text-muted hover:text-ink">
        <ChevronLeft aria-hidden="true" className="size-4" />
        Mandates
      </Link>
      <Page
        title={mandate.data?.title ?? 'Mandate'}
        actions={mandate.data ? <MandateActions mandate={mandate.data} /> : undefined}
      >
        <Loaded query={mandate} skeleton={<BoneRows rows={6} />}>
          {(found) => (found === null ? <NoSuchMandate /> : <WholeMandate mandate={found} />)}
        </Loaded>
      </Page>
    </>
  );
}

function NoSuchMandate() {
  return (
    <div className="card">
      <Message icon={Signature} title="Mandate not found">
        It may belong to another wallet, or it may have been deleted.
      </Message>
    </div>
  );
}

function WholeMandate({ mandate }: { mandate: Mandate }) {
  return (
    <>
      <Alerts mandateId={mandate.id} />
      {mandate.status === 'active' && mandate.policy.paused && (
        <Notice tone="warn">Paused. Your agent pays nothing from this mandate until you resume it.</Notice>
      )}
      <Section title="Budget" actions={<MandateState mandate={mandate} />}>
        {mandate.status === 'pending' ? (
          <p className="px-5 py-5 text-muted">
            This is a draft. Nothing can be paid from it until you sign it.
          </p>
        ) : (
          <Budget mandate={mandate} />
        )}
      </Section>
      <Section title="Limits">
        <div className="px-5 py-1">
          <Limits mandate={mandate} />
        </div>
      </Section>
      <PolicySection mandate={mandate} />
      {mandate.vcJson !== null && <Credential mandate={mandate} credential={mandate.vcJson} />}
    </>
  );
}

function Limits({ mandate }: { mandate: Mandate }) {
  const { perTxLimit, totalBudget, expiresAt, createdAt, transactionCount, lastUsedAt, id } = mandate;
  return (
    <Facts>
      <Fact name="For">
        <Payer mandate={mandate} />
      </Fact>
      <Fact name="Limit per payment">
        <Money amount={perTxLimit} />
      </Fact>
      <Fact name="Total budget">
        <Money amount={totalBudget} />
      </Fact>
      <Fact name="Valid until">
        <Time at={expiresAt} />{' '}
        <span className="text-muted">
          (<Time at={expiresAt} as="relative" />)
        </span>
      </Fact>
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Payments">
        <span className="figures">{transactionCount}</span>
        {lastUsedAt !== null && (
          <span className="text-muted">
            , most recent <Time at={lastUsedAt} as="relative" />
          </span>
        )}
      </Fact>
      <Fact name="Id">
        <Address value={id} name="id" />
      </Fact>
    </Facts>
  );
}
