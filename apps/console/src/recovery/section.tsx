import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { delayText } from './delay-text.ts';
import { NameAddress } from './name-address.tsx';
import { NamedBy } from './named-by.tsx';
import { recoveryState } from './queries.ts';
import { RecoveredAccounts } from './recovered.tsx';
import { UnderWay } from './under-way.tsx';

/** Who may recover the account when its wallet is lost, and whose this one may recover. */
export function RecoverySection() {
  const answer = useQuery(recoveryState);
  return (
    <Section title="If a wallet is lost">
      <Loaded query={answer} skeleton={<BoneRows rows={3} />}>
        {({ recovery }) => (
          <>
            <Own state={recovery} />
            {recovery.namedBy.length > 0 && <NamedBy state={recovery} />}
            {recovery.recovered.length > 0 && <RecoveredAccounts recovered={recovery.recovered} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Own({ state }: { state: Recovery }) {
  const { person } = useSession();
  const { address, change, claim, delays } = state;
  return (
    <div className="grid gap-4 px-5 py-4 text-sm">
      <UnderWay state={state} />
      <p className="max-w-[70ch] text-pretty text-muted">
        A recovery address can close this account if its wallet is lost, {delayText(delays.claimSeconds)}{' '}
        after it asks. It signs nothing for the account, and you can object as long as you have the wallet.
      </p>
      <Facts>
        <Fact name="Recovery address">
          {address === null ? (
            'None'
          ) : (
            <>
              <Address value={address.walletAddress} name="recovery address" />, since{' '}
              <Time at={address.since} as="day" />
            </>
          )}
        </Fact>
      </Facts>
      {person.holder && change === null && claim === null && <NameAddress state={state} />}
      {!person.holder && <p className="text-muted">Only the wallet’s holder can set it.</p>}
    </div>
  );
}
