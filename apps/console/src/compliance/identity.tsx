import { legible } from '../ui/legible.ts';
import { Verbatim } from '../ui/verbatim.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { Time, useNow } from '../ui/time.tsx';
import { documentNames } from './names.ts';
import { ownStatus, providerStates } from './queries.ts';
import { type OwnStatus, type Situation, situationOf } from './situation.ts';
import { SubmitIdentity } from './submit-identity.tsx';
import { ToVendor } from './to-vendor.tsx';

/** Returns whether the owner is verified, until when, and the next step. */
export function Identity() {
  const status = useQuery(ownStatus);
  const [handingIn, setHandingIn] = useState(false);
  const now = useNow();
  const badge = status.data && <SituationBadge situation={situationOf(status.data, now)} />;
  return (
    <Section title="Your identity" actions={badge}>
      <Loaded query={status} skeleton={<Bone className="m-5 w-1/2" />}>
        {(known) => (
          <>
            <NextStep
              status={known}
              situation={situationOf(known, now)}
              onHandIn={() => setHandingIn(true)}
            />
            {known.withdrawal !== null && <WhyWithdrawn {...known.withdrawal} />}
            {known.review !== null && <LastReview review={known.review} />}
          </>
        )}
      </Loaded>
      {handingIn && <SubmitIdentity onClose={() => setHandingIn(false)} />}
    </Section>
  );
}

const badges: Readonly<Record<Situation, { readonly tone: BadgeTone; readonly name: string } | null>> = {
  unknown: null,
  waiting: { tone: 'warn', name: 'Waiting' },
  approved: { tone: 'ok', name: 'Verified' },
  renewable: { tone: 'warn', name: 'Expires soon' },
  renewing: { tone: 'ok', name: 'Verified' },
  ended: { tone: 'bad', name: 'Expired' },
  rejected: { tone: 'bad', name: 'Rejected' },
  withdrawn: { tone: 'bad', name: 'Withdrawn' },
};

function SituationBadge({ situation }: { situation: Situation }) {
  const look = badges[situation];
  return look === null ? null : <Badge tone={look.tone}>{look.name}</Badge>;
}

type StepProps = {
  readonly status: OwnStatus;
  readonly situation: Situation;
  readonly onHandIn: () => void;
};

function NextStep({ status, situation, onHandIn }: StepProps) {
  const provider = useQuery(providerStates).data?.kyc.provider ?? 'review-queue';
  const step = steps[situation];
  const byPeople = provider === 'review-queue';
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-5">
      <p className="max-w-[60ch] text-pretty text-sm">
        <Situated status={status} situation={situation} provider={provider} />
      </p>
      {step !== null && !byPeople && situation !== 'withdrawn' && <ToVendor provider={provider} />}
      {step !== null && byPeople && (
        <Button kind="primary" onClick={onHandIn}>
          {step}
        </Button>
      )}
    </div>
  );
}

/** The owner's possible action in each situation, where people review; null: none, or wait. */
const steps: Readonly<Record<Situation, string | null>> = {
  unknown: 'Submit identity',
  waiting: null,
  approved: null,
  renewable: 'Renew approval',
  renewing: null,
  ended: 'Renew approval',
  rejected: 'Submit again',
  withdrawn: 'Submit again',
};

function Situated({ status, situation, provider }: Omit<StepProps, 'onHandIn'> & { provider: string }) {
  const end = status.validUntil === null ? null : <Time at={status.validUntil} as="day" />;
  switch (situation) {
    case 'approved':
      return end === null ? (
        <>You are verified. Payments by your agent pass this check.</>
      ) : (
        <>You are verified. Payments by your agent pass this check until {end}.</>
      );
    case 'renewable':
      return (
        <>
          Your approval expires on {end}. Renew it before then: it stays valid until that date, also while the
          renewal is under review. After that, payments by your agent are refused.
        </>
      );
    case 'renewing':
      return <>Your renewal is under review. Your current approval is valid until {end}.</>;
    case 'ended':
      return (
        <>Your approval expired on {end}, so payments by your agent are refused. Renew it to continue.</>
      );
    case 'withdrawn':
      return <>An operator has withdrawn your approval, so payments to you and by your agent are refused.</>;
    case 'rejected':
      return <>Your identity was not approved, so payments by your agent are refused.</>;
    case 'waiting':
      return <>Your submission is under review. Until it is approved, payments by your agent are refused.</>;
    case 'unknown':
      return provider === 'review-queue' ? (
        <>You are not verified yet. Where a service requires it, payments by your agent are refused.</>
      ) : (
        <>You are not verified yet. Our identity provider verifies you on its own page.</>
      );
  }
}

function WhyWithdrawn({ reason, at }: NonNullable<OwnStatus['withdrawal']>) {
  return (
    <div className="px-5 pb-5">
      <Notice tone="bad">
        <p className="[overflow-wrap:anywhere]">
          Withdrawn on <Time at={at} />: <Verbatim text={reason} />
        </p>
      </Notice>
    </div>
  );
}

function LastReview({ review }: { review: NonNullable<OwnStatus['review']> }) {
  const { fullName, documentType, createdAt, decidedAt, reason } = review;
  return (
    <div className="border-t border-line px-5 py-1">
      <Facts>
        <Fact name="Submitted">
          {documentType === null
            ? 'Your submission was deleted'
            : `${legible(fullName ?? '')}, ${documentNames[documentType].toLowerCase()}`}{' '}
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
            <span className="[overflow-wrap:anywhere]">
              <Verbatim text={reason} />
            </span>
          </Fact>
        )}
      </Facts>
    </div>
  );
}
