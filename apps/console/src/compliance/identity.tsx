import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../api/endpoint.ts';
import { ask } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/page.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { documentNames } from './names.ts';
import { providerStates } from './queries.ts';
import { KycState } from './state.tsx';
import { SubmitIdentity } from './submit-identity.tsx';
import { ToVendor } from './to-vendor.tsx';

type Status = AnswerOf<'GET /api/kyc/status'>;

const ownStatus = ask('GET /api/kyc/status', {});

/** Whether the owner is verified, and the next step if not. */
export function Identity() {
  const status = useQuery(ownStatus);
  const [handingIn, setHandingIn] = useState(false);
  const badge = status.data && isKnown(status.data) ? <KycState status={status.data.kycStatus} /> : undefined;
  return (
    <Section title="Your identity" actions={badge}>
      <Loaded query={status} skeleton={<Bone className="m-5 w-1/2" />}>
        {(known) => (
          <>
            <NextStep status={known} onHandIn={() => setHandingIn(true)} />
            {known.review !== null && <LastReview review={known.review} />}
          </>
        )}
      </Loaded>
      {handingIn && <SubmitIdentity onClose={() => setHandingIn(false)} />}
    </Section>
  );
}

/** `pending` is also the word for somebody who never handed anything in. */
const isKnown = ({ kycStatus, submitted }: Status): boolean => submitted || kycStatus !== 'pending';

function NextStep({ status, onHandIn }: { status: Status; onHandIn: () => void }) {
  const provider = useQuery(providerStates).data?.kyc.provider ?? 'review-queue';
  const mayBegin = !isKnown(status) || status.kycStatus === 'rejected';
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-5">
      <p className="max-w-[60ch] text-pretty text-sm">{sayNextStep(status, provider)}</p>
      {mayBegin && provider !== 'review-queue' && <ToVendor provider={provider} />}
      {mayBegin && provider === 'review-queue' && (
        <Button kind="primary" onClick={onHandIn}>
          {status.submitted ? 'Hand in again' : 'Hand in your identity'}
        </Button>
      )}
    </div>
  );
}

function sayNextStep(status: Status, provider: string): string {
  if (status.kycStatus === 'approved') return 'You are verified. Payments of your agent pass this check.';
  if (isKnown(status)) {
    return status.kycStatus === 'rejected'
      ? 'You were not verified, so payments of your agent are refused.'
      : 'What you handed in waits to be looked at. Until then payments of your agent are refused.';
  }
  return provider === 'review-queue'
    ? 'You are not verified yet. Where a service asks for it, payments of your agent are refused.'
    : 'You are not verified yet. Our identity provider does it on a page of its own.';
}

function LastReview({ review }: { review: NonNullable<Status['review']> }) {
  const { fullName, documentType, createdAt, decidedAt, reason } = review;
  return (
    <div className="border-t border-line px-5 py-1">
      <Facts>
        <Fact name="Handed in">
          {fullName}, {documentNames[documentType].toLowerCase()}{' '}
          <span className="text-muted">
            (<Time at={createdAt} />)
          </span>
        </Fact>
        {decidedAt !== null && (
          <Fact name="Decided">
            <Time at={decidedAt} />
          </Fact>
        )}
        {reason !== null && (
          <Fact name="Reason">
            <span className="[overflow-wrap:anywhere]">{reason}</span>
          </Fact>
        )}
      </Facts>
    </div>
  );
}
