import type { DomainMark, DomainProof, DomainVerdict } from '@countersign/protocol/dashboard/payee-domain';
import type { Payee } from '@countersign/protocol/dashboard/payees';
import { useDeed } from '../api/deed.ts';
import { WholeAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { outdated } from './payee-form.tsx';

/** Returns whether the record's domain names its addresses itself: evidence, which decides nothing. */
export function DomainSays({ payee: { id, state, domainProofs } }: { payee: Payee }) {
  const { busy, problem, run } = useDeed('POST /api/payees/:id/check-domain', ...outdated);
  const marked = domainProofs.filter(({ mark }) => mark !== null);
  return (
    <section aria-label="Domain proof">
      <h3 className="text-base">Domain proof</h3>
      {state === 'admitted' &&
        marked.map((each) => <TakenBack key={`${each.domain} ${each.address}`} {...each} />)}
      {domainProofs.length === 0 && (
        <p className="mt-1 text-sm text-muted">The domain has not been checked yet.</p>
      )}
      {domainProofs.map((each) => (
        <Said key={`${each.domain} ${each.address}`} {...each} />
      ))}
      {state !== 'withdrawn' && (
        <Button busy={busy} onClick={() => void run({ params: { id }, body: {} })} className="mt-3">
          Check the domain
        </Button>
      )}
      {problem !== null && <p className="mt-1 text-sm text-bad">{problem}</p>}
    </section>
  );
}

function Said({ domain, address, verdict, until, checkedAt, provedAt }: DomainProof) {
  return (
    <Facts>
      <Fact name="Address">
        <WholeAddress value={address} name="address" />
      </Fact>
      <Fact name="Domain">
        <Verbatim text={domain} />
      </Fact>
      <Fact name="It says">{verdictWords[verdict]}</Fact>
      {until !== null && (
        <Fact name="Signed until">
          <Time at={until} />
        </Fact>
      )}
      <Fact name="Checked">
        <Time at={checkedAt} />
      </Fact>
      {provedAt !== null && verdict !== 'PROVED' && (
        <Fact name="Last proved">
          <Time at={provedAt} />
        </Fact>
      )}
    </Facts>
  );
}

function TakenBack({ mark, markedAt }: DomainProof) {
  if (mark === null || markedAt === null) return null;
  return (
    <Notice tone="bad">
      <p>
        {whyNot[mark]} since <Time at={markedAt} />, so payments to this address are refused. They resume once
        the domain names it, or once you change the record and add what you have verified, such as a link.
      </p>
    </Notice>
  );
}

/** The text of each verdict about a domain. */
export const verdictWords: Readonly<Record<DomainVerdict, string>> = {
  PROVED: 'The domain names this address, and the address has signed it',
  UNREACHABLE: 'Nothing: it could not be reached',
  NO_FILE: 'Nothing: it has no such file',
  REDIRECTED: 'Nothing: it redirects to another host',
  UNREADABLE: 'Its file cannot be read',
  NOT_NAMED: 'Its file does not name this address',
  OTHER_DOMAIN: 'The address has signed for another domain',
  OTHER_NETWORK:
    'The address has not signed for all networks of the record. A contract can sign for one chain only',
  SIGNATURE_INVALID: 'It names the address, but the address has not signed it',
  NOT_YET_VALID: 'The address’s signature is not valid yet',
  PROOF_EXPIRED: 'The address’s signature has expired',
};

const whyNot: Readonly<Record<DomainMark, string>> = {
  DOMAIN_MOVED: 'The domain has moved, or no longer names any address,',
  ADDRESS_DISOWNED: 'The domain has not named this address',
};
