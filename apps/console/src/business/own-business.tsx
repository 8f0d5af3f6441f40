import type { Business } from '@countersign/protocol/dashboard/business';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { ask } from '../api/queries.ts';
import { AddFile } from '../payees/add-file.tsx';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/page.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { BusinessFacts, BusinessState } from './facts.tsx';
import { SubmitBusiness } from './submit-business.tsx';

/** The account as a business that is paid: what it submitted, and what was decided. */
export function OwnBusiness() {
  const { person } = useSession();
  const own = useQuery({ ...ask('GET /api/business', {}), refetchInterval: 10_000 });
  const [submitting, setSubmitting] = useState(false);
  const business = own.data?.business ?? null;
  const badge = business === null ? undefined : <BusinessState business={business} />;
  return (
    <Section title="Your business" actions={badge}>
      <Loaded query={own} skeleton={<Bone className="m-5 w-1/2" />}>
        {() => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-5">
              <p className="max-w-[60ch] text-sm text-pretty">{nextOf(business)}</p>
              {person.holder && business?.state !== 'waiting' && (
                <Button onClick={() => setSubmitting(true)}>
                  {business === null ? 'Submit a business' : 'Submit again'}
                </Button>
              )}
            </div>
            {business !== null && (
              <div className="border-t border-line px-5 py-1">
                <BusinessFacts business={business} />
                {business.state === 'waiting' && person.holder && <OwnFiles business={business} />}
              </div>
            )}
          </>
        )}
      </Loaded>
      {submitting && <SubmitBusiness last={business?.facts ?? null} onClose={() => setSubmitting(false)} />}
    </Section>
  );
}

function nextOf(business: Business | null): string {
  if (business === null)
    return 'If you sell to agents as a business, submit its details and payout addresses. Operators decide. A person needs only the identity above.';
  if (business.state === 'waiting' || business.recordState === 'waiting')
    return 'Your business is under review.';
  if (business.state === 'rejected')
    return 'Your business was not admitted. You can correct it and submit it again.';
  if (business.recordState === 'admitted')
    return 'Your business is admitted: gateways may pay these addresses. Submit again to change or renew it.';
  return 'Your business is no longer admitted, so payments to it are refused.';
}

function OwnFiles({ business: { files } }: { business: Business }) {
  const { busy, problem, run } = useDeed('POST /api/business/files', '/api/business');
  return (
    <section aria-label="Files" className="py-3">
      <h3 className="text-base">Files</h3>
      <ul className="mt-1 text-sm [overflow-wrap:anywhere]">
        {files.map(({ id, name }) => (
          <li key={id}>
            <Verbatim text={name} />
          </li>
        ))}
      </ul>
      {files.length < 5 && (
        <AddFile busy={busy} problem={problem} onFile={async (body) => (await run({ body })) !== null} />
      )}
    </section>
  );
}
